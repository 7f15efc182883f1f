import Database
import JSON
import Questionnaires
import Records
import Wire
import Wording

/// A questionnaire that is being edited. Its id becomes the version's when it is published.
package struct EditorDraft: Sendable {
    let id: ID<EditorDraft>
    /// The version it is based on; nil for a new questionnaire.
    let basedOn: ID<QuestionnaireVersion>?
    let document: DraftDocument
    /// The state before the last change, to go back to.
    let previous: DraftDocument?
    /// Counts the changes, so that two people cannot overwrite each other unseen.
    let revision: Int
    let changedBy: ID<Account>?
    let changedAt: Instant
    /// By what the form that it came in as is known again.
    let marks: [FormIdentity.Mark]

    var versionID: ID<QuestionnaireVersion> { ID(id.text) }

    init(row: borrowing Row) throws {
        id = try row["id"]
        basedOn = try row["based_on"]
        revision = try row["revision"]
        changedBy = try row["changed_by"]
        changedAt = try row["changed_at"]
        let sources: String? = try row["sources"]
        marks = try sources.map { try JSONReader.value(from: $0.utf8) } ?? []
        let text: String = try row["document"]
        let before: String? = try row["previous"]
        // An unreadable draft must not make the whole list fail.
        document = DraftDocument((try? JSON.parse(Array(text.utf8))) ?? .object([]))
        previous = before.flatMap { try? JSON.parse(Array($0.utf8)) }.map { DraftDocument($0) }
    }
}

/// Every statement about drafts of questionnaires.
enum EditorStore {
    /// All drafts, the last changed first.
    static func all(_ connection: borrowing Connection) throws -> [EditorDraft] {
        try connection.all("SELECT * FROM questionnaire_drafts ORDER BY changed_at DESC, id") { row in
            try EditorDraft(row: row)
        }
    }

    static func find(_ id: ID<EditorDraft>, _ connection: borrowing Connection) throws -> EditorDraft? {
        try connection.first("SELECT * FROM questionnaire_drafts WHERE id = \(id)") { row in
            try EditorDraft(row: row)
        }
    }

    /// The existing draft of a questionnaire, based on any of its versions.
    static func find(changing key: String, _ connection: borrowing Connection) throws -> ID<EditorDraft>? {
        try connection.value(
            """
            SELECT questionnaire_drafts.id FROM questionnaire_drafts
            JOIN questionnaires ON questionnaires.id = questionnaire_drafts.based_on
            WHERE questionnaires.key = \(key)
            """)
    }

    static func insert(
        _ id: ID<EditorDraft>, _ document: DraftDocument, basedOn: ID<QuestionnaireVersion>?,
        by account: ID<Account>, at now: Instant, marks: [FormIdentity.Mark] = [],
        _ connection: borrowing Connection
    ) throws {
        let text = try text(document)
        let sources =
            marks.isEmpty ? nil : String(decoding: try JSONWriter.bytes(of: marks), as: UTF8.self)
        try connection.run(
            """
            INSERT INTO questionnaire_drafts (id, based_on, document, revision, changed_by, created_at, changed_at,
                sources)
            VALUES (\(id), \(basedOn), \(text), 1, \(account), \(now), \(now), \(sources))
            """)
    }

    /// - Throws: `Problem.preconditionFailed` when it was changed since.
    static func save(
        _ document: DraftDocument, _ id: ID<EditorDraft>, expecting revision: Int, by account: ID<Account>,
        at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let text = try text(document)
        let changed = try connection.run(
            """
            UPDATE questionnaire_drafts SET previous = document, document = \(text), revision = revision + 1,
                changed_by = \(account), changed_at = \(now)
            WHERE id = \(id) AND revision = \(revision)
            """)
        if changed == 0 { throw Problem.preconditionFailed }
    }

    /// The limit of a file: repeated copying must not fill the disk.
    private static let limit = 1024 * 1024

    /// - Throws: `Problem.tooLarge`.
    private static func text(_ document: DraftDocument) throws -> String {
        let bytes = try JSONWriter.bytes(of: document.json)
        guard bytes.count <= limit else { throw Problem.tooLarge(limit: limit) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Throws: `Problem.preconditionFailed` when it has changed since it was read, or is gone.
    static func remove(
        _ id: ID<EditorDraft>, expecting revision: Int, _ connection: borrowing Connection
    ) throws {
        let changed = try connection.run(
            "DELETE FROM questionnaire_drafts WHERE id = \(id) AND revision = \(revision)")
        if changed == 0 { throw Problem.preconditionFailed }
    }
}

extension AuditAction {
    static let draftMade = AuditAction(name: "questionnaire.draft_made")
    static let draftChanged = AuditAction(name: "questionnaire.draft_changed")
    static let draftDiscarded = AuditAction(name: "questionnaire.draft_discarded")
    static let questionnairePublished = AuditAction(name: "questionnaire.published")
    static let questionnaireRetired = AuditAction(name: "questionnaire.retired")
    static let questionnaireReinstated = AuditAction(name: "questionnaire.reinstated")
}
