import Database
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// Entering and opening the emergency contact of a patient (PR-29), for page and call alike.
enum EmergencyActions {
    /// - Throws: `Problem.invalid`.
    static func read(_ fields: InputReader) throws(Problem) -> EmergencyContact {
        let name = fields.text("name", required: true, limit: 120)
        let relation = fields.text("relation", limit: 80)
        let phone = fields.phone("phone", required: true)
        let knows = fields.bool("knows") ?? (fields.isForm ? false : nil)
        if knows == nil, fields.value("knows") == nil { fields.refuse("knows", "errors.required") }
        try fields.finish()
        guard let name, let phone, let knows else { throw .invalid(fields.errors) }
        return EmergencyContact(name: name, relation: relation, phone: phone, knows: knows)
    }

    static func save(_ contact: EmergencyContact, _ c: Context<Caseload>) throws {
        let therapy = c.proof.patient
        let sealed = try EmergencyContactRecord.seal(contact, of: therapy.id, try therapy.key(c.keys))
        try c.write(.emergencyContactSaved, about: therapy.id, object: therapy.id) {
            [now = c.now] connection in
            try EmergencyContactStore.save(sealed, in: therapy.id, at: now, connection)
        }
    }

    /// - Throws: `Problem.notFound` without one.
    static func remove(_ c: Context<Caseload>) throws {
        let therapy = c.proof.patient.id
        try c.write(.emergencyContactRemoved, about: therapy, object: therapy) { connection in
            guard try EmergencyContactStore.remove(in: therapy, connection) else { throw Problem.notFound }
        }
    }

    static func find(_ c: Context<Caseload>) throws -> EmergencyContact? {
        let therapy = c.proof.patient
        let key = try therapy.key(c.keys)
        return try c.read { try EmergencyContactStore.find(in: therapy.id, $0) }?.contact(key)
    }

    // MARK: Opening

    /// A reason as sent. Made only by reading.
    struct Asked {
        let reason: EmergencyOpening.Reason
        let words: String?

        /// - Throws: `Problem.invalid`.
        static func read(_ fields: InputReader) throws(Problem) -> Asked {
            let reason: EmergencyOpening.Reason? = fields.choice("reason", required: true)
            let words = fields.text("words", limit: 500, lines: true)
            try fields.finish()
            guard let reason else { throw .invalid(fields.errors) }
            return Asked(reason: reason, words: words)
        }
    }

    /// Notes the reason in the patient's access log and for the therapist, and only then shows the contact.
    /// - Throws: `Problem.notFound` without one.
    static func open(_ asked: Asked, _ c: Context<Caseload>) throws -> EmergencyContact {
        let therapy = c.proof.patient
        let key = try therapy.key(c.keys)
        let opening = EmergencyOpening(
            id: c.newID(), of: therapy.id, by: c.proof.therapist.id, asked.reason, at: c.now)
        let words = asked.words.map { key.seal($0, for: EmergencyOpening.words(opening.id)) }
        return try c.write(.emergencyContactOpened, about: therapy.id, object: asked.reason.rawValue) {
            connection in
            guard let record = try EmergencyContactStore.find(in: therapy.id, connection) else {
                throw Problem.notFound
            }
            try EmergencyContactStore.insert(opening, words: words, connection)
            return try record.contact(key)
        }
    }

    /// The reader's own opening that still shows the contact; nil without one.
    static func recent(_ c: Context<Caseload>) throws -> EmergencyOpening? {
        try c.read { try EmergencyContactStore.openings(in: c.proof.patient.id, $0) }.first {
            $0.accountID == c.proof.therapist.id
                && $0.openedAt > c.now.adding(seconds: -EmergencyOpening.seconds)
        }
    }

    /// Reading twice is harmless.
    static func markRead(_ c: Context<Caseload>) throws {
        let id: ID<EmergencyOpening> = try c.id("opening")
        let therapy = c.proof.patient.id
        let found = try c.read { try EmergencyContactStore.openings(in: therapy, $0) }.first { $0.id == id }
        guard found != nil else { throw Problem.notFound }
        try c.write(.emergencyOpeningRead, about: therapy, object: id) { [now = c.now] connection in
            _ = try EmergencyContactStore.markRead(id, in: therapy, at: now, connection)
        }
    }
}

extension AuditAction {
    static let emergencyContactSaved = AuditAction(name: "emergency_contact.saved")
    static let emergencyContactRemoved = AuditAction(name: "emergency_contact.removed")
    static let emergencyContactOpened = AuditAction(name: "emergency_contact.opened")
    static let emergencyOpeningRead = AuditAction(name: "emergency_contact.opening_read")
}
