import Database
import Foundation
import Outbound
import SMTP

/// How this installation runs. Every default is right for trying it out.
public struct Settings: Sendable {
    /// The folder with the database, `keys/`, `outbox/` and `sounds/`.
    public var data = "./data"
    /// The address of a database of PostgreSQL, as `postgresql://…`; nil for SQLite in the data folder.
    public var server: String?
    /// What other programs may do on it meanwhile, as the lock of the data folder says it for SQLite.
    public var programLock = ProgramLock.none
    /// The folder of `templates/` and `static/`.
    public var resources = "."
    /// The origin of links; nil until the server listens, then the address it listens on.
    public var publicURL: String?
    /// The clinic's zone, also the default of new accounts; nil for the one set in the portal, else the system's.
    public var timezone: String?
    /// Requests a minute for each token; 0 switches the limits off.
    public var requestsPerMinute = 300
    /// The proxies whose `X-Forwarded-For` is believed.
    public var trustedProxies: [AddressRange] = []
    /// The mail server's URL, with name and password; nil for files in `outbox/`.
    public var smtpURL: String?
    /// The sender of mails; nil for `noreply` at the host of the public address.
    public var sender: String?
    /// Hosts inside the operator's network that may receive push messages, as `HOST` or `HOST:PORT`.
    public var pushHosts: [String] = []
    /// A PEM file of certificate authorities trusted beside the system's for outgoing connections.
    public var caFile: String?
    /// Whether staff need a second factor to sign in.
    public var secondFactor = SecondFactorRule.required
    /// The folder of scheduled backups; nil for `backups/` in the data folder.
    public var backups: String?
    /// How many days backups are kept, 35 at most; 0 makes none.
    public var backupDays = 30
    /// The upper limit: an erased person must not live on in an old copy for longer.
    package static let mostBackupDays = 35
    /// How many days existing backups are kept, including those made before backups were switched off.
    package var backupsKeptDays: Int { backupDays > 0 ? backupDays : Self.mostBackupDays }
    /// A file with the current time, for simulations; nil for the real clock.
    public var clockFile: String?
    /// Whether only this machine reaches the server, as some test features require; nil while nothing is served.
    public var servesLocally: Bool?
    /// Whether this server speaks TLS itself.
    public var speaksTLS = false
    /// Whether people reach the portal over TLS, by this server or a proxy.
    public var isSecure: Bool { publicURL?.hasPrefix("https://") ?? speaksTLS }

    /// Whether a clinic is begun anew on purpose where a database was lost.
    public var beginsAnew = false

    public init() {}

    package var databasePath: String { data + "/intersession.sqlite" }
    package var database: DatabasePlace { server.map(DatabasePlace.server) ?? .file(databasePath) }
    /// Says of a data folder that its database is elsewhere.
    package var enginePath: String { data + "/engine" }
    /// Says of a data folder to which database on PostgreSQL its files belong.
    package var belongsPath: String { data + "/installation" }
    /// Whether a program has begun to keep something there.
    package func hasDatabase() throws -> Bool { try database.isInUse() }
    /// For the operator; an address holds a password and is not shown.
    package var databaseName: String { server == nil ? "in \(data)" : "at the address of --database" }
    /// The ids of erased accounts and therapies: one a line, with the moment.
    package var erasedPath: String { data + "/keys/erased" }
    package var anchorPath: String { data + "/keys/audit" }
    package var keyPath: String { data + "/keys/master.key" }
    /// Says that nothing was stored with the master key yet: it lies there until the first commit of all tables.
    package var unusedKeyPath: String { data + "/keys/unused" }
    /// A new master key before it is in force.
    package var nextKeyPath: String { keyPath + ".next" }
    package var backupPath: String { backups ?? data + "/backups" }
    /// Exports while they are downloaded.
    package var exportPath: String { data + "/exports" }
    package var outboxPath: String { data + "/outbox" }
    package var soundsPath: String { data + "/sounds" }
    /// The folder of incoming uploads, on the same file system as the files that are kept.
    package var incomingPath: String { soundsPath + "/incoming" }

    /// The hosts that may receive push messages.
    package var pushPolicy: OutboundPolicy {
        .publicAddresses(listed: Set(pushHosts.compactMap { ListedHost($0) }))
    }

    /// Whether this is a host as `--push-host` takes it.
    public static func isPushHost(_ text: String) -> Bool { ListedHost(text) != nil }

    package var relay: Relay? { smtpURL.flatMap(Relay.init) }

    /// Former master keys, for the backups made with them.
    package var retiredKeyPaths: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: data + "/keys")) ?? []
        return names.filter { $0.hasPrefix("retired-") && $0.hasSuffix(".key") }.sorted().map {
            data + "/keys/" + $0
        }
    }

    /// Puts the new key into force; the old one is kept under a name that no other has.
    package func promoteNextKey() throws {
        let old = "\(data)/keys/retired-\(UUID().uuidString.lowercased()).key"
        do {
            // The old key must have its second name on the disk before the new one takes the first.
            try DurableFile.link(keyPath, to: old)
            try DurableFile.move(nextKeyPath, to: keyPath)
        } catch {
            throw StartError("\(nextKeyPath) could not take its place; it is the key to use")
        }
    }

    /// Whether this is the URL of a mail server.
    public static func isRelay(_ url: String) -> Bool { Relay(url) != nil }

    public static let version = "0.1.0"
}

/// Which accounts need a second factor.
public enum SecondFactorRule: String, Sendable {
    /// All staff; accounts without one set it up at the first login.
    case required
    /// Only accounts that have set one up; for trials and tests.
    case optional
}
