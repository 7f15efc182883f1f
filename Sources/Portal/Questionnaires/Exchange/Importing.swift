import HTTP
import Wire

/// A file from outside: ours or FHIR's. Read as a whole or not at all.
struct ImportedFile: Sendable {
    /// In our format.
    let json: JSON
    let definition: QuestionnaireDefinition
    /// What a file in another format says that ours cannot carry.
    let notes: [ExchangeNote]

    /// - Throws: `Faults` with every error and its place.
    static func read(_ json: JSON) throws(QuestionnaireFile.Faults) -> ImportedFile {
        guard FHIRReader.isFHIR(json) else {
            return ImportedFile(json: json, definition: try QuestionnaireFile.read(json), notes: [])
        }
        let (file, notes) = try FHIRReader.read(json)
        return ImportedFile(json: file, definition: try QuestionnaireFile.read(file), notes: notes)
    }

    /// Stores it as the next version of its key.
    /// - Returns: the version's id.
    func publish(_ c: Context<Member>) throws -> (id: String, version: Int) {
        let id = c.newID()
        let version = try c.write(.questionnaireImported, object: id) { [now = c.now, self] connection in
            try QuestionnaireStore.insert(json, definition, id: id, at: now, connection)
        }
        return (id, version)
    }
}
