import Database
import Foundation
import HTTP
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// Keeps unsaved input on a session, sealed, for its author alone, and offers it on return (FD-7).
enum SessionDrafting {
    static func routes(_ routes: inout Routes) {
        let path = "/patients/:patient/sessions/:session/draft"
        routes.page(.post, path, .caseload, keep)
        routes.page(.post, path + "/removal", .caseload, discard)
    }

    @Sendable static func keep(_ c: Context<Caseload>) throws -> Reply {
        let id: ID<Session> = try c.id("session")
        let therapy = c.proof.patient
        let author = c.proof.therapist.id
        let key = try therapy.key(c.keys)
        let draft = SessionNoteDraft(try c.form())
        guard draft.length <= SessionNoteDraft.longest else {
            throw Problem.invalid("note", "errors.too_long", ["limit": String(SessionNoteDraft.longest)])
        }
        // A repeated draft changes nothing, and needs no line in the audit log.
        let known = try c.read { connection -> SessionNoteDraft? in
            let session = try found(id, of: therapy, connection)
            return try SessionNoteDraftStore.find(session, by: author, key, connection)?.draft
        }
        if known != draft {
            try c.write(.sessionDraftKept, about: therapy.id, object: id) { [now = c.now] connection in
                let session = try found(id, of: therapy, connection)
                let words = try SessionNotes.read(
                    session, of: therapy, by: author, key, withOpen: false, connection)
                try SessionNoteDraftStore.save(
                    draft.adds(to: words) ? draft : nil, of: session, by: author, key, at: now, connection)
            }
        }
        return c.wantsNoPage ? try .taken() : .seeOther(page(c))
    }

    @Sendable static func discard(_ c: Context<Caseload>) throws -> Reply {
        let id: ID<Session> = try c.id("session")
        let therapy = c.proof.patient
        let key = try therapy.key(c.keys)
        try c.write(.sessionDraftDiscarded, about: therapy.id, object: id) {
            [author = c.proof.therapist.id, now = c.now] connection in
            let session = try found(id, of: therapy, connection)
            try SessionNoteDraftStore.save(nil, of: session, by: author, key, at: now, connection)
        }
        return .seeOther(page(c), flash: Message("sessions.draft_discarded"))
    }

    private static func page(_ c: Context<Caseload>) -> String {
        "\(c.proof.patient.path)/sessions/\(c.places["session"] ?? "")"
    }

    private static func found(
        _ id: ID<Session>, of therapy: Therapy, _ connection: borrowing Connection
    ) throws -> Session {
        guard let session = try SessionStore.find(id, in: therapy.id, connection) else {
            throw Problem.notFound
        }
        return session
    }
}

extension SessionNoteDraft {
    /// As the form of a session's page sends it.
    init(_ form: Form) {
        self.init(
            items: form.all("item"), done: form.all("done"), added: form["add"] ?? "",
            note: form["note"] ?? "", revision: form["revision"])
    }

    /// The form as it was left.
    var form: Form {
        let fields =
            items.map { Form.Field("item", $0) } + done.map { Form.Field("done", $0) }
            + [Form.Field("add", added), Form.Field("note", note)]
        return Form(fields + (revision.map { [Form.Field("revision", $0)] } ?? []))
    }

    /// Whether it contains anything that is not saved yet.
    func adds(to words: SessionNotes) -> Bool {
        !added.allSatisfy(\.isWhitespace) || Set(done) != Set(words.done)
            || Self.plain(note) != Self.plain(words.note ?? "")
    }

    /// Forms end their lines with CR LF.
    private static func plain(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: "\n")
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

extension AuditAction {
    static let sessionDraftKept = AuditAction(name: "session.draft_kept")
    static let sessionDraftDiscarded = AuditAction(name: "session.draft_discarded")
}
