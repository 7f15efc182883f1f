import Appointments
import Contributions
import Database
import Delivery
import Identity
import Instruments
import Records
import Rules
import Studies
import Therapies
import Web
import Wire

/// Reads what is asked of an account, given to it and awaited by it, now and until a moment. Lists, pages, the plan of a
/// browser, reminders and forms go through it; the queue of messages is filled for all accounts at once, by the conditions of
/// `AgendaStore` (docs/decisions/0033).
package struct Agenda: Sendable {
    let account: ID<Account>
    let cache: QuestionnaireCache
    let now: Instant
    /// The running one; nil without any, and where `ready` was not asked for it.
    package private(set) var therapy: Therapy?

    package enum Part: CaseIterable, Sendable { case assignments, studies, interventions, appointments }

    package init(of account: ID<Account>, _ services: Services, at now: Instant) {
        self.account = account
        cache = services.questionnaires
        self.now = now
    }

    /// With the running therapy, and its dailies planned: what a device asks for must be there.
    package static func ready(_ c: Context<Member>) throws -> Agenda {
        var agenda = Agenda(of: c.proof.account.id, c.services, at: c.now)
        agenda.therapy = try c.read { try TherapyStore.running(of: agenda.account, $0) }
        if let therapy = agenda.therapy, therapy.asksByApp { try DailyPlanning.ensure(therapy.id, c) }
        return agenda
    }

    /// Questionnaires first, the most urgent before the others, and of one moment in the order they came: a battery stays in its
    /// own. Then interventions, the newest first, and appointments, the latest first.
    /// - Parameters:
    ///   - first: from when on prompts are told of; without it those too that have come.
    ///   - last: until when dailies and prompts are looked ahead; without it of each questionnaire of a study what comes
    ///     next, and of dailies what has begun.
    package func items(
        _ parts: [Part], since first: Instant? = nil, until last: Instant? = nil,
        _ connection: borrowing Connection
    ) throws -> [AgendaItem] {
        var items: [AgendaItem] = []
        if parts.contains(.assignments), let therapy, therapy.asksByApp {
            let pending = try AssignmentStore.open(
                in: therapy.id, at: now, withPlanned: last != nil, connection)
            items += try pending.compactMap { try item($0, of: therapy, connection) }
        }
        if parts.contains(.studies) {
            let asked = try studies.asked(since: first, until: last, connection)
            items += asked.map { AgendaItem($0, at: now) }
        }
        let order = items.enumerated().sorted {
            ($0.element.dueAt, $0.offset) < ($1.element.dueAt, $1.offset)
        }
        items = order.map(\.element)
        if parts.contains(.interventions), let therapy {
            let given = try InterventionStore.all(in: therapy.id, withWithdrawn: false, connection)
            items += given.map { AgendaItem($0) }
        }
        if parts.contains(.appointments), let therapy {
            let awaited = try AppointmentStore.all(inTherapy: therapy.id, connection)
            items += awaited.map { AgendaItem($0, at: now) }
        }
        return items
    }

    /// The questionnaire that an assignment or a prompt names, in whatever state; nil for what is not theirs.
    package func questionnaire(
        _ id: ID<Assignment>, _ connection: borrowing Connection
    ) throws -> AgendaItem? {
        try assignment(id, connection) ?? prompt(id, connection)
    }

    func assignment(_ id: ID<Assignment>, _ connection: borrowing Connection) throws -> AgendaItem? {
        try AssignmentStore.find(id, of: account, connection).flatMap { try item($0, connection) }
    }

    /// An assignment in whatever state.
    package func item(
        _ record: AssignmentRecord, _ connection: borrowing Connection
    ) throws -> AgendaItem? {
        guard let therapy = try TherapyStore.find(record.therapyID, connection) else { return nil }
        return try item(record, of: therapy, connection)
    }

    private func item(
        _ record: AssignmentRecord, of therapy: Therapy, _ connection: borrowing Connection
    ) throws -> AgendaItem? {
        try QuestionnaireStore.find(record.questionnaireID, cache, connection).map {
            AgendaItem(record, $0, of: therapy, at: now)
        }
    }

    // MARK: Studies

    private var studies: StudyAssignments { StudyAssignments(account: account, cache: cache, now: now) }

    /// One that is listed; nil for what is over, or waits for a baseline.
    func listedPrompt(_ id: ID<Assignment>, _ connection: borrowing Connection) throws -> AgendaItem? {
        try studies.asked(connection).first { $0.id == id }.map { AgendaItem($0, at: now) }
    }

    private func prompt(_ id: ID<Assignment>, _ connection: borrowing Connection) throws -> AgendaItem? {
        let open = try studies.asked(connection).first { $0.id == id }
        guard let asked = try open ?? studies.find(id, at: now, connection) else { return nil }
        let own = try OwnStudyItem.all(of: account, cache, at: now, connection)
        let item = own.first { $0.study.id == asked.study && $0.item.id == asked.item.id }
        if asked.isAnswered {
            let sheet = try item.flatMap { item in
                try StudyContributionStore.first(
                    answering: asked.promptedAt == nil || asked.item.isOnetime ? nil : asked.id,
                    of: item.enrolment.id, item: asked.item, questionnaire: asked.questionnaire.id, connection
                )
            }
            return AgendaItem(asked, at: now, state: .done(sheet?.id))
        }
        let window = AgendaItem.window(asked.opens, asked.closes, at: now)
        guard window == .open else { return AgendaItem(asked, at: now) }
        let isMissing = item == nil && open == nil
        return AgendaItem(
            asked, at: now, state: isMissing ? .inactive : item.map { AgendaItem.State($0.state) })
    }
}

extension AgendaItem.State {
    /// Of a questionnaire that is filled in at will.
    package init(_ state: OwnStudyItem.State) {
        self =
            switch state {
            case .open: .open
            case .answered: .done(nil)
            case .waits(let items): .waits(for: items)
            case .notRunning: .notRunning
            case .inactive: .inactive
            case .outside: .outside
            case .onPaper: .onPaper
            }
    }
}
