import Records
import Wire

/// Visits of files, and refused ones, in the audit log: written by the route table, so that none is forgotten.
package struct AccessTrail: Sendable {
    let records: Records
    /// Asked first, without the database.
    let here: Limiter
    let everywhere: Limiter
    let log: Log

    /// Opening the same part of a file again within the hour is one visit.
    private static let seconds: Int64 = 3600

    /// - Parameter area: the part of the file, as the path names it.
    /// - Parameter standing: the account's standing, where the file is not its own.
    func note(
        _ area: String, of subject: any SubjectID, by actor: ID<Account>, as standing: String? = nil,
        at now: Instant
    ) {
        let key = "visit \(actor) \(subject.text) \(area)"
        guard isFirst(key, seconds: Self.seconds, now: now) else { return }
        write(.fileViewed(as: standing), by: actor, about: subject, area, now)
    }

    /// A signed-in account was refused.
    func noteDenied(_ pattern: String, by actor: ID<Account>, at now: Instant) {
        guard isFirst("denied \(actor) \(pattern)", seconds: 60, now: now) else { return }
        write(.accessDenied, by: actor, about: nil, pattern, now)
    }

    private func isFirst(_ key: String, seconds: Int64, now: Instant) -> Bool {
        guard here.isFirst(key, seconds: seconds, now: now) else { return false }
        return !records.isShared || everywhere.isFirst(key, seconds: seconds, now: now)
    }

    /// A full disk must not prevent reading.
    private func write(
        _ action: AuditAction, by actor: ID<Account>, about subject: (any SubjectID)?, _ object: String,
        _ now: Instant
    ) {
        do {
            try records.write(action, by: actor, about: subject, object: object, at: now) { _ in }
        } catch {
            log.line("error", "visit not noted", [("action", action.name)], at: now)
        }
    }
}

extension AuditAction {
    package static let fileViewed = AuditAction(name: "file.viewed")

    /// A visit by an account that the file is shared with: the patient is told the standing.
    static func fileViewed(as standing: String?) -> AuditAction {
        switch standing {
        case nil: .fileViewed
        case "second_therapist": AuditAction(name: "file.viewed_as_second_therapist")
        case "supervisor": AuditAction(name: "file.viewed_as_supervisor")
        default: AuditAction(name: "file.viewed_as_cover")
        }
    }

    /// Whether a stored line is a visit of a file, in any standing.
    package static func isVisit(_ name: String) -> Bool { name.hasPrefix(fileViewed.name) }
    static let accessDenied = AuditAction(name: "access.denied")
}
