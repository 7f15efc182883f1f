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

    /// - Throws: `Faults` with every error and its place.
    static func read(_ sent: JSON) throws(QuestionnaireFile.Faults) -> ImportedFile {
        let json = sent.typed
        guard FHIRReader.isFHIR(json) else {
            return ImportedFile(json: json, definition: try QuestionnaireFile.read(json), notes: [])
        }
        let (file, notes) = try FHIRReader.read(json)
        return ImportedFile(json: file, definition: try QuestionnaireFile.read(file), notes: notes)
    }

    /// Stores it as the next version of its key.
    /// - Returns: the version's id.
    func publish(_ c: Context<Member>) throws -> (id: ID<QuestionnaireVersion>, version: Int) {
        let id: ID<QuestionnaireVersion> = c.newID()
        let version = try c.write(.questionnaireImported, object: id) { [now = c.now, self] connection in
            try QuestionnaireStore.insert(json, definition, id: id, at: now, connection)
        }
        return (id, version)
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

    /// - Throws: `Faults` with every error of every file, with its name where there are several.
    static func read(_ fields: [Form.Field]) throws(QuestionnaireFile.Faults) -> ImportedFiles {
        if fields.isEmpty {
            throw QuestionnaireFile.Faults(list: [.init(place: "file", message: Message("exchange.no_file"))])
        }
        var read: [Named] = []
        var faults: [QuestionnaireFile.Fault] = []
        for field in fields {
            let name = fields.count > 1 ? field.file ?? "file" : nil
            do throws(QuestionnaireFile.Faults) {
                let json = try json(of: field)
                read.append(Named(name: name, file: try ImportedFile.read(json)))
            } catch {
                faults += error.list.map { .init(place: place($0.place, in: name), message: $0.message) }
            }
        }
        for (index, one) in read.enumerated() {
            guard read[..<index].contains(where: { $0.file.definition.key == one.file.definition.key }) else {
                continue
            }
            faults.append(.init(place: place("key", in: one.name), message: Message("exchange.twice")))
        }
        if !faults.isEmpty { throw QuestionnaireFile.Faults(list: faults) }
        return ImportedFiles(all: read)
    }

    private static func json(of field: Form.Field) throws(QuestionnaireFile.Faults) -> JSON {
        if field.isText { return try QuestionnaireFile.json(Array(field.value.utf8)) }
        let message = Message("exchange.not_utf8", ["name": field.file ?? "file"])
        throw QuestionnaireFile.Faults(list: [.init(place: "file", message: message)])
    }

    static func place(_ place: String, in file: String?) -> String { file.map { "\($0): \(place)" } ?? place }

    /// Stores them as the next versions of their keys, in one transaction.
    /// - Parameter licence: for cards without one; others keep theirs.
    /// - Returns: the versions' ids, in order.
    func publish(
        _ licence: InstrumentCard.Licence, _ c: Context<Member>
    ) throws -> [ID<QuestionnaireVersion>] {
        let ids: [ID<QuestionnaireVersion>] = all.map { _ in c.newID() }
        let object = all.count == 1 ? ids[0].text : all.map(\.file.definition.key).joined(separator: ", ")
        try c.write(.questionnaireImported, object: object) { [now = c.now, all] connection in
            for (id, one) in zip(ids, all) {
                let file = one.file
                _ = try QuestionnaireStore.insert(file.json, file.definition, id: id, at: now, connection)
                try Self.note(licence, of: file.definition.key, connection)
            }
        }
        return ids
    }

    /// Stores them as drafts of the next versions; existing drafts stay unchanged.
    /// - Throws: `Faults` when there is such a draft.
    func draft(_ licence: InstrumentCard.Licence, _ c: Context<Member>) throws -> [ID<EditorDraft>] {
        let ids: [ID<EditorDraft>] = all.map { _ in c.newID() }
        let account = c.proof.account.id
        let object = all.count == 1 ? ids[0].text : all.map(\.file.definition.key).joined(separator: ", ")
        try c.write(.draftMade, object: object) { [now = c.now, all] connection in
            for (id, one) in zip(ids, all) {
                let key = one.file.definition.key
                if try EditorStore.find(changing: key, connection) != nil {
                    throw QuestionnaireFile.Faults(list: [
                        .init(
                            place: Self.place("key", in: one.name), message: Message("exchange.draft_exists"))
                    ])
                }
                let newest = try QuestionnaireStore.versions(key, connection).first?.id
                try EditorStore.insert(
                    id, DraftDocument(one.file.json), basedOn: newest, by: account, at: now, connection)
                try Self.note(licence, of: key, connection)
            }
        }
        return ids
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
    /// - Throws: `Faults` where a file changes what figures of its key mean: the page of a draft says it before that is published.
    func refuseChangedMeanings(_ c: Context<Member>) throws {
        var faults: [QuestionnaireFile.Fault] = []
        for one in all {
            faults += try ChangedMeanings.messages(one.file.definition, c).map {
                .init(place: Self.place("key", in: one.name), message: $0)
            }
        }
        if faults.isEmpty { return }
        faults.append(.init(place: "file", message: Message("exchange.meanings")))
        throw QuestionnaireFile.Faults(list: faults)
    }
}
