import HTTP
import Records
import Therapies
import Web
import Wire

/// Calls with a patient outside of the app.
enum PhoneContactAPI {
    static func routes(_ routes: inout Routes) {
        let type = PhoneContact.self
        let path = "/patients/:patient/phone-contacts"
        routes.call(.get, path, .caseloadReader, .many("When a patient was reached by phone", type), index)
        routes.call(
            .post, path, .caseload,
            .one("Enter a call outside of the app", type, status: 201, takes: type.sent), create)
        routes.call(
            .delete, path + "/:contact", .caseload, .nothing("Remove such an entry").undone(.phoneContact),
            destroy)
        routes.call(
            .post, path + "/:contact/return", .caseload,
            .nothing("Bring a removed entry back").revised(Undo.phoneContact.revision), bringBack)
    }

    @Sendable static func index(_ c: Context<Caseload>) throws -> Reply {
        let paging = try Paging(c.request)
        let therapy = c.proof.patient
        let all = try c.read { try PhoneContactStore.all(in: therapy.id, $0) }
        let key = try therapy.key(c.keys)
        let (part, next) = paging.part(of: all) { Position($0.at, $0.id) }
        let items = try part.map {
            Item(id: $0.id, PhoneContact(at: $0.at, note: try $0.note(key)))
        }
        return try .data(Many(items, total: all.count, next: next))
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        let draft = try PhoneContactDraft.read(try c.body(), nil, now: c.now)
        let id = try PhoneContactActions.make(draft, c)
        return try .data(One(id: id, PhoneContact(at: draft.at, note: draft.note)), status: 201)
    }

    @Sendable static func destroy(_ c: Context<Caseload>) throws -> Reply {
        try PhoneContactActions.remove(c)
        return .response(.noContent)
    }

    @Sendable static func bringBack(_ c: Context<Caseload>) throws -> Reply {
        try PhoneContactActions.bringBack(c)
        return .response(.noContent)
    }
}
