import Database
import Records
import Wire

/// A run as it is stored.
package struct MatchRecord: Sendable, FromRow {
    package let id: ID<MatchRecord>
    package let receivedAt: Instant
    package let frequencyHz: Double
    private let account: ID<Account>
    private let plain: TinnitusMatch
    private let sealedHeadphones: [UInt8]?
    private let sealedDevice: [UInt8]?

    package init(row: borrowing Row) throws {
        account = try row["account_id"]
        id = try row["id"]
        receivedAt = try row["received_at"]
        frequencyHz = try row["frequency_hz"]
        sealedHeadphones = try row["headphones"]
        sealedDevice = try row["device"]
        plain = TinnitusMatch(
            matchedAt: try row["matched_at"], method: try row["method"], ear: try row["ear"],
            kind: try row["kind"], frequencyHz: frequencyHz, levelSlDb: try row["level_sl_db"],
            bandwidthOctaves: try row["bandwidth_octaves"], certainty: try row["certainty"],
            run: try row["run"])
    }

    package var matchedAt: Instant { plain.matchedAt }

    package func match(_ key: PersonKey) throws -> TinnitusMatch {
        var match = plain
        match.headphones = try sealedHeadphones.map {
            String(decoding: try key.openBytes($0, from: MatchPlace.headphones(account, id)), as: UTF8.self)
        }
        match.device = try sealedDevice.map {
            String(decoding: try key.openBytes($0, from: MatchPlace.device(account, id)), as: UTF8.self)
        }
        return match
    }
}

/// The places of a run's sealed fields.
private enum MatchPlace {
    static func headphones(_ account: ID<Account>, _ id: ID<MatchRecord>) -> SealContext {
        SealContext("tinnitus_matches", "\(account)/\(id)", "headphones")
    }
    static func device(_ account: ID<Account>, _ id: ID<MatchRecord>) -> SealContext {
        SealContext("tinnitus_matches", "\(account)/\(id)", "device")
    }
}

/// Every statement about matching.
package enum MatchStore {
    package static func find(
        _ id: ID<MatchRecord>, of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> MatchRecord? {
        try connection.first("SELECT * FROM tinnitus_matches WHERE account_id = \(account) AND id = \(id)")
    }

    /// An account's runs, the newest first.
    package static func all(
        of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [MatchRecord] {
        try connection.all(
            """
            SELECT * FROM tinnitus_matches WHERE account_id = \(account) ORDER BY matched_at DESC, id
            """)
    }

    /// Whether an account has any run.
    @Sendable static func isAny(of account: ID<Account>, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists("SELECT 1 FROM tinnitus_matches WHERE account_id = \(account)")
    }

    /// The number of runs since a moment.
    static func count(
        of account: ID<Account>, since from: Instant, _ connection: borrowing Connection
    ) throws -> Int {
        try connection.count(
            """
            SELECT count(*) FROM tinnitus_matches WHERE account_id = \(account) AND received_at > \(from)
            """)
    }

    package static func insert(
        _ match: TinnitusMatch, _ id: ID<MatchRecord>, of account: ID<Account>, _ key: PersonKey,
        at now: Instant, _ connection: borrowing Connection
    ) throws {
        let headphones = match.headphones.map { key.seal($0, for: MatchPlace.headphones(account, id)) }
        let device = match.device.map { key.seal($0, for: MatchPlace.device(account, id)) }
        try connection.run(
            """
            INSERT INTO tinnitus_matches (account_id, id, matched_at, method, ear, kind, frequency_hz, level_sl_db,
                bandwidth_octaves, certainty, headphones, device, run, received_at)
            VALUES (\(account), \(id), \(match.matchedAt), \(match.method), \(match.ear), \(match.kind),
                \(match.frequencyHz), \(match.levelSlDb), \(match.bandwidthOctaves), \(match.certainty),
                \(headphones), \(device), \(match.run), \(now))
            """)
    }
}
