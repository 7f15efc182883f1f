import Accounts
import Database
import HTTP
import Identity
import Instruments
import Records
import Scheduling
import Studies
import Templates
import Web
import Wire
import Wording

/// The studies of a participant, with their codename there, and those they can join (TYS-2).
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
            let title: WrittenText
            let state: String
            let tone: String
            let codename: String
            let facts: String?
            /// The address of a newer consent text; nil while the newest is agreed to.
            let consent: String?
            /// The address of all own consents.
            let consents: String
            /// Said to a participant who is not allocated yet; nil for all others.
            let waits: String?
            /// What is noted when it happens; nil without any.
            let events: OwnEventRows?
            /// The addresses for choosing own times, by questionnaire.
            let times: [PageLink]
            /// The address for choosing the measurements given to the study; nil where it asks for none.
            let measures: String?
            /// The measurements it gets now.
            let given: String?
            /// The address for choosing whether it gets the position, and the present state; nil where it does not ask.
            let location: String?
            let located: String?
            let leaving: String
            let leave: String
        }
        package struct Offer: Encodable, Sendable {
            let title: WrittenText
            let description: String?
            let path: String
            let isPrivate: Bool
            /// Suggested by the own therapist, and not answered yet.
            let isSuggested: Bool
            /// Why it takes no participants, else until when it runs.
            let note: String?
        }
        let own: [Entry]
        /// Studies that were left; the consents in them stay readable.
        let left: [PageLink]
        let hasLeft: Bool
        let offers: [Offer]
        let hasOffers: Bool
        let code: FieldView
        var errors: ErrorSummary?
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    /// A code leads to the page of its study; that of an invitation is filled in there already.
    @Sendable static func open(_ c: Context<Member>) throws -> Reply {
        try c.submit(orShow: { try page($0, c) }) { fields in
            let code = fields.text("code", required: true, limit: 40) ?? ""
            try fields.finish()
            guard let found = try OpenStudies.find(code: code, c) else {
                throw Problem.invalid("code", "studies.wrong_code")
            }
            let query = found.isInvitation ? "?invitation=\(percentEncoded(TypedCode.digits(code)))" : ""
            return .seeOther("/studies/\(PublicStudy.word(of: found.study))\(query)")
        }
    }

    private static func page(_ filled: FormState, _ c: Context<Member>) throws -> Index {
        let account = c.proof.account.id
        let code = filled.field(
            "code", .digits, label: "own_studies.code", hint: "own_studies.code_hint", autocomplete: "off")
        return try c.read { connection in
            let mine = try StudyStore.all(ofParticipant: account, connection)
            let items = try StudyItemStore.all(of: account, connection)
            let suggested = try OfferStore.unanswered(by: account, connection)
            // A suggestion comes first, also when its study has ended meanwhile.
            let first = suggested.flatMap { $0.isRunning(at: c.now) || $0.hasEnded(at: c.now) ? $0 : nil }
            let open = try OpenStudies.open(to: account, at: c.now, connection).filter { study in
                study.id != first?.id && !mine.contains { $0.id == study.id }
            }
            let offers = [first].compactMap(\.self) + open
            let left = try AgreedConsentStore.left(by: account, connection).compactMap {
                try StudyStore.find($0, connection)
            }
            let events = try OwnEventRows.Known(c, connection)
            return Index(
                own: try mine.compactMap { study in
                    try EnrolmentStore.find(in: study.id, of: account, connection).map {
                        try entry(study, $0, items.filter { $0.studyID == study.id }, events, c, connection)
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
        let end = study.endsAt.map { c.texts["own_studies.until", ["day": c.dates.lastDay(until: $0)]] }
        return Index.Offer(
            title: study.title.written(in: c.languages, on: c.language) ?? WrittenText(study.name),
            description: study.description.text(in: c.languages),
            path: "/studies/\(PublicStudy.word(of: study))", isPrivate: study.isPrivate,
            isSuggested: isSuggested, note: obstacle.map { c.texts[$0.message] } ?? end)
    }

    /// The study suggested by the own therapist, while unanswered and taking participants; otherwise nil.
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
        _ study: StudyRecord, _ enrolment: EnrolmentRecord, _ items: [StudyItem],
        _ events: OwnEventRows.Known, _ c: Context<Member>, _ connection: borrowing Connection
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
            title: study.title.written(in: c.languages, on: c.language) ?? WrittenText(study.name),
            state: c.texts["own_studies.state_\(enrolment.state.rawValue)"],
            tone: isIn ? "good" : enrolment.state == .pending ? "accent" : "warn",
            codename: enrolment.codename,
            facts: c.texts[isIn ? "own_studies.since" : "own_studies.asked_on", ["day": day]],
            consent: isNewer ? "/my/studies/\(study.id)/consent" : nil,
            consents: "/my/studies/\(study.id)/consents",
            waits: try waits(enrolment, in: study, c, connection),
            events: isIn ? OwnEventRows.rows(events, in: study.id, on: .studies, c) : nil,
            times: try !isIn || enrolment.isOnPaper
                ? []
                : items.filter { $0.isScheduleChangeable && $0.deactivatedAt == nil && $0.asks(enrolment) }
                    .map { item in
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

    /// What a participant who is not allocated yet waits for, in words; nil for all others.
    private static func waits(
        _ enrolment: EnrolmentRecord, in study: StudyRecord, _ c: Context<Member>,
        _ connection: borrowing Connection
    ) throws -> String? {
        guard enrolment.waits else { return nil }
        let all = try Waiting.causes(in: study, at: c.now, connection)
        switch all.first(where: { $0.enrolment.id == enrolment.id })?.cause {
        case .baseline: return c.texts["own_studies.waits_baseline"]
        case .place: return c.texts["own_studies.waits_place"]
        case .otherGroup: return c.texts["studies.in_other_group"]
        case .closed: return c.texts["own_studies.waits_closed"]
        // Nothing is drawn of those who have taken their consent to research back.
        case nil: return c.texts["own_studies.waits_consent"]
        }
    }
}
