import Database
import Foundation
import HTTP
import JSON
import Secrets
import Testing
import Wire

@testable import Identity
@testable import Pairing
@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Therapies
@testable import Web

/// Backups that are tried, restores that erase again, keys that change, and health that tells.
@Suite struct UpkeepTests {
    let portal: TestPortal

    init() throws { portal = try TestPortal() }

    var keeper: BackupScheduler { portal.services.backups }
    var health: Response { portal.call(.get, "/health") }

    // MARK: Backups

    @Test func `a backup is made once a day and kept for its days, for sixty of them`() throws {
        keeper.tick(at: portal.now)
        keeper.tick(at: portal.now)
        #expect(keeper.folder.files().count == 1)
        for _ in 0..<60 {
            portal.wait(days: 1)
            keeper.tick(at: portal.now)
        }
        let files = keeper.folder.files()
        #expect(files.count == 30 && files.first?.madeAt == portal.now)
        let mode = try FileManager.default.attributesOfItem(atPath: keeper.folder.path + "/" + files[0].name)
        #expect((mode[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(
            try Operations.verify(portal.services.settings, file: keeper.folder.path + "/" + files[0].name)
                == [])
    }

    @Test func `G7 health turns red when the last good backup is too old`() throws {
        #expect(health.status == 200)
        keeper.tick(at: portal.now)
        portal.wait(seconds: 25 * 3600)
        #expect(health.status == 503 && health.attributes["status"] == .string("failing"))
        #expect(health.attributes["database"] == .string("ok"))
        keeper.tick(at: portal.now)
        #expect(health.status == 200)
    }

    @Test func `after a long rest a server has an hour to make its backup`() throws {
        keeper.tick(at: portal.now.adding(days: -9))
        #expect(keeper.folder.files().count == 1 && health.status == 200)
        portal.wait(seconds: 3600)
        #expect(health.status == 503)
        keeper.tick(at: portal.now)
        #expect(health.status == 200)
    }

    @Test func `a copy that is not sound never becomes a backup`() throws {
        try portal.dropTrigger("audit_log_no_update", on: "audit_log")
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run("INSERT INTO audit_log (id, at, action) VALUES (500, 0, 'x')")
        }
        _ = portal.get("/patients/\(portal.cast.therapies[.pia] ?? "")", as: .ada)
        try portal.services.records.writeUnaudited(.madeUp) {
            try $0.run("UPDATE audit_log SET at = 1 WHERE id = 501")
        }
        keeper.tick(at: portal.now)
        #expect(keeper.folder.files().isEmpty)
        #expect(portal.logged.contains { $0.contains("backup failed") })
        let left = (try? FileManager.default.contentsOfDirectory(atPath: keeper.folder.path)) ?? []
        #expect(left == [])
    }

    @Test(.onSQLite) func `verify names what the schema lacks, has changed and has besides`() throws {
        let settings = portal.services.settings
        #expect(try Operations.verify(settings, file: nil) == [])
        let harm: [SQL] = [
            "DROP TRIGGER study_consents_no_edit", "DROP INDEX credentials_account",
            "DROP TABLE therapist_profiles", "CREATE TABLE notes (text TEXT)",
            "DROP TRIGGER audit_log_no_delete",
            """
            CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log WHEN OLD.id < 0
            BEGIN SELECT RAISE(ABORT, 'the audit log is only ever added to'); END
            """,
        ]
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            for statement in harm { try connection.run(statement) }
            // SQLite's own statistics do no harm.
            try connection.run("ANALYZE")
        }
        #expect(
            try Operations.verify(settings, file: nil) == [
                "index credentials_account is missing", "table notes is not of this program",
                "table therapist_profiles is missing",
                "trigger audit_log_no_delete is not as this program makes it",
                "trigger study_consents_no_edit is missing",
            ])
    }

    @Test func `mail that is stuck turns health red`() throws {
        let portal = try TestPortal { $0.smtpURL = "smtp://127.0.0.1:9" }
        _ = portal.call(.post, "/auth/password/forgot", #"{"email": "pia@example.org"}"#)
        #expect(portal.call(.get, "/health").status == 200)
        portal.wait(seconds: 3600)
        portal.services.postman.run(from: "http://example.org", at: portal.now)
        #expect(portal.call(.get, "/health").status == 503)
        let page = try Self.signedIn(portal).get("/admin/system").text
        #expect(page.contains("braucht Aufmerksamkeit"))
        #expect(page.contains("1 Versuch, zuletzt gescheitert mit „"))
    }

    static func signedIn(_ portal: TestPortal) throws -> Browser {
        let browser = Browser(portal)
        #expect(browser.signIn("uma@example.org").status == 303)
        return browser
    }

    @Test func `the button makes one, and the page lists it`() throws {
        #expect(portal.post("/admin/system/backups", as: .uma).status == 303)
        let page = portal.get("/admin/system", as: .uma).text
        #expect(page.contains("20.11.2026") && page.contains("geprüft"))
        #expect(portal.post("/admin/system/backups", as: .ada).status == 403)
        let line = portal.call(.get, "/audit-log?action=backup.made", as: .uma).list.first
        #expect(line?["attributes"]?["actor"] == .string("Uma Berger"))
    }

    // MARK: Restore

    func restore(_ file: String, replaces: Bool = true) throws {
        portal.services.close()
        try Operations.restore(portal.services.settings, from: file, replaces: replaces)
    }

    @Test func `G5 a restore brings the state of the backup, and nobody who was erased since`() throws {
        let copy = portal.services.settings.data + "/copy.sqlite"
        try Operations.backUp(portal.services.settings, to: copy)
        let password = #"{"password": "\#(Cast.password)"}"#
        #expect(portal.call(.delete, "/my/account", password, as: .pia).status == 204)
        #expect(portal.call(.post, "/patients", "{}", as: .ada).status == 201)
        let settings = portal.services.settings
        #expect(throws: StartError.self) { try restore(copy, replaces: false) }
        try restore(copy)
        let services = try Services(settings, gate: Cast.gate, log: .silent)
        defer { services.close() }
        let pia = portal.cast.accounts[.pia] ?? ""
        let ada = portal.cast.accounts[.ada] ?? ""
        try services.records.read { connection in
            #expect(try AccountStore.find(pia, connection) == nil)
            #expect(try TherapyStore.caseload(of: ada, connection).count == 1)
            let last: String? = try connection.value("SELECT action FROM audit_log ORDER BY id DESC LIMIT 1")
            #expect(last == "backup.restored")
        }
        #expect(try Operations.verify(settings, file: nil) == [])
        // What was replaced is kept, and taken for no backup.
        #expect(BackupFolder(path: settings.backupPath).files().isEmpty)
        let kept = try FileManager.default.contentsOfDirectory(atPath: settings.backupPath)
        #expect(kept.contains { $0.hasPrefix("replaced-") && $0.hasSuffix(".sqlite") })
    }

    @Test func `a restore brings no session, no link and no code to life`() throws {
        let copy = portal.services.settings.data + "/copy.sqlite"
        _ = portal.call(.post, "/auth/password/forgot", #"{"email": "pia@example.org"}"#)
        let mail = try #require(try portal.mails().last)
        let link = try #require(mail.firstMatch(of: /reset\?token=([A-Za-z0-9_-]{43})/)).1
        let ada = portal.cast.accounts[.ada] ?? ""
        let now = portal.now
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run(
                """
                INSERT INTO calendar_feeds (account_id, lookup, token, created_at)
                VALUES (\(ada), \([1] as [UInt8]), \([2] as [UInt8]), \(now))
                """)
            try connection.run(
                "INSERT INTO recovery_codes (lookup, account_id) VALUES (\([3] as [UInt8]), \(ada))")
            try connection.run(
                """
                INSERT INTO mails (id, account_id, message, made_at, next_try_at)
                VALUES ('mail', \(ada), \([4] as [UInt8]), \(now), \(now))
                """)
            try connection.run(
                """
                INSERT INTO mail_tokens (hash, account_id, purpose, created_at, expires_at)
                VALUES (\([5] as [UInt8]), \(ada), 'verify', \(now), \(now.adding(days: 1)))
                """)
        }
        let opening: [SQL] = [
            "SELECT count(*) FROM credentials", "SELECT count(*) FROM password_resets",
            "SELECT count(*) FROM mail_tokens", "SELECT count(*) FROM calendar_feeds",
            "SELECT count(*) FROM mails", "SELECT count(*) FROM recovery_codes",
            "SELECT count(*) FROM pairing_codes WHERE code IS NOT NULL",
        ]
        try portal.services.records.read { (connection: borrowing Connection) throws -> Void in
            for query in opening { #expect(try connection.count(query) > 0, "\(query)") }
        }
        try Operations.backUp(portal.services.settings, to: copy)
        let settings = portal.services.settings
        try restore(copy)
        let services = try Services(settings, gate: Cast.gate, log: .silent)
        defer { services.close() }
        try services.records.read { (connection: borrowing Connection) throws -> Void in
            for query in opening { #expect(try connection.count(query) == 0, "\(query)") }
        }
        let answer = Pipeline(services).respond(
            to: Request(method: .get, target: try #require(Target("/password/reset?token=\(link)"))))
        #expect(answer.status == 200)
    }

    @Test(.onSQLite) func `a database that is damaged is moved aside for a good copy`() throws {
        let settings = portal.services.settings
        let copy = settings.data + "/copy.sqlite"
        try Operations.backUp(settings, to: copy)
        portal.services.close()
        let file = try #require(FileHandle(forWritingAtPath: settings.databasePath))
        try file.write(contentsOf: Data(repeating: 0x5a, count: 100))
        try file.close()
        try Operations.restore(settings, from: copy, replaces: true)
        #expect(try Operations.verify(settings, file: nil) == [])
    }

    @Test func `after two changes of keys a copy from before the first is restored`() throws {
        let settings = portal.services.settings
        let copy = settings.data + "/copy.sqlite"
        try Operations.backUp(settings, to: copy)
        portal.services.close()
        try Operations.rotateKeys(settings)
        try Operations.rotateKeys(settings)
        #expect(settings.retiredKeyPaths.count == 2)
        #expect(try Operations.verify(settings, file: copy) == [])
        try Operations.restore(settings, from: copy, replaces: true)
        let services = try Services(settings, gate: Cast.gate, log: .silent)
        defer { services.close() }
        let lookup = services.keys.lookup(email: "pia@example.org")
        let pia = try services.records.read { try AccountStore.find(lookup: lookup, $0) }
        #expect(try pia?.email(services.keys) == "pia@example.org")
        #expect(try Operations.verify(settings, file: nil) == [])
    }

    @Test func `an erased person stays erased behind a line that was cut short`() throws {
        let settings = portal.services.settings
        let copy = settings.data + "/copy.sqlite"
        try Operations.backUp(settings, to: copy)
        try Data("11111111-1111-4111-8111-1111".utf8).write(to: URL(fileURLWithPath: settings.erasedPath))
        let password = #"{"password": "\#(Cast.password)"}"#
        #expect(portal.call(.delete, "/my/account", password, as: .pia).status == 204)
        try restore(copy)
        let services = try Services(settings, gate: Cast.gate, log: .silent)
        defer { services.close() }
        let id = portal.cast.accounts[.pia] ?? ""
        #expect(try services.records.read { try AccountStore.find(id, $0) } == nil)
    }

    @Test func `old copies go also when none are made, but for the newest that is sound`() throws {
        let portal = try TestPortal { $0.backupDays = 0 }
        let keeper = portal.services.backups
        let folder = keeper.folder.path
        for days in [50, 49] as [Int64] { try keeper.make(by: nil, at: portal.now.adding(days: -days)) }
        let names = [
            "replaced-20261001T090000.sqlite", "replaced-20261001T090000.sqlite-wal", "notes.txt",
            "intersession-20261002T090000.sqlite",
        ]
        for name in names {
            _ = FileManager.default.createFile(atPath: folder + "/" + name, contents: Data())
        }
        let newest = BackupFolder.name(at: portal.now.adding(days: -49))
        // The clock proves itself first: what was last known is seven weeks ago.
        for _ in 0..<4 {
            keeper.tick(at: portal.now)
            portal.wait(days: 1)
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(left == [newest, "erased", "notes.txt"].sorted())
    }

    @Test func `a restore refuses what is broken, foreign or newer, and leaves everything as it was`() throws
    {
        let settings = portal.services.settings
        let good = settings.data + "/good.sqlite"
        try Operations.backUp(settings, to: good)
        let damaged = settings.data + "/damaged.sqlite"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: good))
        for place in stride(from: 4096, to: bytes.count, by: 512) { bytes[place] ^= 0xff }
        try bytes.write(to: URL(fileURLWithPath: damaged))
        let text = settings.data + "/text.sqlite"
        try Data("not a database, whatever its name says".utf8).write(to: URL(fileURLWithPath: text))
        let other = try TestPortal()
        try KeyFileSwap.newKey(other.services.settings)
        portal.services.close()
        for file in [damaged, text, settings.data + "/none.sqlite"] {
            #expect(throws: (any Error).self) {
                try Operations.restore(settings, from: file, replaces: true)
            }
        }
        // Keys of another installation.
        var foreign = other.services.settings
        foreign.data = settings.data + "-foreign"
        defer { try? FileManager.default.removeItem(atPath: foreign.data) }
        try FileManager.default.createDirectory(
            atPath: foreign.data + "/keys", withIntermediateDirectories: true)
        #expect(throws: StartError.self) { try Operations.restore(foreign, from: good, replaces: false) }
        _ = try KeyFile.loadOrCreate(foreign.keyPath)
        #expect(throws: StartError.self) { try Operations.restore(foreign, from: good, replaces: false) }
        #expect(!FileManager.default.fileExists(atPath: foreign.databasePath))
        #expect(try Operations.verify(settings, file: nil) == [])
    }

    /// A folder whose key was exchanged by hand.
    enum KeyFileSwap {
        static func newKey(_ settings: Settings) throws {
            try FileManager.default.removeItem(atPath: settings.keyPath)
            _ = try KeyFile.loadOrCreate(settings.keyPath)
        }
    }

    // MARK: Keys

    @Test func `with another master key everything is readable, and the old one opens nothing`() throws {
        let settings = portal.services.settings
        let before = try Data(contentsOf: URL(fileURLWithPath: settings.keyPath))
        portal.services.close()
        try Operations.rotateKeys(settings)
        let after = try Data(contentsOf: URL(fileURLWithPath: settings.keyPath))
        #expect(before != after && !FileManager.default.fileExists(atPath: settings.nextKeyPath))
        #expect(try Operations.verify(settings, file: nil) == [])
        let services = try Services(settings, gate: Cast.gate, log: .silent)
        defer { services.close() }
        let pia = portal.cast.accounts[.pia] ?? ""
        let therapy = portal.cast.therapies[.pia] ?? ""
        try services.records.read { connection in
            let account = try #require(try AccountStore.find(pia, connection))
            #expect(try account.email(services.keys) == "pia@example.org")
            #expect(try TherapyStore.find(therapy, connection)?.note(services.keys) == "Notiz zu C000001")
            // Looked up as before: addresses and codes.
            let lookup = services.keys.lookup(email: "pia@example.org")
            #expect(try AccountStore.find(lookup: lookup, connection)?.id == pia)
            let code = services.keys.lookup(code: portal.cast.openCode)
            #expect(try PairingStore.find(lookup: code, connection) != nil)
        }
        let old = try Keyring(master: try #require(SecretKey(Array(before))))
        try services.records.read { connection in
            let account = try #require(try AccountStore.find(pia, connection))
            #expect(throws: SealBroken.self) { try account.email(old) }
        }
    }

    @Test func `a change of keys that was cut short is finished or forgotten`() throws {
        let settings = portal.services.settings
        portal.services.close()
        // The power went before the database took it: the next key is forgotten.
        try KeyFile.write(.random(), to: settings.nextKeyPath)
        try Services(settings, gate: Cast.gate, log: .silent).close()
        #expect(!FileManager.default.fileExists(atPath: settings.nextKeyPath))
        // And after: it takes its place.
        let old = try Data(contentsOf: URL(fileURLWithPath: settings.keyPath))
        try Operations.rotateKeys(settings)
        try FileManager.default.moveItem(atPath: settings.keyPath, toPath: settings.nextKeyPath)
        for path in settings.retiredKeyPaths { try FileManager.default.removeItem(atPath: path) }
        try old.write(to: URL(fileURLWithPath: settings.keyPath))
        let services = try Services(settings, gate: Cast.gate, log: .silent)
        defer { services.close() }
        let lookup = services.keys.lookup(email: "pia@example.org")
        let pia = try services.records.read { try AccountStore.find(lookup: lookup, $0) }
        #expect(try pia?.email(services.keys) == "pia@example.org")
    }

    @Test func `E2 keys of another installation are refused`() throws {
        let settings = portal.services.settings
        portal.services.close()
        try KeyFileSwap.newKey(settings)
        #expect(throws: StartError.self) { try Services(settings, gate: Cast.gate, log: .silent) }
        #expect(try Operations.verify(settings, file: nil).first?.contains("do not belong") == true)
        try FileManager.default.removeItem(atPath: settings.keyPath)
        #expect(throws: StartError.self) { try Services(settings, gate: Cast.gate, log: .silent) }
    }
}
