import Database
import HTTP
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// Making, changing and removing letters, for page and call alike.
enum LetterActions {
    /// The most letters of one author about one patient.
    static let most = 200

    /// From the house's template, or with a text of one's own.
    /// - Throws: `Problem.invalid` that names an unknown field with its line.
    static func make(_ fields: InputReader, _ c: Context<Caseload>) throws -> ID<LetterRecord> {
        let kind: LetterDraft.Kind? = fields.choice("kind", required: true)
        let title = fields.text("title", limit: LetterDraft.longestTitle)
        let text = fields.text("text", limit: LetterDraft.longestText, lines: true)
        try fields.finish()
        guard let kind else { throw Problem.invalid(fields.errors) }
        let template = LetterTemplate.read(kind, c)
        let draft = try filled(
            LetterDraft(kind: kind, title: title ?? template.title, text: text ?? template.text), c)
        let therapy = c.proof.patient
        let author = c.proof.therapist.id
        let id: ID<LetterRecord> = c.newID()
        let sealed = try draft.sealed(try therapy.key(c.keys), for: id)
        c.making(id, at: "letter")
        try c.write(.letterMade, about: therapy.id, object: id) { [now = c.now] connection in
            if try LetterStore.count(in: therapy.id, by: author, connection) >= most {
                throw Problem.invalid("kind", "letters.many", ["limit": String(most)])
            }
            try LetterStore.insert(id, sealed, in: therapy.id, by: author, at: now, connection)
        }
        return id
    }

    /// - Parameter isForm: whether the form names the revision it is based on; calls name it with `If-Match`.
    static func change(_ fields: InputReader, _ c: Context<Caseload>, isForm: Bool) throws {
        let (record, old) = try found(c)
        let title = fields.text("title", required: true, limit: LetterDraft.longestTitle)
        let text = fields.text("text", required: true, limit: LetterDraft.longestText, lines: true)
        try fields.finish()
        guard let title, let text else { throw Problem.invalid(fields.errors) }
        let therapy = c.proof.patient
        let author = c.proof.therapist.id
        let draft = try filled(LetterDraft(kind: old.kind, title: title, text: text), c)
        let sealed = try draft.sealed(try therapy.key(c.keys), for: record.id)
        try c.write(.letterChanged, about: therapy.id, object: record.id) {
            [now = c.now, request = c.request] connection in
            if isForm {
                let current = try LetterStore.revision(of: record.id, by: author, connection)
                try Conditional.requireRevision(request, current: current)
            }
            guard
                try LetterStore.update(
                    record.id, sealed, in: therapy.id, by: author, at: now, connection)
            else { throw Problem.notFound }
        }
    }

    static func remove(_ c: Context<Caseload>) throws {
        let id: ID<LetterRecord> = try c.id("letter")
        let therapy = c.proof.patient.id
        let author = c.proof.therapist.id
        try c.write(.letterRemoved, about: therapy, object: id) { connection in
            guard try LetterStore.remove(id, in: therapy, by: author, connection) else {
                throw Problem.notFound
            }
        }
    }

    /// The one in the path; another author's is not found.
    static func found(_ c: Context<Caseload>) throws -> (record: LetterRecord, draft: LetterDraft) {
        let id: ID<LetterRecord> = try c.id("letter")
        let therapy = c.proof.patient
        let record = try c.read { try LetterStore.find(id, in: therapy.id, by: c.proof.therapist.id, $0) }
        guard let record else { throw Problem.notFound }
        return (record, try record.draft(try therapy.key(c.keys)))
    }

    private static func filled(_ draft: LetterDraft, _ c: Context<Caseload>) throws -> LetterDraft {
        let facts = try c.read { try LetterFacts(c, $0) }
        let known = Set(facts.courses.map(LetterFacts.name))
        let (text, errors) = LetterText.filled(draft.text, facts: facts.facts, scales: known)
        if !errors.isEmpty { throw Problem.invalid(errors) }
        return LetterDraft(kind: draft.kind, title: draft.title, text: text)
    }
}
