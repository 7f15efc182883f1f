import Database
import Foundation
import Outbound
import SMTP

/// How this installation runs. Everything has a default that is right for trying it out.
public struct Settings: Sendable {
    /// The folder with the database, `keys/`, `outbox/` and `sounds/`.
    public var data = "./data"
    /// Where `templates/` and `static/` lie.
    public var resources = "."
    /// What links begin with; nil until the server listens, then the address it listens on.
    public var publicURL: String?
    /// The clinic's zone, also the default of new accounts; nil for the one set in the portal, else the system's.
    public var timezone: String?
    /// Requests a minute and token; 0 switches the limits off.
    public var requestsPerMinute = 300
    /// Whose `X-Forwarded-For` is believed.
    public var trustedProxy: String?
    /// The server that mails go to, with name and password; nil for files in `outbox/`.
    public var smtpURL: String?
    /// Whom mails come from; nil for `noreply` at the host of the public address.
    public var sender: String?
    /// Hosts inside the operator's network that push messages may go to, as `HOST` or `HOST:PORT`.
    public var pushHosts: [String] = []
    /// Authorities that count besides the system's for everything that goes out, PEM.
    public var caFile: String?
    /// Whether staff need a second factor to sign in.
    public var secondFactor = SecondFactorRule.required
    /// The folder of scheduled backups; nil for `backups/` in the data folder.
    public var backups: String?
    /// How many days they are kept, 35 at most; 0 makes none.
    public var backupDays = 30
    /// However the days are set: erased people must not outlive their time in an old copy.
    package static let mostBackupDays = 35
    /// For how many days backups are kept, also those from when they were made still.
    package var backupsKeptDays: Int { backupDays > 0 ? backupDays : Self.mostBackupDays }
    /// A file that tells the time, for simulations; nil for the real clock.
    public var clockFile: String?
    /// Whether this server is reached from this machine alone; nil while nothing is served. Some things for tests are possible
    /// only there.
    public var servesLocally: Bool?
    /// Whether this server speaks TLS itself.
    public var speaksTLS = false
    /// Whether people reach the portal over TLS, from here or from a proxy.
    public var isSecure: Bool { publicURL?.hasPrefix("https://") ?? speaksTLS }

    public init() {}

    package var databasePath: String { data + "/intersession.sqlite" }
    /// The ids of whoever was erased: one a line, with the moment.
    package var erasedPath: String { data + "/keys/erased" }
    /// How far the audit log has come.
    package var anchorPath: String { data + "/keys/audit" }
    package var keyPath: String { data + "/keys/master.key" }
    /// A key on its way to be the master key.
    package var nextKeyPath: String { keyPath + ".next" }
    package var backupPath: String { backups ?? data + "/backups" }
    /// Exports on their way out.
    package var exportPath: String { data + "/exports" }
    package var outboxPath: String { data + "/outbox" }
    package var soundsPath: String { data + "/sounds" }
    /// Where uploads lie until they are kept or thrown away; on the same file system as those that are kept.
    package var incomingPath: String { soundsPath + "/incoming" }

    /// Where push messages may go.
    package var pushPolicy: OutboundPolicy {
        .publicAddresses(listed: Set(pushHosts.compactMap { ListedHost($0) }))
    }

    /// Whether this names a host as `--push-host` takes it.
    public static func isPushHost(_ text: String) -> Bool { ListedHost(text) != nil }

    package var relay: Relay? { smtpURL.flatMap(Relay.init) }

    /// Keys that were the master key once, for the backups made with them.
    package var retiredKeyPaths: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: data + "/keys")) ?? []
        return names.filter { $0.hasPrefix("retired-") && $0.hasSuffix(".key") }.sorted().map {
            data + "/keys/" + $0
        }
    }

    /// The key that waited takes its place; the old one is kept under a name that no other has.
    package func promoteNextKey() throws {
        let old = "\(data)/keys/retired-\(UUID().uuidString.lowercased()).key"
        do {
            // The old key has its second name on the disk before the first one is another's.
            try DurableFile.link(keyPath, to: old)
            try DurableFile.move(nextKeyPath, to: keyPath)
        } catch {
            throw StartError("\(nextKeyPath) could not take its place; it is the key to use")
        }
    }

    /// Whether an address is one that mails can be handed to.
    public static func isRelay(_ url: String) -> Bool { Relay(url) != nil }

    /// The version this program calls itself.
    public static let version = "0.1.0"
}

/// Who is asked for a second factor.
public enum SecondFactorRule: String, Sendable {
    /// All staff; who has none sets one up at the first login.
    case required
    /// Only those who have set one up; for trials and tests.
    case optional
}
