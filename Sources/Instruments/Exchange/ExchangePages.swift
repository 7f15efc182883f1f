import HTTP
import JSON
import Questionnaires
import Records
import Web
import Wire
import Wording

/// Importing and exporting questionnaires, with notes on what another format cannot carry.
package enum ExchangePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/questionnaires/import", .author, new)
        routes.page(.post, "/questionnaires/import", .author, create)
        routes.page(.get, "/questionnaires/:questionnaire/export", .author, export)
    }

    package struct New: Page {
        package static let template = "questionnaires/import"
        package static let section: NavigationItem? = .questionnaires
        package struct Fault: Encodable, Sendable {
            package let place: String
            package let text: String
        }
        package let faults: [Fault]
        let hasFaults: Bool
        package let licence: FieldView
        /// Instead of the form where something has to be decided first.
        package var asking: ImportAsking?
    }

    package struct Export: Page {
        package static let template = "questionnaires/export"
        package static let section: NavigationItem? = .questionnaires
        package let id: ID<QuestionnaireVersion>
        package let title: String
        package let notes: [New.Fault]
        let hasNotes: Bool
    }

    // MARK: Import

    @Sendable package static func new(_ c: Context<Member>) throws -> Reply {
        .page(page([], FormState(c.texts)))
    }

    private static func page(_ faults: [New.Fault], _ filled: FormState) -> New {
        let licence = filled.list(
            "licence", label: "instruments.licence", first: "unstated", hint: "exchange.licence_hint",
            InstrumentCard.Licence.allCases.map {
                ($0.rawValue, filled.texts["instruments.licence_\($0.rawValue)"])
            })
        return New(faults: faults, hasFaults: !faults.isEmpty, licence: licence)
    }

    /// Imports all of the files or none of them.
    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        let fields = form.files("file")
        let points = AnswerPoints(form)
        do {
            let licences = InstrumentCard.Licence.allCases.map(\.rawValue)
            let reader = InputReader(form: form, several: ["file"])
            let licence =
                reader.choice("licence", from: licences).flatMap(InstrumentCard.Licence.init) ?? .unstated
            let isDraft = reader.choice("action", from: ["draft", "publish"]) != "publish"
            try reader.finish()
            let files = try ImportedFiles.read(fields, names: form.all("named"), points: points.list)
            let answers = files.all.indices.map { index in
                form[ImportAsking.name(index, of: files)].flatMap(FormAnswer.init)
            }
            do {
                return try stored(files, licence, answers: answers, isDraft: isDraft, c)
            } catch let met as FormsMet {
                var page = page([], FormState(form, FieldErrors(), c.texts))
                page.asking = ImportAsking.view(met, of: files, form: form, c)
                return .page(page, status: 409)
            }
        } catch let faults as QuestionnaireFile.Faults {
            let isAsked = points.asks(for: faults)
            let told = faults.list.filter { !isAsked || $0.message.key != "exchange.weight_missing" }
            let lines = told.map { line($0.place, $0.message, c.texts) }
            var page = page(lines, FormState(form, FieldErrors(), c.texts))
            if isAsked { page.asking = ImportAsking.view(faults.uncounted, points, form: form, c) }
            return .page(page, status: isAsked && told.isEmpty && points.errors.isEmpty ? 409 : 422)
        } catch Problem.invalid(let errors) {
            let lines = errors.list.map { line($0.field, $0.message, c.texts) }
            return .page(page(lines, FormState(form, errors, c.texts)), status: 422)
        }
    }

    private static func stored(
        _ files: ImportedFiles, _ licence: InstrumentCard.Licence, answers: [FormAnswer?], isDraft: Bool,
        _ c: Context<Member>
    ) throws -> Reply {
        let stored: [(id: String, file: ImportedFile)]
        if isDraft {
            stored = try files.draft(licence, answers: answers, c).map { ($0.id.text, $0.file) }
        } else {
            let records = try files.publish(licence, answers: answers, saysMeanings: false, c)
            stored = try zip(records, files.all).map { ($0.id.text, try $1.file.keyed($0.key)) }
        }
        let flash = isDraft ? "exchange.drafted" : "exchange.imported"
        // Of a file of ours everything comes in: its own page says the rest.
        if stored.count == 1, stored[0].file.items.isEmpty {
            return .seeOther("/questionnaires/\(stored[0].id)", flash: Message(flash))
        }
        return .page(try ImportedPage.make(stored, lead: c.texts[flash], isDraft: isDraft, c))
    }

    private static func line(_ place: String, _ message: Message, _ texts: Texts) -> New.Fault {
        New.Fault(place: place, text: texts[message])
    }

    // MARK: Export

    @Sendable package static func export(_ c: Context<Member>) throws -> Reply {
        if c.request.query["format"] != nil { return .response(try Exporting.file(c)) }
        let record = try QuestionnairePath.version(c)
        let url = try c.read { try record.url(c.services.keys, $0) }
        let notes = FHIRWriter.write(record.definition, version: record.version, url: url).notes
        return .page(
            Export(
                id: record.id, title: record.title(c.language),
                notes: notes.map { line($0.place, $0.message, c.texts) }, hasNotes: !notes.isEmpty))
    }
}

/// A version as a file, for page and call alike.
enum Exporting {
    /// - Throws: `Problem.invalid` for an unknown format.
    static func file(_ c: Context<Member>) throws -> Response {
        let record = try QuestionnairePath.version(c)
        let fields = InputReader(form: c.request.query)
        let format = fields.choice("format", from: ["intersession", "fhir"]) ?? "intersession"
        try fields.finish()
        let json: JSON
        if format == "fhir" {
            let versions = try c.read { try QuestionnaireStore.versions(record.key, $0) }
            let isRetired = versions.first { $0.id == record.id }?.retiredAt != nil
            let url = try c.read { try record.url(c.services.keys, $0) }
            json =
                FHIRWriter.write(
                    record.definition, version: record.version, url: url, isRetired: isRetired
                ).json
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
