import Accounts
import HTTP
import Therapies
import Web
import Wire
import Wording

/// Pairing from the app's side (IO-4), and the app's view of the therapist (IO-7).
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
        let name = try PairingActions.therapist(of: code, c)
        return try .data(One(PairingCode(therapistName: name ?? "", expiresAt: code.expiresAt)))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let draft = try PairingDraft.read(try c.body(), now: c.now)
        let profile = try PairingActions.pair(draft, c)
        return try .data(One(profile), status: 201)
    }

    @Sendable static func therapist(_ c: Context<PairedPatient>) throws -> Reply {
        try .data(One(try OwnTherapist.card(c).wire, meta: try notice(c)))
    }

    /// Texts for the app beside the name: that answers are not monitored, and the substitute during a holiday.
    private static func notice(_ c: Context<PairedPatient>) throws -> [String: String] {
        var notice = ["notice": c.texts["pairing.not_watched"]]
        let absence = try OwnTherapist.absence(c)
        notice["away_until"] = absence?.until.text
        notice["cover"] = absence?.cover
        return notice
    }

    @Sendable static func card(_ c: Context<PairedPatient>) throws -> Reply {
        .response(Response(type: OwnTherapist.cardType, Array(try OwnTherapist.card(c).vCard.utf8)))
    }
}
