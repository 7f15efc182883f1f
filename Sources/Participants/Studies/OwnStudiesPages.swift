import Accounts
import Database
import HTTP
import Identity
import Instruments
import Records
import Scheduling
import Studies
import Web
import Wire
import Wording

/// The studies somebody takes part in, with their codename there, and those they can join (TYS-2).
package enum OwnStudiesPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, path, .patient, index)
        routes.page(.post, "/my/studies/code", .patient, open)
    }

    static let path = "/my/studies"

    static func parent(_ texts: Texts) -> PageLink {
        PageLink(label: texts["own_studies.title"], path: path, isCurrent: false)
    }

    package struct Index: Page {
        package static let template = "my/studies"
        package static let section: NavigationItem? = .more

        package struct Entry: Encodable, Sendable {
            let title: String
            let state: String
            let tone: String
            let codename: String
            let facts: String?
            /// Where a newer consent text is read; nil while the one that was agreed to is the newest.
            let consent: String?
            /// Where everything stands that was agreed to.
            let consents: String
            /// Where own times are chosen, by questionnaire.
            let times: [PageLink]
            /// Where it is chosen which own measurements the study gets; nil where it asks for none.
            let measures: String?
            /// Which it gets now.
            let given: String?
            /// Where it is chosen whether it gets the position, and how that stands; nil where it does not ask.
            let location: String?
            let located: String?
            let leaving: String
            let leave: String
        }
        package struct Offer: Encodable, Sendable {
            let title: String
            let description: String?
            let path: String
            let isPrivate: Bool
            /// By the own therapist, and not answered yet.
            let isSuggested: Bool
            /// Why it takes nobody in, else until when it runs.
            let note: String?
        }
        let own: [Entry]
        /// Studies that were left; what was agreed to in them stays to be read.
        let left: [PageLink]
        let hasLeft: Bool
        let offers: [Offer]
        let hasOffers: Bool
        let code: FieldView
        var errors: ErrorSummary?

        package static let example = Index(
            own: [
                Entry(
                    title: "Stress im Alltag", state: "Sie nehmen teil", tone: "good", codename: "S123456",
                    facts: "seit 20.11.2026", consent: "/my/studies/x/consent",
                    consents: "/my/studies/x/consents",
                    times: [
                        PageLink(
                            label: "Wohlbefinden", path: "/my/studies/x/questionnaires/y/times",
                            isCurrent: false)
                    ],
                    measures: "/my/studies/x/measurements", given: "Schritte",
                    location: "/my/studies/x/location", located: "erlaubt",
                    leaving: "/my/studies/x/leaving", leave: "Studie verlassen")
            ],
            left: [PageLink(label: "Schlaf 25", path: "/my/studies/y/consents", isCurrent: false)],
            hasLeft: true,
            offers: [
                Offer(
                    title: "Alltag", description: "Kurz", path: "/studies/alltag-26", isPrivate: true,
                    isSuggested: true, note: "Läuft bis 31.12.2026.")
            ],
            hasOffers: true, code: FieldView(name: "code", label: "Code"), errors: nil)
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    /// A code leads to the page of its study; of an invitation it is in the form there already.
    @Sendable static func open(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        do {
            let fields = InputReader(form: form)
            let code = fields.text("code", required: true, limit: 40) ?? ""
            try fields.finish()
            guard let found = try StudyAPI.find(code: code, c) else {
                throw Problem.invalid("code", "studies.wrong_code")
            }
            let query = found.isInvitation ? "?invitation=\(percentEncoded(code.filter(\.isNumber)))" : ""
            return .seeOther("/studies/\(PublicStudy.word(of: found.study))\(query)")
        } catch Problem.invalid(let errors) {
            return .page(try page(FormState(form, errors, c.texts), c), status: 422)
        }
    }

    private static func page(_ filled: FormState, _ c: Context<Member>) throws -> Index {
        let account = c.proof.account.id
        var code = filled.field("code", label: "own_studies.code")
        code.hint = c.texts["own_studies.code_hint"]
        code.inputMode = "numeric"
        return try c.read { connection in
            let mine = try StudyStore.all(ofParticipant: account, declined: true, connection)
            let items = try StudyItemStore.all(of: account, connection)
            let suggested = try OfferStore.unanswered(by: account, connection)
            // A suggestion stands first, also when its study has ended meanwhile.
            let first = suggested.flatMap { $0.isRunning(at: c.now) || $0.hasEnded(at: c.now) ? $0 : nil }
            let open = try StudyAPI.open(to: account, at: c.now, connection).filter { study in
                study.id != first?.id && !mine.contains { $0.id == study.id }
            }
            let offers = [first].compactMap(\.self) + open
            let left = try AgreedConsentStore.left(by: account, connection).compactMap {
                try StudyStore.find($0, connection)
            }
            return Index(
                own: try mine.compactMap { study in
                    try EnrolmentStore.find(in: study.id, of: account, connection).map {
                        try entry(study, $0, items.filter { $0.studyID == study.id }, c, connection)
                    }
                },
                left: left.map { study in
                    PageLink(
                        label: study.title.text(in: c.languages) ?? study.name,
                        path: "/my/studies/\(study.id)/consents", isCurrent: false)
                }, hasLeft: !left.isEmpty,
                offers: try offers.map {
                    try offer($0, isSuggested: $0.id == first?.id, c, connection)
                }, hasOffers: !offers.isEmpty, code: code, errors: filled.summary)
        }
    }

    private static func offer(
        _ study: StudyRecord, isSuggested: Bool, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> Index.Offer {
        let obstacle = try StudyObstacle.find(study, for: c.proof.account.id, at: c.now, connection)
        let end = study.endsAt.map { c.texts["own_studies.until", ["day": c.dates.day($0)]] }
        return Index.Offer(
            title: study.title.text(in: c.languages) ?? study.name,
            description: study.description.text(in: c.languages),
            path: "/studies/\(PublicStudy.word(of: study))", isPrivate: study.isPrivate,
            isSuggested: isSuggested, note: obstacle.map { c.texts[$0.message] } ?? end)
    }

    /// Where the person is asked about the study that the own therapist has suggested: while it is unanswered and takes people
    /// in; nil else.
    static func suggestion(_ c: Context<Member>) throws -> (path: String, title: String)? {
        let account = c.proof.account.id
        return try c.read { connection in
            guard let study = try OfferStore.unanswered(by: account, connection), study.isRunning(at: c.now),
                try StudyObstacle.find(study, for: account, at: c.now, connection) == nil
            else { return nil }
            return (
                path: "/studies/\(PublicStudy.word(of: study))",
                title: study.title.text(in: c.languages) ?? study.name
            )
        }
    }

    private static func entry(
        _ study: StudyRecord, _ enrolment: EnrolmentRecord, _ items: [StudyItem], _ c: Context<Member>,
        _ connection: borrowing Connection
    ) throws -> Index.Entry {
        let isIn = enrolment.state == .enrolled
        let isOpen = isIn || enrolment.state == .pending
        let isNewer = isOpen && enrolment.consentVersion < study.consentVersion
        let asks = !study.measurements.isEmpty && isOpen
        let given = study.measurements.filter(enrolment.measurements.contains).map {
            c.texts["health.\($0.rawValue)"]
        }.joined(separator: ", ")
        let isLocated = try isOpen && StudyLocationStore.isAsked(in: study.id, connection)
        let account = try c.ownAccount(connection)
        let since = enrolment.enrolledAt ?? enrolment.askedAt
        let day = c.dates(in: Zone(c.proof.account.timezone)).day(since)
        return Index.Entry(
            title: study.title.text(in: c.languages) ?? study.name,
            state: c.texts["own_studies.state_\(enrolment.state.rawValue)"],
            tone: isIn ? "good" : enrolment.state == .pending ? "accent" : "warn",
            codename: enrolment.codename,
            facts: c.texts[isIn ? "own_studies.since" : "own_studies.asked_on", ["day": day]],
            consent: isNewer ? "/my/studies/\(study.id)/consent" : nil,
            consents: "/my/studies/\(study.id)/consents",
            times: try !isIn || enrolment.isOnPaper
                ? []
                : items.filter { $0.isScheduleChangeable && $0.deactivatedAt == nil }.map { item in
                    let newest = try QuestionnaireStore.newest(
                        item.key, c.services.questionnaires, connection)
                    return PageLink(
                        label: newest?.title(c.languages) ?? item.key,
                        path: "/my/studies/\(study.id)/questionnaires/\(item.id)/times", isCurrent: false)
                },
            measures: asks ? "/my/studies/\(study.id)/measurements" : nil,
            given: asks ? (given.isEmpty ? c.texts["own_studies.gives_nothing"] : given) : nil,
            location: isLocated ? "/my/studies/\(study.id)/location" : nil,
            located: isLocated ? StudyLocation.state(enrolment, of: account, c.texts) : nil,
            leaving: "/my/studies/\(study.id)/leaving",
            leave: c.texts["own_studies.leave_\(enrolment.state.rawValue)"])
    }
}
