import Records
import Therapies
import Web
import Wire
import Wording

/// A patient's reports on an intervention (IO-13), for pages and call: opened when, completed when, nothing else.
package enum InterventionReporting {
    /// An action on a page, now.
    package enum Step: Sendable { case opening, completion }

    /// A device's report. A time that is set already is accepted and ignored.
    /// - Throws: `Problem.notFound`, `.gone` once withdrawn, and the errors of `check`.
    package static func take(
        _ report: InterventionReport, of id: ID<Intervention>, _ c: Context<PairedPatient>
    ) throws -> InterventionRecord {
        let record = try find(id, c)
        if record.withdrawnAt == nil, report.addsNothing(to: record) {
            try report.check(against: record)
            return record
        }
        return try write(id, c) { present in
            try report.check(against: present)
            return report
        }
    }

    /// A page's report at the server's time; a step taken elsewhere keeps its own. Unread ones cannot be completed.
    /// - Throws: `Problem.notFound`, `.gone` once withdrawn.
    package static func take(
        _ step: Step, of id: ID<Intervention>, _ c: Context<PairedPatient>
    ) throws {
        let record = try find(id, c)
        if record.withdrawnAt == nil, InterventionReport(step, of: record, now: c.now) == nil { return }
        _ = try write(id, c) { present in InterventionReport(step, of: present, now: c.now) }
    }

    private static func find(
        _ id: ID<Intervention>, _ c: Context<PairedPatient>
    ) throws -> InterventionRecord {
        let therapy = c.proof.therapy.id
        guard let record = try c.read({ try InterventionStore.find(id, in: therapy, $0) }) else {
            throw Problem.notFound
        }
        return record
    }

    private static func write(
        _ id: ID<Intervention>, _ c: Context<PairedPatient>,
        _ report: @escaping @Sendable (InterventionRecord) throws -> InterventionReport?
    ) throws -> InterventionRecord {
        let therapy = c.proof.therapy.id
        return try c.write(.interventionReported, about: therapy, object: id) { connection in
            guard let present = try InterventionStore.find(id, in: therapy, connection) else {
                throw Problem.notFound
            }
            if present.withdrawnAt != nil { throw Problem.gone(Message("interventions.withdrawn")) }
            guard let report = try report(present) else { return present }
            try InterventionStore.note(report, id, in: therapy, connection)
            return try InterventionStore.find(id, in: therapy, connection) ?? present
        }
    }
}
