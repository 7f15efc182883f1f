import Database
import HTTP
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// The own profile, and the one that therapists show their patients.
package enum ProfileAPI {
    static func routes(_ routes: inout Routes) {
        let own = AccountRevisionStore.profile
        let card = AccountRevisionStore.therapistProfile
        routes.call(
            .get, "/my/profile", .account, .one("The own profile", Wire.Profile.self).revised(own), show)
        routes.call(
            .patch, "/my/profile", .account,
            .one("Change language, zone, name, sex", Wire.Profile.self, takes: change).revised(own), update)
        routes.call(
            .get, "/my/therapist-profile", .therapist,
            .one("What patients see", Wire.Therapist.self).revised(card),
            showTherapist)
        routes.call(
            .put, "/my/therapist-profile", .therapist,
            .one("Change what patients see", Wire.Therapist.self, takes: therapist).revised(card),
            updateTherapist)
    }

    private static let change = Schema.object([
        Schema.optional("language", .language), Schema.optional("timezone", .string),
        Schema.optional("name", .string.orNull), Schema.optional("sex", .integer.orNull),
    ])
    private static let therapist = Schema.object([
        Schema.property("name", .string), Schema.optional("email", .string.orNull),
        Schema.optional("gender", .choice(Gender.allCases.map(\.rawValue)).orNull),
        Schema.optional("practice_address", Schema.of(Therapist.Address.self).orNull),
        Schema.optional("phone", .string.orNull), Schema.optional("emergency_phone", .string.orNull),
    ])

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        try .data(One(try c.read { try wire(try c.ownAccount($0), c.keys, $0) }))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let change = try OwnProfileChange.read(try c.body(), among: c.services.languages)
        return try .data(One(try change.save(c)))
    }

    @Sendable static func showTherapist(_ c: Context<Member>) throws -> Reply {
        try .data(One(try c.read { try TherapistStore.card(of: try c.ownAccount($0), c.keys, $0).wire }))
    }

    @Sendable static func updateTherapist(_ c: Context<Member>) throws -> Reply {
        let read = try TherapistProfile.read(try c.body(), email: try c.proof.account.email(c.keys))
        let card = try OwnProfileChange.save(read.name, read.profile, of: c.proof.account, c)
        return try .data(One(card.wire))
    }

    package static func wire(
        _ account: AccountRecord, _ keys: Keyring, _ connection: borrowing Connection
    ) throws -> Wire.Profile {
        let therapy = try TherapyStore.running(of: account.id, connection)
        return Wire.Profile(
            email: try account.email(keys), emailVerified: account.verifiedAt != nil,
            roles: account.roleNames,
            language: account.language.rawValue, timezone: account.timezone, paired: therapy != nil,
            researchConsent: account.researchConsent, name: try account.name(keys), sex: account.sex,
            patient: try therapy.map { try details($0, keys, connection) })
    }

    private static func details(
        _ therapy: Therapy, _ keys: Keyring, _ connection: borrowing Connection
    ) throws -> Wire.Profile.Details {
        let therapist = try TherapistStore.card(of: therapy.therapistID, keys, connection)
        return Wire.Profile.Details(
            codename: therapy.codename, birthDate: try therapy.birthDate(keys),
            gender: therapy.gender,
            therapyStartedOn: therapy.startedOn, therapyEndsOn: therapy.endsOn,
            therapistName: therapist?.fullName ?? "")
    }
}

/// The changeable parts of the own profile; an outer nil means "not sent", an inner one "emptied".
package struct OwnProfileChange: Sendable {
    package let language: Language?
    package let timezone: String?
    package let name: String??
    package let sex: Int??

    package static func read(_ fields: InputReader, among installed: [Language]) throws(Problem)
        -> OwnProfileChange
    {
        let language = fields.language("language", among: installed)
        let timezone = fields.timezone("timezone")
        for field in ["language", "timezone"] where fields.has(field) && fields.value(field) == nil {
            fields.refuse(field, "errors.required")
        }
        let name = fields.text("name", limit: 120)
        let sex = fields.number("sex")
        if let sex, ![0, 1, 2, 9].contains(sex) { fields.refuse("sex", "errors.choice") }
        try fields.finish()
        return OwnProfileChange(
            language: language, timezone: timezone,
            name: fields.has("name") ? .some(name) : nil,
            sex: fields.has("sex") ? .some(sex.map { Int($0) }) : nil)
    }

    /// Stores a change, for page and call alike.
    @discardableResult
    package func save(_ c: Context<Member>) throws -> Wire.Profile {
        let account = c.proof.account
        let name = try name.map { name in
            try name.map { try account.key(c.keys).seal($0, for: AccountPlace.name(account.id)) }
        }
        return try c.write(.profileChanged, about: account.id) {
            [language, timezone, sex, keys = c.keys, now = c.now] connection in
            if let language { try AccountStore.setLanguage(language, of: account.id, connection) }
            if let timezone {
                try AccountStore.setTimezone(timezone, of: account.id, at: now, connection)
            }
            if let name { try AccountStore.setName(name, of: account.id, connection) }
            if let sex { try AccountStore.setSex(sex, of: account.id, connection) }
            guard let account = try AccountStore.find(account.id, connection) else { throw Problem.notFound }
            return try ProfileAPI.wire(account, keys, connection)
        }
    }

    /// Stores a therapist's profile, for page and call alike. The call's name includes the degree already.
    static func save(
        _ name: String, _ profile: TherapistProfile, of account: AccountRecord, _ c: Context<Member>
    ) throws -> TherapistCard {
        let key = try account.key(c.keys)
        let sealedName = key.seal(name, for: AccountPlace.name(account.id))
        let sealedProfile = try profile.seal(for: account.id, with: key)
        try c.write(.profileChanged, about: account.id) { connection in
            try AccountStore.setName(sealedName, of: account.id, connection)
            try TherapistStore.save(sealedProfile, of: account.id, connection)
        }
        return TherapistCard(name: name, email: try account.email(c.keys), profile: profile)
    }
}
