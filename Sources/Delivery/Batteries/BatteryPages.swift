import Database
import HTTP
import Instruments
import Records
import Web
import Wording

/// The clinic's batteries: named, ordered sets of questionnaires.
package enum BatteryPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/batteries", .author, index)
        routes.page(.get, "/batteries/new", .author, new)
        routes.page(.post, "/batteries/new", .author, create)
        routes.page(.get, "/batteries/:battery", .author, edit)
        routes.page(.post, "/batteries/:battery", .author, update)
        routes.page(.post, "/batteries/:battery/removal", .author, undo: .battery, destroy)
    }

    package struct Index: Page {
        package static let template = "batteries/index"
        package static let section: NavigationItem? = .questionnaires
        package struct Row: Encodable, Sendable {
            package let id: ID<Battery>
            package let name: String
            package let content: String
            /// That archived parts are left out; nil where there are none.
            package let warning: String?
        }
        package let rows: [Row]
    }

    package struct Edit: Page {
        package static let template = "batteries/edit"
        package static let section: NavigationItem? = .questionnaires
        package let title: String
        package let action: String
        /// The address of its removal; nil for a new one.
        package let removal: String?
        /// Nil for a new one.
        package let revision: String?
        /// It was changed meanwhile.
        package let isStale: Bool
        package let name: FieldView
        package let places: [FieldView]
        /// That archived parts are left out; nil where there are none.
        package let warning: String?
        /// The stored content, where it differs from the input.
        package let stored: String?
        package let error: String?
        package let errors: ErrorSummary?
    }

    @Sendable package static func index(_ c: Context<Member>) throws -> Reply {
        let rows = try c.read { connection in
            let parts = try BatteryParts(c, connection)
            return try BatteryStore.all(connection).map { battery in
                Index.Row(
                    id: battery.id, name: battery.name,
                    content: battery.keys.map(parts.title).joined(separator: ", "),
                    warning: parts.warning(battery))
            }
        }
        return .page(Index(rows: rows))
    }

    @Sendable package static func new(_ c: Context<Member>) throws -> Reply {
        .page(try page(nil, FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply { try save(nil, id: c.newID(), c) }

    @Sendable static func edit(_ c: Context<Member>) throws -> Reply {
        .page(try page(try Batteries.found(c), FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let battery = try Batteries.found(c)
        return try save(battery, id: battery.id, c)
    }

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        let battery = try Batteries.found(c)
        do {
            try Batteries.remove(battery, c)
        } catch Problem.preconditionFailed {
            return .seeOther("/batteries/\(battery.id)", flash: Message("batteries.changed_meanwhile"))
        }
        return .seeOther("/batteries", flash: Message("batteries.removed"))
    }

    private static func save(_ battery: Battery?, id: ID<Battery>, _ c: Context<Member>) throws -> Reply {
        try c.submit(orShow: { try page(battery, $0, c) }, stale: { try page(try Batteries.found(c), $0, c) })
        { fields in
            let known = try Batteries.known(c).union(battery?.keys ?? [])
            try Batteries.save(
                try BatteryDraft.read(form: fields.form, known: known), id: id, over: battery, c)
            return .seeOther("/batteries", flash: Message("batteries.saved"))
        }
    }

    private static func inUse<P>(
        _ c: Context<P>, _ connection: borrowing Connection
    ) throws -> [(key: String, title: String)] {
        try QuestionnaireStore.newest(c.services.questionnaires, connection).map { record in
            (key: record.key, title: record.title(c.language))
        }
    }

    private static func page(_ battery: Battery?, _ filled: FormState, _ c: Context<Member>) throws -> Edit {
        let (titles, parts) = try c.read { (try inUse(c, $0), try BatteryParts(c, $0)) }
        let typed = filled.form.all("questionnaire_key")
        let chosen = (typed.isEmpty ? battery?.keys ?? [] : typed).filter { !$0.isEmpty }
        // Three empty places more than there are entries.
        let count = min(BatteryDraft.limit, chosen.count + 3)
        let error = filled.errors.list.first { $0.field == "questionnaire_keys" }
        let places = (0..<count).map { index -> FieldView in
            let value = chosen.indices.contains(index) ? chosen[index] : ""
            let id = index == 0 ? "questionnaire_keys" : "questionnaire_key_\(index + 1)"
            // An archived part stays until another one is chosen in its place.
            let isArchived = !value.isEmpty && !titles.contains { $0.key == value }
            let choices =
                [("", "–")] + (isArchived ? [(value, parts.title(value))] : [])
                + titles.map { ($0.key, $0.title) }
            return FieldView(
                name: id, label: c.texts["batteries.place", ["n": String(index + 1)]], value: value,
                choices: choices.map { .init(value: $0, label: $1, isChosen: $0 == value) }, isSelect: true)
        }
        let name = filled.field("name", label: "batteries.name", first: battery?.name ?? "", required: true)
        filled.name("questionnaire_keys", c.texts["batteries.order"])
        let path = battery.map { "/batteries/\($0.id)" }
        let stored = battery?.keys.map(parts.title)
        return Edit(
            title: battery?.name ?? c.texts["batteries.new"], action: path ?? "/batteries/new",
            removal: path.map { $0 + "/removal" },
            revision: battery.flatMap { filled.revision($0.revision) }, isStale: filled.isStale, name: name,
            places: places, warning: battery.flatMap(parts.warning),
            stored: filled.isStale && battery?.keys != chosen ? stored?.joined(separator: ", ") : nil,
            error: error.map { c.texts[$0.message] }, errors: filled.summary)
    }
}
