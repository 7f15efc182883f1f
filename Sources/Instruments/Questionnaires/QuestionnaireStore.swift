import Database
import JSON
import Locks
import Questionnaires
import Records
import Templates
import Web
import Wire
import Wording

/// One unchangeable version of a questionnaire.
package struct QuestionnaireRecord: Sendable {
    package let id: ID<QuestionnaireVersion>
    package let key: String
    package let version: Int
    package let publishedAt: Instant
    package let definition: QuestionnaireDefinition

    package init(
        id: ID<QuestionnaireVersion>, key: String, version: Int, publishedAt: Instant,
        definition: QuestionnaireDefinition
    ) {
        self.id = id
        self.key = key
        self.version = version
        self.publishedAt = publishedAt
        self.definition = definition
    }

    /// The title in the language that the whole questionnaire is shown in.
    package func title(_ language: Language) -> String { title([language]) }

    /// The same for a reader of these languages, the best first.
    package func title(_ readers: [Language]) -> String {
        definition.title[definition.language(asked: readers)] ?? key
    }

    /// The title on a page, which names its language where that is another one.
    package func written(_ readers: [Language], on page: Language) -> WrittenText {
        let language = definition.language(asked: readers)
        return WrittenText(title(readers), language: language == page.rawValue ? nil : language)
    }

    /// The canonical name of the questionnaire in FHIR, of which every version is one: that of the form it came from, else one of its
    /// own. Never a place on the network here: files outlive those.
    package func url(_ keys: Keyring, _ connection: borrowing Connection) throws -> String {
        try FormSourceStore.url(of: key, connection) ?? "urn:uuid:" + keys.name(ofQuestionnaire: key)
    }

    /// The same for a reader of the page's language alone.
    package func written(on page: Language) -> WrittenText { written([page], on: page) }
}

/// Versions never change, so each is read and checked once.
package final class QuestionnaireCache: Part {
    private let known = Lock<[ID<QuestionnaireVersion>: QuestionnaireRecord]>([:])

    package init() {}

    fileprivate func record(_ id: ID<QuestionnaireVersion>, _ load: () throws -> QuestionnaireRecord?)
        rethrows
        -> QuestionnaireRecord?
    {
        if let record = known.withLock({ $0[id] }) { return record }
        let record = try load()
        if let record { known.withLock { $0[id] = record } }
        return record
    }
}

/// Every statement about questionnaires.
package enum QuestionnaireStore {
    package static func find(
        _ id: ID<QuestionnaireVersion>, _ cache: QuestionnaireCache, _ connection: borrowing Connection
    ) throws -> QuestionnaireRecord? {
        try cache.record(id) {
            try connection.first("SELECT * FROM questionnaires WHERE id = \(id)") { row in try record(row) }
        }
    }

    /// The version of a key in force; nil when there is none, or it was retired.
    package static func newest(
        _ key: String, _ cache: QuestionnaireCache, _ connection: borrowing Connection
    ) throws -> QuestionnaireRecord? {
        let id: ID<QuestionnaireVersion>? = try connection.value(
            "SELECT id FROM questionnaires WHERE key = \(key) AND retired_at IS NULL ORDER BY version DESC LIMIT 1"
        )
        return try id.flatMap { try find($0, cache, connection) }
    }

    /// The version in force of every key, by key.
    package static func newest(
        _ cache: QuestionnaireCache, _ connection: borrowing Connection
    ) throws -> [QuestionnaireRecord] {
        try newest(isRetired: false, cache, connection)
    }

    private static func newest(
        isRetired: Bool, _ cache: QuestionnaireCache, _ connection: borrowing Connection
    ) throws -> [QuestionnaireRecord] {
        let ids: [ID<QuestionnaireVersion>] = try connection.all(
            """
            SELECT id FROM questionnaires AS mine WHERE version =
                (SELECT max(version) FROM questionnaires AS other WHERE other.key = mine.key)
            AND (retired_at IS NOT NULL) = \(isRetired) ORDER BY key
            """
        ) { row in try row[0] }
        return try ids.compactMap { try find($0, cache, connection) }
    }

    package static func key(of id: ID<QuestionnaireVersion>, _ connection: borrowing Connection) throws
        -> String?
    {
        try connection.value("SELECT key FROM questionnaires WHERE id = \(id)")
    }

    /// Whether there is any version of a key.
    static func exists(_ key: String, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists("SELECT 1 FROM questionnaires WHERE key = \(key) LIMIT 1")
    }

    /// All versions of a key, the newest first, and when each was retired.
    package static func versions(
        _ key: String, _ connection: borrowing Connection
    ) throws -> [(id: ID<QuestionnaireVersion>, version: Int, publishedAt: Instant, retiredAt: Instant?)] {
        try connection.all(
            "SELECT id, version, published_at, retired_at FROM questionnaires WHERE key = \(key) ORDER BY version DESC"
        ) { row in
            (id: try row[0], version: try row[1], publishedAt: try row[2], retiredAt: try row[3])
        }
    }

    /// The moment since which no version of a key is in use; nil while one is, and for unknown keys.
    package static func retirement(of key: String, _ connection: borrowing Connection) throws -> Instant? {
        let all = try versions(key, connection).map(\.retiredAt)
        return all.contains(nil) ? nil : all.compactMap(\.self).max()
    }

    /// The newest version of every key that is retired, by key.
    package static func retired(
        _ cache: QuestionnaireCache, _ connection: borrowing Connection
    ) throws -> [QuestionnaireRecord] {
        try newest(isRetired: true, cache, connection)
    }

    /// The file of a version, as published.
    package static func file(_ id: ID<QuestionnaireVersion>, _ connection: borrowing Connection) throws
        -> JSON?
    {
        try connection.first("SELECT definition, version FROM questionnaires WHERE id = \(id)") { row in
            let text: String = try row[0]
            let version: Int = try row[1]
            let json = try JSON.parse(Array(text.utf8))
            return json.setting(DocumentPath("version"), .number(Double(version)))
        }
    }

    /// The revision of a key's retirement: whether it is out of use, and since when.
    static let retirement: RevisionOf = { places, _, connection in
        guard let id = ID<QuestionnaireVersion>(uuid: places["questionnaire"]) else { return nil }
        return try connection.revision("SELECT retired_at FROM questionnaires WHERE id = \(id)")
    }

    package static func retire(_ key: String, at now: Instant?, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE questionnaires SET retired_at = \(now) WHERE key = \(key)")
    }

    /// Stores a faultless file as the next version of its key, with the usual layout where a section names none.
    package static func insert(
        _ json: JSON, _ definition: QuestionnaireDefinition, id: ID<QuestionnaireVersion>, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> Int {
        let key = definition.key
        let newest: Int?? = try connection.value("SELECT max(version) FROM questionnaires WHERE key = \(key)")
        let version = ((newest ?? nil) ?? 0) + 1
        let file = definition.laidOut.laidOut(json)
        let text = String(decoding: try JSONWriter.bytes(of: file), as: UTF8.self)
        try connection.run(
            """
            INSERT INTO questionnaires (id, key, version, definition, published_at)
            VALUES (\(id), \(key), \(version), \(text), \(now))
            """)
        return version
    }

    private static func record(_ row: borrowing Row) throws -> QuestionnaireRecord {
        let text: String = try row["definition"]
        return QuestionnaireRecord(
            id: try row["id"], key: try row["key"], version: try row["version"],
            publishedAt: try row["published_at"], definition: try QuestionnaireFile.read(Array(text.utf8)))
    }
}

extension AuditAction {
    package static let questionnaireImported = AuditAction(name: "questionnaire.imported")
}
