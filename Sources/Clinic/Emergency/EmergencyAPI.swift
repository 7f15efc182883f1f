import HTTP
import Records
import Therapies
import Web
import Wire
import Wording

/// The emergency contact of a patient (PR-29).
enum EmergencyAPI {
    static func routes(_ routes: inout Routes) {
        let type = EmergencyContact.self
        let path = "/patients/:patient/emergency-contact"
        let revision = EmergencyContactStore.revision
        routes.call(
            .get, path, .caseloadOwner, .one("The person to call in danger", type).revised(revision), show)
        routes.call(
            .put, path, .caseloadOwner, .one("Enter or change it", type, takes: type.sent).revised(revision),
            update)
        routes.call(.delete, path, .caseloadOwner, .nothing("Remove it").revised(revision), destroy)
        let reason = Schema.choice(EmergencyOpening.Reason.allCases.map(\.rawValue))
        routes.call(
            .post, path + "/opening", .caseloadStandIn,
            .one(
                "Open it with a reason, which stands in the patient's access log", type,
                takes: .object([Schema.property("reason", reason), Schema.optional("words", .string.orNull)])),
            open)
        routes.call(
            .post, path + "/openings/:opening/read", .caseloadOwner, .nothing("An opening was read"), read)
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        guard let contact = try EmergencyActions.find(c) else { throw Problem.notFound }
        return try .data(One(id: c.proof.patient.id, contact))
    }

    @Sendable static func update(_ c: Context<Caseload>) throws -> Reply {
        let contact = try EmergencyActions.read(try c.body())
        try EmergencyActions.save(contact, c)
        return try .data(One(id: c.proof.patient.id, contact))
    }

    @Sendable static func destroy(_ c: Context<Caseload>) throws -> Reply {
        try EmergencyActions.remove(c)
        return .response(.noContent)
    }

    @Sendable static func open(_ c: Context<Caseload>) throws -> Reply {
        let asked = try EmergencyActions.Asked.read(try c.body())
        return try .data(One(id: c.proof.patient.id, try EmergencyActions.open(asked, c)))
    }

    @Sendable static func read(_ c: Context<Caseload>) throws -> Reply {
        try EmergencyActions.markRead(c)
        return .response(.noContent)
    }
}
