import Database
import Records
import Web
import Wire

/// What happens to groups by the clock, once an hour: places that have become free otherwise than by a change of the study, such as a
/// therapy that has left its group, and waiting lists whose day has come.
package enum GroupClock {
    package static func run(_ services: Services) throws {
        try allocate(services)
        let now = services.clock.now
        for one in try services.records.read({ try CrossOver.due(at: now, $0) }) {
            try services.records.write(.armCrossed, by: nil, about: one.account, object: one.study, at: now) {
                connection in
                if try CrossOver.cross(one, at: now, connection) {
                    try services.participates(one.account, at: now, connection)
                }
            }
        }
    }

    /// Gives free places to those who wait, in their order, each with a line in the audit log.
    /// - Parameter study: nil for all.
    package static func allocate(in study: ID<Study>? = nil, _ services: Services) throws {
        let now = services.clock.now
        for enrolment in try services.records.read({ try Waiting.ready(in: study, at: now, $0) }) {
            let account = enrolment.accountID
            try services.records.write(
                .enrolmentAllocated, by: nil, about: account, object: enrolment.studyID, at: now
            ) { connection in
                if try Waiting.follow(enrolment.id, at: now, connection) {
                    try services.participates(account, at: now, connection)
                }
            }
            services.spread(.studiesChanged(account))
        }
    }
}

extension AuditAction {
    static let enrolmentAllocated = AuditAction(name: "enrolment.allocated")
    static let armCrossed = AuditAction(name: "enrolment.crossed")
}
