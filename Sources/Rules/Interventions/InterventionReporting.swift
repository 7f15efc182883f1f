import Records
import Therapies
import Web
import Wire
import Wording

/// What a patient tells of an intervention (IO-13), for the pages and the call alike: when it was opened and completed, and
/// nothing else.
package enum InterventionReporting {
    /// What somebody does on a page, now.
    package enum Step: Sendable { case opening, completion }

    /// What a device says. A time that is set already is said again in vain.
    /// - Throws: `Problem.notFound`, `.gone` once withdrawn, and what `check` says.
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

    /// What a page says: the time is the server's, and the step taken elsewhere meanwhile stays as it was. Nothing can be
    /// completed unread.
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
