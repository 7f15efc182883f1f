import HTTP
import Records
import Web
import Wire
import Wording

/// Categories of sounds: named, ordered by buttons, archived.
package enum SoundCategoryPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, path, .lead, index)
        routes.page(.post, path, .lead, create)
        routes.page(.post, "\(path)/:category", .lead, rename)
        routes.page(.post, "\(path)/:category/move", .lead, move)
        routes.page(.post, "\(path)/:category/archive", .lead, archive)
    }

    private static let path = "/sounds/categories"

    package struct Index: Page {
        package static let template = "sounds/categories"
        package static let section: NavigationItem? = .sounds

        struct Row: Encodable, Sendable {
            let id: ID<SoundCategory>
            let title: String
            let sounds: String
            let isFirst: Bool
            let isLast: Bool
            let isArchived: Bool
            let fields: [FieldView]
        }
        let rows: [Row]
        let fields: [FieldView]
        let errors: ErrorSummary?
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    private static func page(_ filled: FormState, _ c: Context<Member>) throws -> Index {
        let all = try c.read { try SoundCategoryStore.all($0) }
        let empty = FormState(c.texts)
        let rows = all.enumerated().map { place, record in
            let fields = LocalizedFields(
                "title", label: "sound_library.title_in", first: record.title, empty, c.services
            ).fields.map { field in
                var field = field
                field.sends = field.name
                field.name += "_\(place)"
                return field
            }
            return Index.Row(
                id: record.id, title: record.title.text(in: c.languages) ?? "",
                sounds: c.texts.count("listening.sounds", record.sounds), isFirst: place == 0,
                isLast: place == all.count - 1, isArchived: record.archivedAt != nil, fields: fields)
        }
        let new = LocalizedFields("title", label: "sound_library.title_in", first: nil, filled, c.services)
            .fields
        return Index(rows: rows, fields: new, errors: filled.summary)
    }

    private static func title(_ form: Form, over existing: LocalizedText) throws -> LocalizedText {
        let fields = InputReader(form: form)
        let title = fields.localizedFields(
            "title", limit: SoundFields.titleLimit, lines: false, over: existing)
        if title.isEmpty { fields.refuse("title_de", "errors.required") }
        try fields.finish()
        return title
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        try c.submit(orShow: { try page($0, c) }) { fields in
            _ = try SoundCategoryActions.add(title(fields.form, over: LocalizedText()), position: nil, c)
            return .seeOther(path, flash: Message("sound_library.category_added"))
        }
    }

    @Sendable static func rename(_ c: Context<Member>) throws -> Reply {
        var record = try SoundCategoryActions.find(c)
        record.title = try title(try c.form(), over: record.title)
        try SoundCategoryActions.save(record, c)
        return .seeOther(path, flash: Message("sound_library.saved"))
    }

    @Sendable static func move(_ c: Context<Member>) throws -> Reply {
        let direction = InputReader(form: try c.form()).choice("direction", from: ["up", "down"])
        try SoundCategoryActions.move(try c.id("category"), isUp: direction != "down", c)
        return .seeOther(path)
    }

    @Sendable static func archive(_ c: Context<Member>) throws -> Reply {
        var record = try SoundCategoryActions.find(c)
        let isOn = InputReader(form: try c.form()).bool("archived") ?? false
        record.archivedAt = isOn ? record.archivedAt ?? c.now : nil
        try SoundCategoryActions.save(record, c)
        return .seeOther(path, flash: Message("sound_library.saved"))
    }
}
