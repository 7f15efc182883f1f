import Database
import Delivery
import HTTP
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// Pauses of a patient, and the therapist's own.
enum PauseAPI {
    static func routes(_ routes: inout Routes) {
        let type = Wire.Pause.self
        routes.call(
            .get, "/patients/:patient/pauses", .caseloadReader,
            .many("What rests for a patient: their pauses and the therapist's", type), index)
        routes.call(
            .post, "/patients/:patient/pauses", .caseload,
            .one("Enter a pause of a patient", type, status: 201, takes: type.sent), create)
        routes.call(
            .delete, "/patients/:patient/pauses/:pause", .caseload,
            .nothing("Take a patient's pause back")
                .undone(.pause),
            destroy)
        routes.call(
            .post, "/patients/:patient/pauses/:pause/return", .caseload,
            .nothing("Bring a patient's pause back").revised(Undo.pause.revision), bringBack)
        routes.call(.get, "/pauses", .therapist, .many("The own holidays", type), own)
        routes.call(
            .post, "/pauses", .therapist,
            .one("Enter a holiday; it goes for all patients", type, status: 201, takes: type.sent), createOwn)
        routes.call(
            .delete, "/pauses/:pause", .therapist, .nothing("Take a holiday back").undone(.holiday),
            destroyOwn)
        routes.call(
            .post, "/pauses/:pause/return", .therapist,
            .nothing("Bring a holiday back").revised(Undo.holiday.revision), bringOwnBack)
    }

    // MARK: Of a patient

    @Sendable static func index(_ c: Context<Caseload>) throws -> Reply {
        let paging = try Paging(c.request)
        let therapy = c.proof.patient
        return try list(try c.read { try PauseStore.all(for: therapy, $0) }, therapy, paging, c)
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        let therapist = try c.owner()
        let therapy = c.proof.patient
        let draft = try PauseDraft.read(try c.body(), today: c.dates.today)
        let id = try PauseActions.make(draft, of: therapist, for: therapy, c)
        return try .data(One(id: id, wire(draft, whose: "patient")), status: 201)
    }

    @Sendable static func destroy(_ c: Context<Caseload>) throws -> Reply {
        try PauseActions.remove(try c.id("pause"), of: try c.owner(), for: c.proof.patient, c)
        return .response(.noContent)
    }

    @Sendable static func bringBack(_ c: Context<Caseload>) throws -> Reply {
        try PauseActions.bringBack(try c.id("pause"), of: c.proof.therapist, for: c.proof.patient, c)
        return .response(.noContent)
    }

    // MARK: The own

    @Sendable static func own(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let therapist = c.proof.account.id
        return try list(try c.read { try PauseStore.own(of: therapist, $0) }, nil, paging, c)
    }

    @Sendable static func createOwn(_ c: Context<Member>) throws -> Reply {
        let draft = try PauseDraft.read(try c.body(), today: c.dates.today)
        let id = try PauseActions.make(draft, of: c.proof.account, for: nil, c)
        return try .data(One(id: id, wire(draft, whose: "therapist")), status: 201)
    }

    @Sendable static func destroyOwn(_ c: Context<Member>) throws -> Reply {
        try PauseActions.remove(try c.id("pause"), of: c.proof.account, for: nil, c)
        return .response(.noContent)
    }

    @Sendable static func bringOwnBack(_ c: Context<Member>) throws -> Reply {
        try PauseActions.bringBack(try c.id("pause"), of: c.proof.account, for: nil, c)
        return .response(.noContent)
    }

    private static func wire(_ draft: PauseDraft, whose: String) -> Wire.Pause {
        Wire.Pause(startsOn: draft.startsOn, endsOn: draft.endsOn, cover: draft.cover, whose: whose)
    }

    private static func list<P>(
        _ all: [PauseRecord], _ therapy: Therapy?, _ paging: Paging, _ c: Context<P>
    ) throws -> Reply {
        let newest = all.sorted { ($1.startsOn, $0.id) < ($0.startsOn, $1.id) }
        let (part, next) = paging.part(of: newest) {
            Position(number: $0.startsOn.daysSince1970, $0.id)
        }
        let items = try c.read { connection in
            try part.map { pause in
                let cover = try PauseReader.cover(of: pause, therapy, c.keys, connection)
                let whose = pause.therapyID == nil ? "therapist" : "patient"
                return Item(
                    id: pause.id,
                    Wire.Pause(
                        startsOn: pause.startsOn, endsOn: pause.endsOn, cover: cover, whose: whose))
            }
        }
        return try .data(Many(items, total: all.count, next: next))
    }
}

/// Opens the sealed field of a pause.
enum PauseReader {
    static func cover(
        of pause: PauseRecord, _ therapy: Therapy?, _ keys: Keyring, _ connection: borrowing Connection
    ) throws -> String? {
        if pause.therapyID != nil { return try therapy.flatMap { try pause.cover(try $0.key(keys)) } }
        let account = try AccountStore.find(pause.therapistID, connection)
        return try account.flatMap { try pause.cover(try $0.key(keys)) }
    }
}
