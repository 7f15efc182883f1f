import Accounts
import Database
import HTTP
import Identity
import Records
import Scheduling
import Studies
import Web
import Wire
import Wording

/// The page of a study that anybody may open: what it is about and what one agrees to (TYS-1). It tells nothing of who
/// takes part. Whoever is signed in takes part here.
package enum PublicStudyPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/studies/:code(word)", .anyone, show)
        routes.page(.get, "/studies/:code(word)/picture", .anyone, picture)
        routes.page(.post, "/my/studies/:code/enrolment", .patient, enrol)
    }

    /// What the page says of the study.
    package struct About: Encodable, Sendable {
        let title: String
        let description: String?
        let text: String?
        let picture: String?
        let consent: String?
        /// Until when it runs; nil while that is open.
        let ends: String?
        /// Who gets in, where it is not everybody.
        let access: String?

        static let example = About(
            title: "Stress im Alltag", description: "Zwei Wochen, zwei Minuten am Tag.",
            text: "Worum es geht.",
            picture: "/studies/stress-26/picture?version=1", consent: "Ich nehme freiwillig teil.",
            ends: "bis 31.12.2026", access: "Die Studienleitung entscheidet, wer teilnimmt.")
    }

    /// For people who are not signed in.
    package struct Visitor: Page {
        package static let template = "my/study-visitor"
        let about: About
        let register: String
        let login: String
        /// Staff read it, and take part in nothing.
        let isStaff: Bool

        package static let example = Visitor(
            about: .example, register: "/register?next=%2Fstudies%2Fstress-26",
            login: "/login?next=%2Fstudies%2Fstress-26", isStaff: false)
    }

    /// For patients and participants.
    package struct Own: Page {
        package static let template = "my/study"
        package static let section: NavigationItem? = .more
        let about: About
        /// How they stand to it; nil while they may take part.
        let state: String?
        let action: String
        let consent: FieldView
        let more: [FieldView]
        let submit: String
        var errors: ErrorSummary?

        package static let example = Own(
            about: .example, state: nil, action: "/my/studies/stress-26/enrolment",
            consent: FieldView(name: "consent_accepted", label: "Ich stimme zu.", isCheck: true),
            more: [FieldView(name: "code", label: "Einladungscode")], submit: "Teilnehmen", errors: nil)
    }

    @Sendable static func show(_ c: Context<Anyone>) throws -> Reply {
        let study = try PublicStudy.find(c)
        guard let account = c.actor.member?.account, account.kind == .patient else {
            let next = percentEncoded("/studies/\(PublicStudy.word(of: study))")
            return .page(
                Visitor(
                    about: about(study, c), register: "/register?next=\(next)", login: "/login?next=\(next)",
                    isStaff: c.actor.member != nil))
        }
        var form = Form()
        if let code = c.request.query["invitation"] { form = ["code": code] }
        return .page(try page(study, FormState(form, FieldErrors(), c.texts), of: account, c))
    }

    @Sendable static func picture(_ c: Context<Anyone>) throws -> Reply {
        let study = try PublicStudy.find(c)
        guard let picture = try c.read({ try StudyStore.picture(of: study.id, $0) }) else {
            throw Problem.notFound
        }
        return .response(picture.response)
    }

    @Sendable static func enrol(_ c: Context<Member>) throws -> Reply {
        let study = try PublicStudy.find(c)
        let form = try c.form()
        do {
            let fields = InputReader(form: form)
            let code = fields.text("code", limit: 40)
            let isPending: Bool
            do {
                isPending = try Enrolling(fields, code: code, study: study).enrol(in: study, c)
            } catch Problem.forbidden(let message) {
                throw Problem.invalid(FieldErrors("password", message))
            }
            let key = isPending ? "own_studies.asked" : "own_studies.enrolled"
            return .seeOther("/my/studies", flash: Message(key))
        } catch Problem.invalid(let errors) {
            let filled = FormState(form, errors, c.texts)
            return .page(try page(study, filled, of: c.proof.account, c), status: 422)
        }
    }

    private static func about<P>(_ study: StudyRecord, _ c: Context<P>) -> About {
        let readers = c.languages
        let word = PublicStudy.word(of: study)
        return About(
            title: study.title.text(in: readers) ?? study.name,
            description: study.description.text(in: readers), text: study.text.text(in: readers),
            picture: study.pictureVersion.map { "/studies/\(word)/picture?version=\($0)" },
            consent: study.consent.text(in: readers),
            ends: study.endsAt.map { c.texts["own_studies.until", ["day": c.dates.day($0)]] },
            access: study.access == .open ? nil : c.texts["own_studies.access_\(study.access.rawValue)"])
    }

    private static func page<P>(
        _ study: StudyRecord, _ filled: FormState, of account: AccountRecord, _ c: Context<P>
    ) throws -> Own {
        let enrolment = try c.read { try EnrolmentStore.find(in: study.id, of: account.id, $0) }
        let isIn = enrolment?.state == .enrolled || enrolment?.state == .pending
        var consent = filled.box("consent_accepted", label: "own_studies.consent", isOn: false)
        consent.isRequired = true
        var more: [FieldView] = []
        if study.access == .password {
            more.append(filled.password("password", label: "own_studies.password"))
        }
        if study.access != .open {
            var code = filled.field("code", label: "own_studies.invitation")
            code.inputMode = "numeric"
            code.hint = c.texts["own_studies.invitation_hint"]
            more.append(code)
        }
        // An invitation takes the place of the password.
        for index in more.indices { more[index].isRequired = false }
        var measures = StudyMeasures.boxes(
            study.measurements, ticked: [], label: "own_studies.give", filled)
        if !measures.isEmpty { measures[0].hint = c.texts["own_studies.give_hint"] }
        more += measures
        return Own(
            about: about(study, c),
            state: isIn ? enrolment.map { c.texts["own_studies.state_\($0.state.rawValue)"] } : nil,
            action: "/my/studies/\(PublicStudy.word(of: study))/enrolment", consent: consent, more: more,
            submit: c.texts[study.access == .request ? "own_studies.ask" : "own_studies.take_part"],
            errors: filled.summary)
    }
}

/// Finding a study by what stands in the address of its page.
enum PublicStudy {
    private static let wrongCodes = 20

    /// What its page is found by: its name, or, where it is hidden, nothing but its code.
    static func word(of study: StudyRecord) -> String { study.isHidden ? study.code : study.name }

    /// The running study in the path.
    /// - Throws: `Problem.notFound` for every other, whatever the reason; 429 for who tries many codes.
    static func find<P>(_ c: Context<P>) throws -> StudyRecord {
        let word = c.places["code"] ?? ""
        let isCode = word.allSatisfy(\.isNumber)
        let key = "study page \(ClientAddress.of(c.request, c.services.settings))"
        if isCode, c.services.limiter.value(key, now: c.now) >= wrongCodes {
            try c.services.limiter.count(key, limit: wrongCodes, seconds: 3600, now: c.now)
        }
        let found = try c.read { connection -> StudyRecord? in
            if let named = try StudyStore.find(name: word, connection), !named.isHidden { return named }
            return try StudyStore.find(code: word, connection).flatMap { $0.isHidden ? $0 : nil }
        }
        if let found, found.isRunning(at: c.now) { return found }
        if isCode { try c.services.limiter.count(key, limit: wrongCodes, seconds: 3600, now: c.now) }
        throw Problem.notFound
    }
}
