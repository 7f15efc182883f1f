import Database
import HTTP
import Identity
import JSON
import Questionnaires
import Records
import Web
import Wire
import Wording

/// An imported file in our format or FHIR's, read as a whole or not at all.
struct ImportedFile: Sendable {
    /// In our format.
    let json: JSON
    let definition: QuestionnaireDefinition
    /// The parts of a file in another format that ours cannot carry.
    let notes: [ExchangeNote]
    /// What became of each item of a form in another format; none for a file of ours.
    var items: [FormItem] = []
    /// By what a form in another format is known again; nil for one of ours, which goes by its key.
    let identity: FormIdentity?

    /// - Parameter points: of answers that say none, by their place.
    /// - Throws: `Faults` with every error and its place.
    static func read(
        _ json: JSON, points: [String: Double] = [:]
    ) throws(QuestionnaireFile.Faults) -> ImportedFile {
        guard FHIRReader.isFHIR(json) else {
            let clean = json.withCleanWords
            return ImportedFile(
                json: clean, definition: try QuestionnaireFile.read(clean), notes: [], identity: nil)
        }
        let form = try FHIRReader.form(json, points: points)
        return ImportedFile(
            json: form.json, definition: form.definition, notes: form.notes, items: form.items,
            identity: form.identity)
    }

    func keyed(_ key: String) throws(QuestionnaireFile.Faults) -> ImportedFile {
        guard key != definition.key else { return self }
        let json = json.setting(DocumentPath("key"), .string(key))
        return ImportedFile(
            json: json, definition: try QuestionnaireFile.read(json), notes: notes, items: items,
            identity: identity)
    }

    /// The notes in words, each once with every place that it is about.
    func summed(_ texts: Texts) -> String {
        var order: [String] = []
        var places: [String: [String]] = [:]
        for note in notes {
            let words = texts[note.message]
            if places[words] == nil { order.append(words) }
            places[words, default: []].append(note.linkID.map { "\(note.place) (\($0))" } ?? note.place)
        }
        return order.map { "\(places[$0, default: []].joined(separator: ", ")): \($0)" }
            .joined(separator: "; ")
    }
}

/// Files imported together: all of them or none.
struct ImportedFiles: Sendable {
    struct Named: Sendable {
        /// Nil where a single file came without one.
        let name: String?
        let file: ImportedFile
    }

    let all: [Named]

    /// - Parameters:
    ///   - names: of the fields that were no files, in order.
    ///   - points: of answers that say none, by the file and their place.
    /// - Throws: `Faults` with every error of every file, with its name where there are several.
    static func read(
        _ fields: [Form.Field], names: [String] = [], points: [Int: [String: Double]] = [:]
    ) throws(QuestionnaireFile.Faults) -> ImportedFiles {
        if fields.isEmpty {
            throw QuestionnaireFile.Faults(list: [.init(place: "file", message: Message("exchange.no_file"))])
        }
        var read: [Named] = []
        var faults: [QuestionnaireFile.Fault] = []
        var uncounted: [UncountedAnswer] = []
        for (index, field) in fields.enumerated() {
            let given = field.file ?? (names.indices.contains(index) ? names[index] : "file")
            let name = fields.count > 1 ? given : nil
            do throws(QuestionnaireFile.Faults) {
                let json = try json(of: field)
                read.append(
                    Named(name: name, file: try ImportedFile.read(json, points: points[index] ?? [:])))
            } catch {
                faults += error.list.map { .init(place: place($0.place, in: name), message: $0.message) }
                uncounted += error.uncounted.map { $0.of(index) }
            }
        }
        if !faults.isEmpty { throw QuestionnaireFile.Faults(list: faults, uncounted: uncounted) }
        return ImportedFiles(all: read)
    }

    private static func json(of field: Form.Field) throws(QuestionnaireFile.Faults) -> JSON {
        if field.isText { return try QuestionnaireFile.json(Array(field.value.utf8)) }
        let message = Message("exchange.not_utf8", ["name": field.file ?? "file"])
        throw QuestionnaireFile.Faults(list: [.init(place: "file", message: message)])
    }

    static func place(_ place: String, in file: String?) -> String { file.map { "\($0): \(place)" } ?? place }

    /// The files under the keys that they get.
    fileprivate func keyed(_ keys: [String]) throws(QuestionnaireFile.Faults) -> [Named] {
        var keyed: [Named] = []
        for (named, key) in zip(all, keys) {
            keyed.append(Named(name: named.name, file: try named.file.keyed(key)))
        }
        return keyed
    }

    /// Stores them as the next versions of their keys, in one transaction.
    /// - Parameters:
    ///   - licence: for cards without one; others keep theirs.
    ///   - answers: one for each file.
    ///   - saysMeanings: whether the caller is told afterwards what changes its meaning; else such files are refused.
    /// - Returns: the versions, in order.
    /// - Throws: `FormsMet`, `Faults`.
    func publish(
        _ licence: InstrumentCard.Licence, answers: [FormAnswer?], saysMeanings: Bool,
        _ c: Context<Member>
    ) throws -> [QuestionnaireRecord] {
        let placing = placing(answers, c)
        let keys = try c.read { try placing.keys($0) }
        let files = try keyed(keys)
        let ids: [ID<QuestionnaireVersion>] = all.map { _ in c.newID() }
        let object = all.count == 1 ? ids[0].text : keys.joined(separator: ", ")
        return try c.write(.questionnaireImported, object: object) {
            [now = c.now, services = c.services, language = c.language] connection in
            guard try placing.keys(connection) == keys else { throw Problem.preconditionFailed }
            if !saysMeanings { try Self.refuseChangedMeanings(files, services, language, connection) }
            return try zip(ids, files).map { id, named in
                let file = named.file
                let key = file.definition.key
                let version = try QuestionnaireStore.insert(
                    file.json, file.definition, id: id, at: now, connection)
                try FormSourceStore.note(file.identity?.marks ?? [], of: key, at: now, connection)
                try Self.note(licence, of: key, connection)
                return QuestionnaireRecord(
                    id: id, key: key, version: version, publishedAt: now,
                    definition: file.definition.laidOut)
            }
        }
    }

    /// Stores them as drafts of the next versions; existing drafts stay unchanged.
    /// - Returns: the drafts' ids and the files under their keys, in order.
    /// - Throws: `FormsMet`; `Faults`, also when there is such a draft.
    func draft(
        _ licence: InstrumentCard.Licence, answers: [FormAnswer?], _ c: Context<Member>
    ) throws -> [(id: ID<EditorDraft>, file: ImportedFile)] {
        let placing = placing(answers, c)
        let keys = try c.read { try placing.keys($0) }
        let files = try keyed(keys)
        let ids: [ID<EditorDraft>] = all.map { _ in c.newID() }
        let account = c.proof.account.id
        let object = all.count == 1 ? ids[0].text : keys.joined(separator: ", ")
        try c.write(.draftMade, object: object) { [now = c.now] connection in
            guard try placing.keys(connection) == keys else { throw Problem.preconditionFailed }
            for (id, one) in zip(ids, files) {
                let key = one.file.definition.key
                if try EditorStore.find(changing: key, connection) != nil {
                    throw QuestionnaireFile.Faults(list: [
                        .init(
                            place: Self.place("key", in: one.name), message: Message("exchange.draft_exists"))
                    ])
                }
                let newest = try QuestionnaireStore.versions(key, connection).first?.id
                try EditorStore.insert(
                    id, DraftDocument(one.file.json), basedOn: newest, by: account, at: now,
                    marks: one.file.identity?.marks ?? [], connection)
                try Self.note(licence, of: key, connection)
            }
        }
        return zip(ids, files).map { ($0, $1.file) }
    }

    fileprivate func placing(_ answers: [FormAnswer?], _ c: Context<Member>) -> FormPlacing {
        FormPlacing(
            files: all, answers: answers, cache: c.services.questionnaires, languages: c.languages)
    }

    private static func note(
        _ licence: InstrumentCard.Licence, of key: String, _ connection: borrowing Connection
    ) throws {
        var card = try InstrumentStore.card(key, connection)
        guard licence != .unstated, card.licence == .unstated else { return }
        card.licence = licence
        try InstrumentStore.save(card, of: key, connection)
    }
}

extension ImportedFiles {
    /// What the files make of figures that their keys have already, in sentences.
    /// - Throws: `FormsMet`, `Faults`.
    func changedMeanings(_ answers: [FormAnswer?], _ c: Context<Member>) throws -> [Message] {
        let placing = placing(answers, c)
        return try keyed(try c.read { try placing.keys($0) }).flatMap { one in
            try ChangedMeanings.messages(one.file.definition, c)
        }
    }

    /// - Throws: `Faults` where files change what figures mean: the page of a draft says it before that is published.
    private static func refuseChangedMeanings(
        _ files: [Named], _ services: Services, _ language: Language,
        _ connection: borrowing Connection
    ) throws {
        let changes = try files.flatMap { one in
            try ChangedMeanings.messages(one.file.definition, services, language, connection).map {
                QuestionnaireFile.Fault(place: place("key", in: one.name), message: $0)
            }
        }
        if changes.isEmpty { return }
        throw QuestionnaireFile.Faults(
            list: changes + [.init(place: "file", message: Message("exchange.meanings"))])
    }
}
