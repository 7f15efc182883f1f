import Database
import Records
import Therapies
import Wire
import Wording

/// The baselines that allocation waits for (ST-5). They stay as long as there is a participant who waits: taking one away would be
/// choosing the moment of a draw.
struct AwaitedBaselines {
    private let items: Set<ID<StudyItem>>

    /// Nil where allocation does not wait, or is over.
    init?(in study: ID<Study>, _ connection: borrowing Connection) throws {
        guard let stored = try GroupStore.find(study, connection), stored.groups.moment == .baseline,
            stored.closedAt == nil
        else { return nil }
        // What cannot be answered any more, because it was retired, may go.
        let retired = try StudyItemStore.retired(in: study, connection)
        items = Set(
            try StudyItemStore.all(in: study, connection).filter {
                $0.isAwaitedByAll && retired[$0.key] == nil
            }
            .map(\.id))
    }

    /// - Throws: `Problem.conflict` where one is gone that is waited for, or needed.
    func requireStaying(in study: ID<Study>, _ connection: borrowing Connection) throws {
        let present = try StudyItemStore.all(in: study, connection).filter(\.isAwaitedByAll)
        if items.isSubset(of: present.map(\.id)) { return }
        if try !WaitingStore.all(in: study, connection).isEmpty {
            throw Problem.conflict(Message("studies.baseline_awaited"))
        }
        let keys = try GroupStore.find(study, connection)?.groups.strata.scores.map(\.key) ?? []
        if present.isEmpty || keys.contains(where: { key in !present.contains { $0.key == key } }) {
            throw Problem.conflict(Message("studies.baseline_allocates"))
        }
    }
}

extension TrialDesign {
    /// - Throws: `Problem.invalid` where allocation waits for a baseline that is not there, for scores without waiting, and for arms that
    ///   leads would allocate to: they enter what is on paper, and would choose the moment of the draw.
    package func requireBaseline(in study: ID<Study>, _ connection: borrowing Connection) throws {
        guard moment == .baseline else {
            if !strata.scores.isEmpty { throw Problem.invalid("strata", "studies.stratum_needs_waiting") }
            return
        }
        let awaited = try StudyItemStore.all(in: study, connection).filter(\.isAwaitedByAll)
        if awaited.isEmpty { throw Problem.invalid("allocated_at", "studies.baseline_needed") }
        if arms.contains(where: { $0.treatment == .noApp }) {
            throw Problem.invalid("allocated_at", "studies.baseline_no_paper")
        }
        if strata.scores.contains(where: { bands in !awaited.contains { $0.key == bands.key } }) {
            throw Problem.invalid("strata", "studies.stratum_no_baseline")
        }
    }
}
