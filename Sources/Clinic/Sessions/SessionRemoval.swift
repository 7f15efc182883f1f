import Database
import Delivery
import HTTP
import Records
import Therapies
import Web
import Wire
import Wording

/// Removing sessions entered by a slip (FD-8): those noted in one step are undone, a single one is deleted later,
/// unless something depends on it. Sessions of appointments are the patient's.
enum SessionRemoval {
    static func routes(_ routes: inout Routes) {
        let path = "/patients/:patient/sessions/:session"
        routes.call(
            .delete, path, .caseload,
            .nothing(
                "Delete a session that was entered by hand: 409 session_in_use while notes, answers or assignments hang on it, 409 session_is_appointment for one of an appointment"
            ).revised(SessionNotes.revision).undone(.sessionRemoval), destroy)
        routes.call(
            .post, path + "/return", .caseload,
            .nothing("Bring a deleted session back").revised(Undo.sessionRemoval.revision), bringBack)
        routes.call(
            .post, path + "/withdrawal", .caseload,
            .nothing("Take back what was entered by hand in one go: a session, or the series that it is of")
                .revised(Undo.sessionEntry.revision), withdraw)
        routes.page(.post, path + "/removal", .caseload, undo: .sessionRemoval, remove)
    }

    @Sendable static func destroy(_ c: Context<Caseload>) throws -> Reply {
        try delete(c)
        return .response(.noContent)
    }

    @Sendable static func remove(_ c: Context<Caseload>) throws -> Reply {
        let base = c.proof.patient.path
        do {
            try delete(c)
        } catch Problem.conflict(let message, _) {
            return .seeOther("\(base)/sessions/\(c.places["session"] ?? "")", flash: message)
        }
        return .seeOther(base + "/appointments", flash: Message("sessions.removed"))
    }

    private static func delete(_ c: Context<Caseload>) throws {
        let id: ID<Session> = try c.id("session")
        let therapy = c.proof.patient
        let seen = try c.read { try SessionStore.find(id, in: therapy.id, $0) }
        let change = try c.change(
            of: try therapy.key(c.keys),
            from: ["starts_at": seen?.startsAt.text, "ends_at": seen?.endsAt.text])
        try c.write(.sessionRemoved, about: therapy.id, object: id, change: change) {
            [now = c.now, services = c.services, texts = c.texts] connection in
            guard let session = try SessionStore.find(id, in: therapy.id, connection) else {
                throw Problem.notFound
            }
            if session.appointmentID != nil { throw Problem.conflict(Message("sessions.is_appointment")) }
            try SessionUse(of: session, in: therapy.id, at: now, connection).refuse(texts)
            try RemovedSessionStore.remove(session.id, in: therapy.id, at: now, connection)
            try DeliveryPlanner.reconcile(therapy.id, services, now: now, connection)
        }
    }

    @Sendable static func bringBack(_ c: Context<Caseload>) throws -> Reply {
        let id: ID<Session> = try c.id("session")
        let therapy = c.proof.patient.id
        try c.write(.sessionReturned, about: therapy, object: id) {
            [now = c.now, services = c.services] connection in
            guard try RemovedSessionStore.bringBack(id, in: therapy, at: now, connection) else {
                let isThere = try SessionStore.find(id, in: therapy, connection) != nil
                throw isThere ? Problem.conflict(Message("undo.not_removed")) : .notFound
            }
            try DeliveryPlanner.reconcile(therapy, services, now: now, connection)
        }
        return .response(.noContent)
    }

    /// Assignments of plans for it are withdrawn as well, as when an appointment is cancelled.
    @Sendable static func withdraw(_ c: Context<Caseload>) throws -> Reply {
        let id: ID<Session> = try c.id("session")
        let therapy = c.proof.patient.id
        try c.write(.sessionRemoved, about: therapy, object: id) {
            [now = c.now, services = c.services, texts = c.texts] connection in
            let records = try SessionStore.noted(with: id, in: therapy, connection)
            if records.isEmpty {
                let isThere = try SessionStore.find(id, in: therapy, connection) != nil
                throw isThere ? Problem.conflict(Message("sessions.is_appointment")) : .notFound
            }
            for record in records {
                var use = try SessionUse(of: record, in: therapy, at: now, connection)
                use.assignments = 0
                try use.refuse(texts)
                try RemovedSessionStore.remove(record, in: therapy, at: now, connection)
            }
            try DeliveryPlanner.reconcile(therapy, services, now: now, connection)
        }
        return .response(.noContent)
    }
}

/// The things that depend on a session.
struct SessionUse: Sendable {
    var notes: Int
    var answers: Int
    /// Assignments for it that opened and have no answer.
    var assignments: Int

    init(
        of session: Session, in therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try self.init(of: session.id, in: therapy, at: now, connection)
    }

    init(
        of record: ID<Session>, in therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        notes = try SessionNoteStore.count(on: record, connection)
        (answers, assignments) = try DeliveryRuleStore.hanging(
            on: record, in: therapy, at: now, connection)
    }

    /// Each kind with its number; empty when nothing depends on it.
    func words(_ texts: Texts) -> [(field: String, text: String)] {
        [("notes", notes), ("answers", answers), ("assignments", assignments)].filter { $0.1 > 0 }.map {
            ($0.0, texts.count("sessions.use_\($0.0)", $0.1))
        }
    }

    /// - Throws: `Problem.conflict` that names what depends on it.
    func refuse(_ texts: Texts) throws(Problem) {
        let words = words(texts)
        if words.isEmpty { return }
        var errors = FieldErrors()
        for word in words { errors.add(word.field, "sessions.hangs", ["what": word.text]) }
        throw .conflict(
            Message("sessions.in_use", ["what": words.map(\.text).joined(separator: ", ")]), errors)
    }
}

extension AuditAction {
    static let sessionRemoved = AuditAction(name: "session.removed")
    static let sessionReturned = AuditAction(name: "session.returned")
}

extension Undo {
    static let sessionRemoval = Undo(
        by: "/patients/:patient/sessions/:session/return", shown: "/patients/:patient/sessions",
        RemovedSessionStore.revision)
    /// For sessions noted in one step.
    static let sessionEntry = Undo(
        by: "/patients/:patient/sessions/:session/withdrawal", shown: "/patients/:patient/sessions",
        SessionStore.entry)
}
