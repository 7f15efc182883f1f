import Database
import Records
import Therapies
import Wire
import Wording

/// Every statement about pairing codes.
package enum PairingStore {
    /// The newest code of a therapy.
    package static func current(of therapy: ID<Therapy>, _ connection: borrowing Connection) throws
        -> PairingCodeRecord?
    {
        try connection.first(
            "SELECT * FROM pairing_codes WHERE therapy_id = \(therapy) ORDER BY created_at DESC, id LIMIT 1")
    }

    /// The newest codes of all of a therapist's patients, by therapy.
    package static func current(
        ofTherapist therapist: ID<Account>, _ connection: borrowing Connection
    ) throws -> [ID<Therapy>: PairingCodeRecord] {
        let codes: [PairingCodeRecord] = try connection.all(
            """
            SELECT pairing_codes.* FROM pairing_codes JOIN therapies ON therapies.id = pairing_codes.therapy_id
            WHERE therapies.therapist_id = \(therapist) ORDER BY pairing_codes.created_at
            """)
        return Dictionary(codes.map { ($0.therapyID, $0) }, uniquingKeysWith: { _, newer in newer })
    }

    static func find(lookup: [UInt8], _ connection: borrowing Connection) throws -> PairingCodeRecord? {
        try connection.first("SELECT * FROM pairing_codes WHERE lookup = \(lookup)")
    }

    package static func therapist(
        of therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> ID<Account>? {
        try connection.value("SELECT therapist_id FROM therapies WHERE id = \(therapy)")
    }

    /// The therapy's key, for sealing during pairing.
    package static func key(
        of therapy: ID<Therapy>, _ keys: Keyring, _ connection: borrowing Connection
    ) throws -> PersonKey {
        let wrapped: [UInt8]? = try connection.value(
            "SELECT wrapped_key FROM therapies WHERE id = \(therapy)")
        guard let wrapped else { throw Problem.notFound }
        return try keys.unwrap(wrapped, owner: therapy)
    }

    /// Makes a new code; the former one no longer works. Codes are drawn until one is free.
    package static func make(
        for therapy: ID<Therapy>, with key: PersonKey, id: ID<PairingCode>,
        days: Int64 = PairingCodeRecord.defaultDays,
        _ chance: Randomness, _ keys: Keyring, now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE pairing_codes SET replaced_at = \(now), code = NULL
            WHERE therapy_id = \(therapy) AND used_at IS NULL AND replaced_at IS NULL
            """)
        var code = chance.digits(PairingCodeRecord.digits)
        while try find(lookup: keys.lookup(code: code), connection) != nil {
            code = chance.digits(PairingCodeRecord.digits)
        }
        let sealed = key.seal(code, for: TherapyPlace.code(id))
        try connection.run(
            """
            INSERT INTO pairing_codes (id, therapy_id, lookup, code, created_at, expires_at)
            VALUES (\(id), \(therapy), \(keys.lookup(code: code)), \(sealed), \(now), \(now.adding(days: days)))
            """)
    }

    /// - Throws: `Problem.gone` when it was used meanwhile.
    package static func spend(_ id: ID<PairingCode>, at now: Instant, _ connection: borrowing Connection)
        throws
    {
        let changed = try connection.run(
            """
            UPDATE pairing_codes SET used_at = \(now), code = NULL
            WHERE id = \(id) AND used_at IS NULL AND replaced_at IS NULL AND expires_at > \(now)
            """)
        if changed == 0 { throw Problem.gone(Message("pairing.code_used")) }
    }

    /// Removes the sealed digits of invalid codes at once, and their rows after 30 days.
    static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        let forgotten = now.adding(days: -PairingCodeRecord.memoryDays)
        try connection.run(
            "UPDATE pairing_codes SET code = NULL WHERE expires_at <= \(now) AND code IS NOT NULL")
        try connection.run(
            """
            DELETE FROM pairing_codes WHERE expires_at <= \(forgotten) OR used_at <= \(forgotten)
            OR replaced_at <= \(forgotten)
            """)
    }

    /// Ends all unused codes.
    static func replaceAll(at now: Instant, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            UPDATE pairing_codes SET replaced_at = \(now), code = NULL
            WHERE used_at IS NULL AND replaced_at IS NULL
            """)
    }
}
