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
        }
        package let rows: [Row]

        package static let example = Index(rows: [
            Row(id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", name: "Beginn", content: "ISF-K, RQ")
        ])
    }

    package struct Edit: Page {
        package static let template = "batteries/edit"
        package static let section: NavigationItem? = .questionnaires
        package let title: String
        package let action: String
        /// Where it is taken away; nil for a new one.
        package let removal: String?
        /// Nil for a new one.
        package let revision: String?
        /// Somebody else has changed it meanwhile.
        package let isStale: Bool
        package let name: FieldView
        package let places: [FieldView]
        /// What is in it as it is stored, where that differs from what was chosen.
        package let stored: String?
        package let error: String?
        package let errors: ErrorSummary?

        package static let example = Edit(
            title: "Beginn", action: "/batteries/new",
            removal: "/batteries/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11/removal",
            revision: "3", isStale: true, name: FieldView(name: "name", label: "Name"),
            places: [FieldView(name: "questionnaire_keys", label: "1.", isSelect: true)],
            stored: "ISF-K, RQ", error: nil,
            errors: nil)
    }

    @Sendable package static func index(_ c: Context<Member>) throws -> Reply {
        let rows = try c.read { connection in
            let titles = try inUse(c, connection)
            return try BatteryStore.all(connection).map { battery in
                let names = battery.keys.map { key in titles.first { $0.key == key }?.title ?? key }
                return Index.Row(id: battery.id, name: battery.name, content: names.joined(separator: ", "))
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
        let form = try c.form()
        do {
            let known = try Batteries.known(c).union(battery?.keys ?? [])
            try Batteries.save(try BatteryDraft.read(form: form, known: known), id: id, over: battery, c)
            return .seeOther("/batteries", flash: Message("batteries.saved"))
        } catch Problem.invalid(let errors) {
            return .page(try page(battery, FormState(form, errors, c.texts), c), status: 422)
        } catch Problem.preconditionFailed {
            let filled = FormState(form, FieldErrors(), c.texts, isStale: true)
            return .page(try page(try Batteries.found(c), filled, c), status: 412)
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
        let titles = try c.read { try inUse(c, $0) }
        let typed = filled.form.all("questionnaire_key")
        let chosen = (typed.isEmpty ? battery?.keys ?? [] : typed).filter { !$0.isEmpty }
        // Three empty places more than there are entries.
        let count = min(BatteryDraft.limit, chosen.count + 3)
        let error = filled.errors.list.first { $0.field == "questionnaire_keys" }
        let places = (0..<count).map { index -> FieldView in
            let value = chosen.indices.contains(index) ? chosen[index] : ""
            let id = index == 0 ? "questionnaire_keys" : "questionnaire_key_\(index + 1)"
            var view = FieldView(name: id, label: c.texts["batteries.place", ["n": String(index + 1)]])
            view.isSelect = true
            view.value = value
            view.choices =
                [.init(value: "", label: "–", isChosen: value.isEmpty)]
                + titles.map { .init(value: $0.key, label: $0.title, isChosen: $0.key == value) }
            return view
        }
        var name = filled.field("name", label: "batteries.name", first: battery?.name ?? "")
        name.isRequired = true
        filled.name("questionnaire_keys", c.texts["batteries.order"])
        let path = battery.map { "/batteries/\($0.id)" }
        let stored = battery?.keys.map { key in titles.first { $0.key == key }?.title ?? key }
        return Edit(
            title: battery?.name ?? c.texts["batteries.new"], action: path ?? "/batteries/new",
            removal: path.map { $0 + "/removal" },
            revision: battery.flatMap { filled.revision($0.revision) }, isStale: filled.isStale, name: name,
            places: places,
            stored: filled.isStale && battery?.keys != chosen ? stored?.joined(separator: ", ") : nil,
            error: error.map { c.texts[$0.message] }, errors: filled.summary)
    }
}
