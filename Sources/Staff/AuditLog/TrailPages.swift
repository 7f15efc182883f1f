import Database
import HTTP
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// Actions on one patient's file, for their therapist: with old and new values, which only they can open.
package enum TrailPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/audit-log", .caseloadOwner, index)
    }

    package struct Index: Page {
        package static let template = "patients/trail"
        package static let section: NavigationItem? = .patients
        let id: ID<Therapy>
        let codename: String
        let rows: [Row]
        let older: String?

        package struct Row: Encodable, Sendable {
            let when: String
            let machineTime: String
            package let title: String
            /// The opened parts of the file; nil for other lines.
            package let areas: String?
            package let changes: [String]
            let reason: String?
        }
    }

    static let pageSize = 50

    @Sendable static func index(_ c: Context<Caseload>) throws -> Reply {
        let therapy = c.proof.patient
        let key = try therapy.key(c.keys)
        let before = c.request.query["before"].flatMap { Int($0) }
        return .page(
            try c.read { connection in
                let words = try AuditFormatter(c.keys, c.texts, connection)
                let filter = AuditLogStore.Filter(subjects: [therapy.id], before: before)
                let (visits, older) = try AuditLogStore.visits(filter, limit: pageSize, connection)
                return Index(
                    id: therapy.id, codename: therapy.codename,
                    rows: try visits.map { try row($0, words, key, c) },
                    older: older.map { "\(therapy.path)/audit-log?before=\($0)" })
            })
    }

    private static func row(
        _ visit: AuditVisit, _ words: AuditFormatter, _ key: PersonKey, _ c: Context<Caseload>
    ) throws -> Index.Row {
        let line = visit.newest
        let values = try line.change.map { try AuditChange.open($0, about: key, at: line.at) }
        // A former therapist's private words stay closed to the present one.
        let isOwn = line.actor == c.proof.therapist.id && !c.proof.therapist.hidesNames
        let names = Set((values?.before ?? [:]).keys).union((values?.after ?? [:]).keys).sorted().filter {
            isOwn || !["note", "alias"].contains($0)
        }
        let changes = names.map { name in
            let old = values?.before[name]
            let new = values?.after[name]
            let both = [old, new].map { $0.map { self.value($0, of: name, c) } ?? "–" }
            return c.texts["audit.field_\(name)"] + ": " + both.joined(separator: " → ")
        }
        return Index.Row(
            when: c.dates.dayAndTime(line.at), machineTime: c.dates.machineTime(line.at),
            title: words.who(line) + ": " + words.what(line), areas: words.areas(visit), changes: changes,
            reason: values?.reason)
    }

    /// Times, days and states in readable form.
    private static func value(_ text: String, of name: String, _ c: Context<Caseload>) -> String {
        if let instant = Instant(text) { return c.dates.dayAndTime(instant) }
        if let day = LocalDate(text) { return c.dates.day(day) }
        switch name {
        case "state": return c.texts["sessions.state_\(text)"]
        case "occasion": return c.texts["delivery.occasion_\(text)"]
        case "kind": return c.texts["interventions.kind_\(text)"]
        default: return text
        }
    }
}
