import Records
import Wire

/// Who looked at whose file, and who wanted to and may not: lines of the audit log that the route table writes, so that
/// no handler can forget them.
package struct AccessTrail: Sendable {
    let records: Records
    let limiter: Limiter
    let log: Log

    /// Looking at the same part of a file again within the hour is one visit.
    private static let seconds: Int64 = 3600

    /// - Parameter area: the part of the file, as the path names it.
    /// - Parameter standing: as what, where it is not their own file.
    func note(
        _ area: String, of subject: any SubjectID, by actor: ID<Account>, as standing: String? = nil,
        at now: Instant
    ) {
        let key = "visit \(actor) \(subject.text) \(area)"
        guard limiter.isFirst(key, seconds: Self.seconds, now: now) else { return }
        write(.fileViewed(as: standing), by: actor, about: subject, area, now)
    }

    /// Somebody signed in was turned away.
    func noteDenied(_ pattern: String, by actor: ID<Account>, at now: Instant) {
        guard limiter.isFirst("denied \(actor) \(pattern)", seconds: 60, now: now) else { return }
        write(.accessDenied, by: actor, about: nil, pattern, now)
    }

    /// A disk that is full must not keep anybody from reading.
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

    /// By somebody with whom the file is shared: the person whose it is learns as what.
    static func fileViewed(as standing: String?) -> AuditAction {
        switch standing {
        case nil: .fileViewed
        case "second_therapist": AuditAction(name: "file.viewed_as_second_therapist")
        case "supervisor": AuditAction(name: "file.viewed_as_supervisor")
        default: AuditAction(name: "file.viewed_as_cover")
        }
    }

    /// Whether a stored line is a look at a file, as whomever.
    package static func isVisit(_ name: String) -> Bool { name.hasPrefix(fileViewed.name) }
    static let accessDenied = AuditAction(name: "access.denied")
}
