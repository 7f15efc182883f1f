import Database
import Identity
import Instruments
import Records
import Studies
import Web
import Wire
import Wording

/// A lead's studies: how they stand, who takes part, how they are answered, and what comes next.
extension StudyPages {
    package struct Index: Page {
        package static let template = "studies/index"
        package static let section: NavigationItem? = .studies
        struct Row: Encodable, Sendable {
            let path: String
            let title: String
            let name: String
            let state: StateView
            let people: String
            let answered: String
            /// Nil where there is nothing to do.
            let next: PageLink?
            let isPrivate: Bool
            let isMasked: Bool
        }
        let rows: [Row]
        let hasRows: Bool
        /// The uses of retired questionnaires, for leads without a Today page.
        let resting: [RestingUse]
        let hasResting: Bool
    }

    @Sendable package static func index(_ c: Context<Member>) throws -> Reply {
        let lead = c.proof.account.id
        let rows = try c.read { connection in
            try StudyStore.all(ofLead: lead, connection).map { try row($0, c, connection) }
        }
        let hasToday = c.proof.account.roles.contains(.therapist)
        let resting = hasToday ? [] : try c.read { try RestingUse.all(c, $0) }
        return .page(
            Index(rows: rows, hasRows: !rows.isEmpty, resting: resting, hasResting: !resting.isEmpty))
    }

    private static func row(
        _ study: StudyRecord, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> Index.Row {
        let texts = c.texts
        let counts = try StudyStore.counts(study.id, connection)
        let stored = try GroupStore.find(study.id, connection)
        let held = try c.services.heldSheets(in: study.id, connection)
        let waiting = StudyStep.waiting(study, counts, held: held, texts)
        // Each next step is on a page that is not open to masked leads.
        let isMasked = try StudyStore.isMasked(lead: c.proof.account.id, in: study.id, connection)
        let response = try study.archivedAt == nil ? response(study, at: c.now, connection) : nil
        let taken = counts["enrolled"] ?? 0
        return Index.Row(
            path: study.path, title: study.title.text(in: c.languages) ?? study.name, name: study.name,
            state: StateView(study, at: c.now, texts),
            people: stored.map { texts.count("studies.taken_of", $0.allocated, of: $0.groups.sampleSize) }
                ?? String(taken), answered: isMasked ? "–" : response?.words(texts) ?? "–",
            next: isMasked
                ? nil
                : StudyStep.next(
                    study, waiting: waiting, isEmpty: counts.isEmpty, stored, at: c.now, texts),
            isPrivate: study.isPrivate, isMasked: isMasked)
    }

    private static func response(
        _ study: StudyRecord, at now: Instant, _ connection: borrowing Connection
    ) throws -> StudyResponse {
        let people = try EnrolmentStore.consenting(in: study.id, connection)
        return try StudyResponse(study, of: people, at: now, connection)
    }
}

extension StateView {
    /// How a study stands.
    init(_ study: StudyRecord, at now: Instant, _ texts: Texts) {
        let key = StudyHead.stateKey(study, at: now)
        self.init(word: texts[key], tone: key == "studies.state_running" ? .good : .plain)
    }
}
