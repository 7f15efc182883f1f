import Accounts
import Database
import HTTP
import Identity
import Records
import Studies
import Web
import Wire
import Wording

/// The public page of a study: its subject and consent text (TYS-1), no participants. Accounts join here.
package enum PublicStudyPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/studies/:code(word)", .anyone, show)
        routes.page(.get, "/studies/:code(word)/picture", .anyone, picture)
        routes.page(.post, "/my/studies/:code/enrolment", .patient, enrol)
        routes.page(.post, "/my/studies/:study/refusal", .patient, decline)
    }

    /// The page's description of the study.
    package struct About: Encodable, Sendable {
        let title: String
        let description: String?
        let text: String?
        let picture: String?
        let consent: String?
        /// Why it records the position with questionnaires; nil where it does not.
        let location: String?
        /// Until when it runs; nil while that is open.
        let ends: String?
        /// The kind of access, where it is not open to all.
        let access: String?
        /// Why joining is impossible, in general or for the reader.
        let obstacle: String?
    }

    package struct Visitor: Page {
        package static let template = "my/study-visitor"
        let about: About
        let register: String
        let login: String
        /// Whether it takes participants.
        let isOpen: Bool
        /// Staff may read it, but not join.
        let isStaff: Bool
    }

    /// For patients and participants.
    package struct Own: Page {
        package static let template = "my/study"
        package static let section: NavigationItem? = .more
        let about: About
        /// The reader's state in it; nil while they may join.
        let state: String?
        /// Whether it takes the reader.
        let isOpen: Bool
        let action: String
        /// Of the consent text that is shown.
        let version: String
        let consent: FieldView
        let more: [FieldView]
        let submit: String
        /// The address for declining the own therapist's suggestion; nil without one, and once it was answered.
        let refusal: String?
        var errors: ErrorSummary?
    }

    @Sendable static func show(_ c: Context<Anyone>) throws -> Reply {
        let study = try PublicStudy.find(c)
        guard let account = c.actor.member?.account, account.kind == .patient else {
            let next = percentEncoded("/studies/\(PublicStudy.word(of: study))")
            let door = try c.read { try Door(study, nil, at: c.now, $0) }
            return .page(
                Visitor(
                    about: about(study, door, c), register: "/register?next=\(next)",
                    login: "/login?next=\(next)", isOpen: door.obstacle == nil,
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
        return try c.submit(form, orShow: { try page(study, $0, of: c.proof.account, c) }) { fields in
            let code = fields.text("code", limit: 40)
            let isPending: Bool
            do {
                let asks = try c.read { try StudyLocationStore.isAsked(in: study.id, $0) }
                isPending = try Enrolling(
                    fields, code: code, study: study, by: .browser, asksLocation: asks
                ).enrol(in: study, c)
            } catch Problem.forbidden(let message) {
                throw Problem.invalid(FieldErrors("password", message))
            } catch let problem as Problem where Enrolling.isConsentChange(problem) {
                // Read before it is agreed to anew.
                let kept = Form(form.fields.filter { $0.name != "consent_accepted" })
                let filled = FormState(kept, FieldErrors("consent_accepted", problem.message), c.texts)
                return .page(
                    try page(try PublicStudy.find(c), filled, of: c.proof.account, c), status: 409)
            }
            let key = isPending ? "own_studies.asked" : "own_studies.enrolled"
            return .seeOther("/my/studies", flash: Message(key))
        }
    }

    /// Declines the own therapist's suggestion.
    @Sendable static func decline(_ c: Context<Member>) throws -> Reply {
        try Enrolling.decline(try c.id("study"), c)
        return .seeOther(OwnStudiesPages.path, flash: Message("own_studies.offer_declined"))
    }

    /// The conditions for a person to join a study.
    private struct Door {
        let obstacle: StudyObstacle?
        /// The kind of access: open for participants who are vouched for.
        let access: StudyAccess
        /// The person's present state in it, while enrolled or waiting.
        let state: EnrolmentRecord.State?
        /// Suggested by the own therapist, and not answered yet.
        let isSuggested: Bool
        /// Whether its questionnaires record the position.
        let asksLocation: Bool

        /// - Parameter account: nil for a visitor.
        init(
            _ study: StudyRecord, _ account: ID<Account>?, at now: Instant,
            _ connection: borrowing Connection
        ) throws {
            let own = try account.flatMap { try EnrolmentStore.find(in: study.id, of: $0, connection)?.state }
            let isVouchedFor = try account.map { try OfferStore.isVouchedFor($0, in: study.id, connection) }
            let suggested = try account.flatMap { try OfferStore.unanswered(by: $0, connection)?.id }
            state = own == .enrolled || own == .pending ? own : nil
            access = isVouchedFor == true ? .open : study.access
            isSuggested = suggested == study.id
            asksLocation = try StudyLocationStore.isAsked(in: study.id, connection)
            // For participants only the end is an obstacle.
            obstacle =
                state == nil
                ? try StudyObstacle.find(study, for: account, at: now, connection)
                : study.hasEnded(at: now) ? .ended : nil
        }
    }

    private static func about<P>(_ study: StudyRecord, _ door: Door, _ c: Context<P>) -> About {
        let readers = c.languages
        let word = PublicStudy.word(of: study)
        let asks = door.access != .open && door.state == nil && door.obstacle == nil
        let end = door.obstacle == .ended ? "own_studies.over_since" : "own_studies.until"
        return About(
            title: study.title.text(in: readers) ?? study.name,
            description: study.description.text(in: readers), text: study.text.text(in: readers),
            picture: study.pictureVersion.map { "/studies/\(word)/picture?version=\($0)" },
            consent: study.consent.text(in: readers),
            location: door.asksLocation ? StudyLocation.reason(study, c.texts, readers) : nil,
            ends: study.endsAt.map { c.texts[end, ["day": c.dates.lastDay(until: $0)]] },
            access: asks ? c.texts["own_studies.access_\(door.access.rawValue)"] : nil,
            obstacle: door.obstacle.map { c.texts[$0.message] })
    }

    private static func page<P>(
        _ study: StudyRecord, _ filled: FormState, of account: AccountRecord, _ c: Context<P>
    ) throws -> Own {
        let door = try c.read { try Door(study, account.id, at: c.now, $0) }
        let consent = filled.field("consent_accepted", .box, label: "own_studies.consent", required: true)
        var more: [FieldView] = []
        if door.access == .password {
            more.append(filled.field("password", .password, label: "own_studies.password"))
        }
        if door.access != .open {
            more.append(
                filled.field(
                    "code", .digits, label: "own_studies.invitation", hint: "own_studies.invitation_hint",
                    autocomplete: "off"))
        }
        // An invitation replaces the password.
        for index in more.indices { more[index].isRequired = false }
        if door.asksLocation, door.state == nil { more.append(StudyLocation.field(nil, filled)) }
        more += StudyMeasures.boxes(
            study.measurements, ticked: [], label: "own_studies.give", hint: c.texts["own_studies.give_hint"],
            filled)
        return Own(
            about: about(study, door, c),
            state: door.state.map { c.texts["own_studies.state_\($0.rawValue)"] },
            isOpen: door.obstacle == nil,
            action: "/my/studies/\(PublicStudy.word(of: study))/enrolment",
            version: String(study.consentVersion), consent: consent, more: more,
            submit: c.texts[door.access == .request ? "own_studies.ask" : "own_studies.take_part"],
            refusal: door.isSuggested ? "/my/studies/\(study.id)/refusal" : nil, errors: filled.summary)
    }
}
