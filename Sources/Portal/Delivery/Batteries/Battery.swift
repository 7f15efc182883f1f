import HTTP
import Wire

/// A named, ordered set of questionnaires that is assigned as one (IO-9).
struct Battery: Sendable {
    let id: String
    let name: String
    /// The keys in order.
    let keys: [String]
}

/// A battery as somebody enters it. Made only by reading.
struct BatteryDraft: Sendable {
    static let limit = 20
    let name: String
    let keys: [String]

    /// From the portal: one list to choose from for each place.
    static func read(form: Form, known: Set<String>) throws(Problem) -> BatteryDraft {
        let fields = Fields(form: form)
        let name = fields.text("name", required: true, limit: 80)
        let keys = form.all("questionnaire_key").filter { !$0.isEmpty }
        return try check(name, keys, known, fields)
    }

    /// From the API: `name` and `questionnaire_keys`.
    static func read(_ fields: Fields, known: Set<String>) throws(Problem) -> BatteryDraft {
        let name = fields.text("name", required: true, limit: 80)
        let list = fields.value("questionnaire_keys")
        let keys = list?.array?.compactMap(\.string) ?? []
        if let list, list.array?.count != keys.count { fields.refuse("questionnaire_keys", "file.list") }
        return try check(name, keys, known, fields)
    }

    private static func check(
        _ name: String?, _ keys: [String], _ known: Set<String>, _ fields: Fields
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

extension AuditAction {
    static let batterySaved = AuditAction(name: "battery.saved")
    static let batteryRemoved = AuditAction(name: "battery.removed")
}
