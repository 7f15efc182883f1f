import HTTP
import Instruments
import JSON
import Records
import Web
import Wire
import Wording

/// A named, ordered set of questionnaires that is assigned as one (IO-9).
package struct Battery: Sendable {
    package let id: ID<Battery>
    package let name: String
    package let keys: [String]
    /// Counts the changes.
    let revision: Int

    var wire: QuestionnaireBattery { QuestionnaireBattery(name: name, questionnaireKeys: keys) }
}

/// A battery as entered. Made only by reading.
package struct BatteryDraft: Sendable {
    static let limit = 20
    package let name: String
    package let keys: [String]

    /// From the portal: one list to choose from for each place.
    package static func read(form: Form, known: Set<String>) throws(Problem) -> BatteryDraft {
        let fields = InputReader(form: form)
        let name = fields.text("name", required: true, limit: 80)
        let keys = form.all("questionnaire_key").filter { !$0.isEmpty }
        return try check(name, keys, known, fields)
    }

    /// From the API: `name` and `questionnaire_keys`; fields that are not sent keep their values.
    package static func read(
        _ fields: InputReader, over battery: Battery? = nil, known: Set<String>
    ) throws(Problem) -> BatteryDraft {
        let isNamed = battery == nil || fields.has("name")
        let name = isNamed ? fields.text("name", required: true, limit: 80) : battery?.name
        let list = fields.value("questionnaire_keys")
        let isListed = battery == nil || fields.has("questionnaire_keys")
        let keys = isListed ? list?.array?.compactMap(\.string) ?? [] : battery?.keys ?? []
        if let list, list.array?.count != keys.count { fields.refuse("questionnaire_keys", "file.list") }
        return try check(name, keys, known, fields)
    }

    private static func check(
        _ name: String?, _ keys: [String], _ known: Set<String>, _ fields: InputReader
    ) throws(Problem) -> BatteryDraft {
        let field = "questionnaire_keys"
        if keys.isEmpty { fields.refuse(field, "batteries.empty") }
        if keys.count > limit { fields.refuse(field, "batteries.too_many", ["limit": String(limit)]) }
        if Set(keys).count < keys.count { fields.refuse(field, "batteries.twice") }
        for key in keys.prefix(limit) where !known.contains(key) {
            fields.refuse(field, "file.no_questionnaire", ["key": String(key.prefix(60))])
        }
        try fields.finish()
        guard let name else { throw .invalid(fields.errors) }
        return BatteryDraft(name: name, keys: keys)
    }

    private init(name: String, keys: [String]) { (self.name, self.keys) = (name, keys) }
}

/// Changing batteries, for pages and calls alike.
enum Batteries {
    /// The one in the path.
    static func found(_ c: Context<Member>) throws -> Battery {
        let id: ID<Battery> = try c.id("battery")
        guard let battery = try c.read({ try BatteryStore.find(id, $0) }) else { throw Problem.notFound }
        return battery
    }

    /// The keys of the questionnaires in use.
    static func known(_ c: Context<Member>) throws -> Set<String> {
        try c.read { connection in
            Set(try QuestionnaireStore.newest(c.services.questionnaires, connection).map(\.key))
        }
    }

    /// - Throws: `Problem.preconditionFailed` when it was changed since it was read.
    static func save(
        _ draft: BatteryDraft, id: ID<Battery>, over battery: Battery?, _ c: Context<Member>
    ) throws {
        try c.write(.batterySaved, object: id) { [now = c.now, request = c.request] connection in
            let current = try BatteryStore.find(id, connection)?.revision
            try Conditional.requireRevision(request, current: current, base: battery?.revision)
            try BatteryStore.save(draft, id: id, at: now, connection)
        }
    }

    /// - Throws: `Problem.conflict` while it is in use.
    static func remove(_ battery: Battery, _ c: Context<Member>) throws {
        try c.write(.batteryRemoved, object: battery.id) {
            [now = c.now, request = c.request, services = c.services] connection in
            let current = try BatteryStore.find(battery.id, connection)?.revision
            try Conditional.requireRevision(request, current: current, isRequired: false)
            if try services.isNeeded(battery: battery.id.text, connection) {
                throw Problem.conflict(Message("batteries.used"))
            }
            try BatteryStore.remove(battery.id, at: now, connection)
        }
    }

    /// Undoes a removal.
    /// - Throws: `Problem.conflict` for one that was not removed, `.notFound` for one deleted for good.
    static func bringBack(_ c: Context<Member>) throws {
        let id: ID<Battery> = try c.id("battery")
        try c.write(.batteryReturned, object: id) { connection in
            if try BatteryStore.bringBack(id, connection) { return }
            let isThere = try BatteryStore.find(id, connection) != nil
            throw isThere ? Problem.conflict(Message("undo.not_removed")) : .notFound
        }
    }
}

extension AuditAction {
    static let batterySaved = AuditAction(name: "battery.saved")
    static let batteryReturned = AuditAction(name: "battery.returned")
    static let batteryRemoved = AuditAction(name: "battery.removed")
}

extension Undo {
    static let battery = Undo(
        by: "/batteries/:battery/return", shown: "/batteries/:battery", BatteryStore.revision)
}
