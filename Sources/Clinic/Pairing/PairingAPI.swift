import Accounts
import HTTP
import Identity
import Records
import Responses
import Scheduling
import Studies
import Therapies
import Web
import Wire
import Wording

/// Pairing from the app's side (IO-4), and what the app learns of the therapist (IO-7).
enum PairingAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/pairing-codes/:code", .patient, .one("Look at a code before using it", PairingCode.self),
            show)
        routes.call(
            .post, "/my/pairing", .patient,
            .one("Pair this account", Wire.Profile.self, status: 201, takes: pairing), create)
        routes.call(.get, "/my/therapist", .paired, .one("The own therapist", Wire.Therapist.self), therapist)
        routes.call(
            .get, "/my/therapist.vcf", .paired, .other("The own therapist as a card", "text/vcard"), card)
    }

    private static let pairing = Schema.object([
        Schema.property("code", .string), Schema.property("birth_date", .date),
        Schema.property("gender", .choice(Gender.allCases.map(\.rawValue))),
    ])

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let code = try PairingTry.find(c.places["code"] ?? "", c)
        let name = try c.read { connection in
            let therapist = try PairingStore.therapist(of: code.therapyID, connection)
            return try therapist.flatMap { try TherapistStore.card(of: $0, c.keys, connection)?.fullName }
        }
        return try .data(One(PairingCode(therapistName: name ?? "", expiresAt: code.expiresAt)))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let draft = try PairingDraft.read(try c.body(), now: c.now)
        let account = c.proof.account
        if try c.read({ try TherapyStore.running(of: account.id, $0) }) != nil {
            throw Problem.conflict(Message("pairing.already_paired"))
        }
        let code = try PairingTry.find(draft.code, c)
        let today = LocalTime(c.now, Zone(account.timezone)).date
        let profile = try c.write(.devicePaired, about: code.therapyID, object: account.id) {
            [keys = c.keys, now = c.now, services = c.services] connection in
            let key = try PairingStore.key(of: code.therapyID, keys, connection)
            let birthDate = key.seal(draft.birthDate.text, for: TherapyPlace.birthDate(code.therapyID))
            try PairingStore.spend(code.id, at: now, connection)
            try TherapyStore.pair(
                Paired(
                    therapy: code.therapyID, account: account.id, birthDate: birthDate, gender: draft.gender,
                    at: now, on: today), connection)
            try GroupStore.adopt(code.therapyID, of: account.id, at: now, connection)
            try DeliveryPlanner.reconcile(code.therapyID, services, now: now, connection)
            return try ProfileAPI.wire(account, keys, connection)
        }
        return try .data(One(profile), status: 201)
    }

    @Sendable static func therapist(_ c: Context<PairedPatient>) throws -> Reply {
        try .data(One(try ownCard(c).wire, meta: try notice(c)))
    }

    /// What the app should say beside the name: that answers are not watched, and who stands in during a holiday.
    private static func notice(_ c: Context<PairedPatient>) throws -> [String: String] {
        var notice = ["notice": c.texts["pairing.not_watched"]]
        let therapy = c.proof.therapy
        let today = LocalTime(c.now, Zone(c.proof.account.timezone)).date
        let (pauses, therapist) = try c.read { connection in
            (
                try PauseStore.own(of: therapy.therapistID, connection),
                try AccountStore.find(therapy.therapistID, connection)
            )
        }
        if let pause = pauses.last(where: { $0.startsOn <= today && $0.endsOn >= today }) {
            notice["away_until"] = pause.endsOn.text
            notice["cover"] = try therapist.flatMap { try pause.cover(try $0.key(c.keys)) }
        }
        return notice
    }

    @Sendable static func card(_ c: Context<PairedPatient>) throws -> Reply {
        .response(Response(type: "text/vcard; charset=utf-8", Array(try ownCard(c).vCard.utf8)))
    }

    private static func ownCard(_ c: Context<PairedPatient>) throws -> TherapistCard {
        let id = c.proof.therapy.therapistID
        guard let card = try c.read({ try TherapistStore.card(of: id, c.keys, $0) }) else {
            throw Problem.notFound
        }
        return card
    }
}

/// What the app sends to pair. Made only by reading.
struct PairingDraft: Sendable {
    let code: String
    let birthDate: LocalDate
    let gender: Gender

    /// - Throws: `Problem.invalid`.
    static func read(_ fields: InputReader, now: Instant) throws(Problem) -> PairingDraft {
        let code = fields.text("code", required: true, limit: 40)
        let birthDate = fields.date("birth_date", required: true)
        let gender = fields.choice("gender", from: Gender.allCases.map(\.rawValue), required: true)
        let today = LocalTime(now, Zone("UTC")).date
        if let birthDate, birthDate > today || birthDate.year < today.year - 130 {
            fields.refuse("birth_date", "errors.birth_date")
        }
        try fields.finish()
        guard let code, let birthDate, let gender = gender.flatMap(Gender.init(rawValue:)) else {
            throw .invalid(fields.errors)
        }
        return PairingDraft(code: code, birthDate: birthDate, gender: gender)
    }
}

/// A try with a code. Eight digits can be guessed, so wrong ones are counted: per account and for all together.
enum PairingTry {
    static let wrongPerHour = 10
    static let wrongPerDay = 100

    /// - Throws: `Problem.unknown` for an unknown code and for what is none, `.gone` for a dead one with the reason,
    ///   `.tooManyRequests` after ten wrong ones.
    static func find(_ text: String, _ c: Context<Member>) throws -> PairingCodeRecord {
        let limiter = c.services.limiter
        let key = "pairing \(c.proof.account.id)"
        if limiter.value(key, now: c.now) >= wrongPerHour {
            try limiter.count(key, limit: wrongPerHour, seconds: 3600, now: c.now)
        }
        let found = try PairingCodeRecord.normalised(text).flatMap { code in
            try c.read { try PairingStore.find(lookup: c.keys.lookup(code: code), $0) }
        }
        if let found, found.isLive(at: c.now) { return found }
        try limiter.count(key, limit: wrongPerHour, seconds: 3600, now: c.now)
        watchAll(c)
        throw found?.problem(at: c.now) ?? Problem.unknown(Message("pairing.code_unknown"))
    }

    /// Over the whole server a hundred wrong codes a day raise an alarm and slow every further wrong try; they
    /// never close pairing, or anybody could.
    private static func watchAll(_ c: Context<Member>) {
        let limiter = c.services.limiter
        try? limiter.count("pairing", limit: .max, seconds: 86_400, now: c.now)
        guard limiter.value("pairing", now: c.now) > wrongPerDay else { return }
        c.services.log.line("alarm", "many wrong pairing codes", at: c.now)
        c.services.delay(seconds: 2)
    }
}
