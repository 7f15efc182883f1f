import HTTP
import Wire

/// Questionnaires from files and into files, with what another format cannot carry.
enum ExchangePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/questionnaires/import", .author, new)
        routes.page(.post, "/questionnaires/import", .author, create)
        routes.page(.get, "/questionnaires/:questionnaire/export", .author, export)
    }

    struct New: Page {
        static let template = "questionnaires/import"
        static let section: Section? = .questionnaires
        struct Fault: Encodable, Sendable {
            let place: String
            let text: String
        }
        let faults: [Fault]
        let hasFaults: Bool

        static let example = New(
            faults: [Fault(place: "sections[0].key", text: "Fehlt.")], hasFaults: true)
    }

    struct Done: Page {
        static let template = "questionnaires/imported"
        static let section: Section? = .questionnaires
        let path: String
        let title: String
        let isDraft: Bool
        let notes: [New.Fault]

        static let example = Done(
            path: "/questionnaires/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", title: "Schlaf", isDraft: true,
            notes: New.example.faults)
    }

    struct Export: Page {
        static let template = "questionnaires/export"
        static let section: Section? = .questionnaires
        let id: String
        let title: String
        let notes: [New.Fault]
        let hasNotes: Bool

        static let example = Export(
            id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", title: "Schlaf", notes: New.example.faults,
            hasNotes: true)
    }

    // MARK: Import

    @Sendable static func new(_ c: Context<Member>) throws -> Reply {
        .page(New(faults: [], hasFaults: false))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        do {
            let file = try read(form["file"] ?? "")
            let isDraft = form["action"] != "publish"
            let id = isDraft ? try draft(file, c) : try file.publish(c).id
            guard !file.notes.isEmpty else {
                let flash = isDraft ? "exchange.drafted" : "exchange.imported"
                return .seeOther("/questionnaires/\(id)", flash: Message(flash))
            }
            let language = file.definition.language(asked: c.language.rawValue)
            return .page(
                Done(
                    path: "/questionnaires/\(id)",
                    title: file.definition.title[language] ?? file.definition.key,
                    isDraft: isDraft, notes: file.notes.map { line($0.place, $0.message, c.texts) }))
        } catch let faults as QuestionnaireFile.Faults {
            let lines = faults.list.map { line($0.place, $0.message, c.texts) }
            return .page(New(faults: lines, hasFaults: true), status: 422)
        }
    }

    private static func read(_ text: String) throws(QuestionnaireFile.Faults) -> ImportedFile {
        if text.isEmpty {
            throw QuestionnaireFile.Faults(list: [.init(place: "file", message: Message("exchange.no_file"))])
        }
        return try ImportedFile.read(try QuestionnaireFile.json(Array(text.utf8)))
    }

    /// A file as the next draft of its key; the draft that is there already stays what it is.
    private static func draft(_ file: ImportedFile, _ c: Context<Member>) throws -> String {
        let key = file.definition.key
        let (newest, other) = try c.read { connection in
            (
                try QuestionnaireStore.versions(key, connection).first?.id,
                try EditorStore.find(changing: key, connection)
            )
        }
        if other != nil {
            throw QuestionnaireFile.Faults(list: [
                .init(place: "key", message: Message("exchange.draft_exists"))
            ])
        }
        let id = c.newID()
        try EditorPages.insert(DraftDocument(file.json), id: id, basedOn: newest, c)
        return id
    }

    private static func line(_ place: String, _ message: Message, _ texts: Texts) -> New.Fault {
        New.Fault(place: place, text: texts[message])
    }

    // MARK: Export

    @Sendable static func export(_ c: Context<Member>) throws -> Reply {
        if c.request.query["format"] != nil { return .response(try Exporting.file(c)) }
        let record = try QuestionnairePath.version(c)
        let notes = FHIRWriter.write(record.definition, version: record.version).notes
        return .page(
            Export(
                id: record.id, title: record.title(c.language),
                notes: notes.map { line($0.place, $0.message, c.texts) }, hasNotes: !notes.isEmpty))
    }
}

/// A version as a file, for the page and the call alike.
enum Exporting {
    /// - Throws: `Problem.invalid` for a format that there is not.
    static func file(_ c: Context<Member>) throws -> Response {
        let record = try QuestionnairePath.version(c)
        let fields = Fields(form: c.request.query)
        let format = fields.choice("format", from: ["intersession", "fhir"]) ?? "intersession"
        try fields.finish()
        let json: JSON
        if format == "fhir" {
            let versions = try c.read { try QuestionnaireStore.versions(record.key, $0) }
            let isRetired = versions.first { $0.id == record.id }?.retiredAt != nil
            json = FHIRWriter.write(record.definition, version: record.version, isRetired: isRetired).json
        } else {
            guard let file = try c.read({ try QuestionnaireStore.file(record.id, $0) }) else {
                throw Problem.notFound
            }
            json = file
        }
        let type = format == "fhir" ? "application/fhir+json; charset=utf-8" : MediaType.json
        var response = Response(status: 200, type: type, try JSONWriter.bytes(of: json))
        let name = "\(record.key)-\(record.version)\(format == "fhir" ? ".fhir" : "").json"
        response.headers.append("Content-Disposition", "attachment; filename=\"\(name)\"")
        return response
    }
}
