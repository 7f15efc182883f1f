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
            /// Whether it is being renamed, which has to be looked at again.
            let isOpen: Bool
            let fields: [FieldView]
        }
        let rows: [Row]
        let fields: [FieldView]
        let errors: ErrorSummary?
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    /// - Parameter renamed: the category whose form was filled; nil for a new one.
    private static func page(
        _ filled: FormState, renaming renamed: ID<SoundCategory>? = nil, _ c: Context<Member>
    ) throws -> Index {
        let all = try c.read { try SoundCategoryStore.all($0) }
        let empty = FormState(c.texts)
        let rows = all.enumerated().map { place, record in
            let isFilled = record.id == renamed
            let fields = LocalizedFields(
                "title", label: "sound_library.title_in", first: record.title, isFilled ? filled : empty,
                c.services
            ).fields.map { field in
                var field = field
                field.sends = field.name
                field.name += "_\(place)"
                if isFilled, let name = field.sends { filled.name(name, field.label, at: field.name) }
                return field
            }
            return Index.Row(
                id: record.id, title: record.title.text(in: c.languages) ?? "",
                sounds: c.texts.count("listening.sounds", record.sounds), isFirst: place == 0,
                isLast: place == all.count - 1, isArchived: record.archivedAt != nil,
                isOpen: isFilled && !filled.form.fields.isEmpty, fields: fields)
        }
        let new = LocalizedFields(
            "title", label: "sound_library.title_in", first: nil, renamed == nil ? filled : empty, c.services
        ).fields
        return Index(rows: rows, fields: new, errors: filled.summary)
    }

    private static func title(_ fields: InputReader, over existing: LocalizedText) throws -> LocalizedText {
        let title = fields.localizedFields(
            "title", limit: SoundFields.titleLimit, lines: false, over: existing)
        if title.isEmpty { fields.refuse("title_de", "errors.required") }
        try fields.finish()
        return title
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        try c.submit(orShow: { try page($0, c) }) { fields in
            _ = try SoundCategoryActions.add(title(fields, over: LocalizedText()), position: nil, c)
            return .seeOther(path, flash: Message("sound_library.category_added"))
        }
    }

    @Sendable static func rename(_ c: Context<Member>) throws -> Reply {
        let record = try SoundCategoryActions.find(c)
        return try c.revise(orShow: { try page($0, renaming: record.id, c) }) { fields in
            var changed = record
            changed.title = try title(fields, over: record.title)
            try SoundCategoryActions.save(changed, c)
            return .seeOther(path, flash: Message("sound_library.saved"))
        }
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
