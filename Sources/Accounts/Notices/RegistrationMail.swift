import Database
import HTTP
import Identity
import Records
import Scheduling
import Secrets
import Web
import Wire
import Wording

/// Mails to an address that is not proved yet.
enum RegistrationMail {
    static let lifetimeDays: Int64 = 7
    /// To one address in an hour, for all registrations of it together.
    static let mostPerHour = 3

    /// Where the link leads, and the one that proves another address later.
    static func address(of token: Token, _ origin: String) -> String {
        "\(origin)/verify-email?token=\(token.text)"
    }

    /// Counts a mail, and tells whether it may go out. The answer to the request is the same.
    static func mayBeSent<P>(to lookup: [UInt8], _ c: Context<P>) throws -> Bool {
        do {
            try c.services.limiter.count(
                "registration mail \(lookup)", limit: mostPerHour, seconds: 3600, now: c.now)
            return true
        } catch Problem.tooManyRequests {
            return false
        }
    }

    /// The link that proves the address, with the time and the kind of browser that asked for it.
    static func link<P>(
        _ token: Token, to email: String, of person: Registrant, _ c: Context<P>
    ) throws -> QueuedMail {
        let texts = c.services.texts(person.language)
        let when = DateFormat(texts, Zone(person.timezone), now: c.now).dayAndTime(c.now)
        let device = DeviceNames.text(DeviceTraits(c.request), texts)
        let values = [
            "link": address(of: token, c.services.origin), "days": String(lifetimeDays), "when": when,
            "device": device ?? texts["registration.mail_some_device"],
        ]
        let mail = Mail(
            recipient: email, subject: texts["registration.mail_subject"],
            body: texts["registration.mail_body", values])
        return try c.services.envelope(mail, to: person.key, at: c.now)
    }

    /// For a forgotten password, where there is no proved account.
    static func wayToRegister<P>(_ account: AccountRecord, _ c: Context<P>) throws -> QueuedMail {
        let texts = c.services.texts(account.language)
        let mail = Mail(
            recipient: try account.email(c.keys), subject: texts["registration.way_subject"],
            body: texts["registration.way_body", ["link": "\(c.services.origin)/register"]])
        return try c.services.envelope(mail, to: try account.key(c.keys), at: c.now)
    }
}

/// What a mail needs to know of a registration.
struct Registrant: Sendable {
    let key: PersonKey
    let language: Language
    let timezone: String
}

extension Registrant {
    init(_ account: AccountRecord, _ keys: Keyring) throws {
        key = try account.key(keys)
        language = account.language
        timezone = account.timezone
    }
}
