import Records
import Therapies
import Web
import Wire
import Wording

/// Entering and removing calls outside of the app, for page and call alike.
enum PhoneContactActions {
    static func make(_ draft: PhoneContactDraft, _ c: Context<Caseload>) throws -> ID<PhoneContactRecord> {
        let therapy = c.proof.patient
        let id: ID<PhoneContactRecord> = c.newID()
        let key = try therapy.key(c.keys)
        let sealed = draft.note.map { key.seal($0, for: PhoneContactRecord.note(id)) }
        let change = try c.change(of: key, to: ["at": draft.at.text])
        try c.write(.phoneContactNoted, about: therapy.id, object: id, change: change) {
            [now = c.now] connection in
            try PhoneContactStore.insert(
                id, at: draft.at, note: sealed, in: therapy.id, madeAt: now, connection)
        }
        return id
    }

    /// - Throws: `Problem.notFound` for one of another patient, and for an unknown or removed one.
    static func remove(_ c: Context<Caseload>) throws { try set(removed: true, .phoneContactRemoved, c) }

    static func bringBack(_ c: Context<Caseload>) throws {
        try set(removed: false, .phoneContactReturned, c)
    }

    private static func set(removed isRemoved: Bool, _ action: AuditAction, _ c: Context<Caseload>) throws {
        let therapy = c.proof.patient.id
        let id: ID<PhoneContactRecord> = try c.id("contact")
        try c.write(action, about: therapy, object: id) { [now = c.now] connection in
            let isDone = try PhoneContactStore.setRemoved(
                id, at: isRemoved ? now : nil, in: therapy, connection)
            if isDone { return }
            let isThere = try PhoneContactStore.all(in: therapy, connection).contains { $0.id == id }
            throw isThere ? Problem.conflict(Message("undo.not_removed")) : .notFound
        }
    }
}

extension AuditAction {
    static let phoneContactNoted = AuditAction(name: "phone_contact.noted")
    static let phoneContactRemoved = AuditAction(name: "phone_contact.removed")
    static let phoneContactReturned = AuditAction(name: "phone_contact.returned")
}

extension Undo {
    static let phoneContact = Undo(
        by: "/patients/:patient/phone-contacts/:contact/return", shown: "/patients/:patient/phone-contacts",
        PhoneContactStore.revision)
}
