import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Sounds
@testable import Web

/// An unattended server over weeks: damage, a clock that jumps, a full disk, a kill.
@Suite struct NightTests {
    let portal: TestPortal

    init() throws { portal = try TestPortal() }

    var keeper: BackupScheduler { portal.services.backups }

    func live(days: Int) {
        for _ in 0..<days {
            keeper.tick(at: portal.now)
            portal.wait(days: 1)
        }
    }

    /// A page of a table that nothing here asks for, as a disk spoils it.
    func damageAPage() throws {
        let records = portal.services.records
        records.tidy()
        for _ in 0..<2 { try records.writeUnaudited(.madeUp) { _ in } }
        let page: Int = try records.read {
            try $0.value("SELECT rootpage FROM sqlite_master WHERE name = 'phone_contacts'") ?? 0
        }
        let file = try #require(FileHandle(forWritingAtPath: portal.services.settings.databasePath))
        try file.seek(toOffset: UInt64(page - 1) * 4096)
        try file.write(contentsOf: Data(repeating: 0x5a, count: 4096))
        try file.close()
    }

    /// The parts of health that fail, by name.
    func failing() -> Set<String> {
        let parts = portal.call(.get, "/health").attributes["parts"]?.array ?? []
        return Set(parts.filter { $0["status"] == .string("failing") }.compactMap { $0["name"]?.string })
    }

    // MARK: Backups

    @Test(.onSQLite) func `FD-31 a damaged page after a long pause leaves the newest sound backup, for ever`()
        throws
    {
        live(days: 5)
        let newest = try #require(keeper.folder.files().first)
        portal.wait(days: 90)
        try damageAPage()
        for _ in 0..<60 {
            live(days: 1)
            #expect(keeper.folder.files().contains { $0.name == newest.name })
        }
        #expect(keeper.folder.files().map(\.name) == [newest.name])
        #expect(try Operations.verify(portal.services.settings, file: newest.path) == [])
        #expect(portal.logged.contains { $0.contains("backup failed") })
        #expect(failing().contains("backup"))
    }

    @Test(.onSQLite) func `FD-31 a backup that has rotted is not the one that is left`() throws {
        live(days: 5)
        let files = keeper.folder.files()
        // Another process: nothing is proved yet.
        let later = BackupScheduler(portal.services.settings, portal.services.records, .silent)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: files[0].path))
        for place in stride(from: 4096, to: bytes.count, by: 512) { bytes[place] ^= 0xff }
        try bytes.write(to: URL(fileURLWithPath: files[0].path))
        portal.wait(days: 90)
        try damageAPage()
        for _ in 0..<6 {
            later.tick(at: portal.now)
            portal.wait(days: 1)
        }
        #expect(keeper.folder.files().map(\.name) == [files[1].name])
    }

    @Test(.onSQLite) func `FD-31 a server that starts anew says at once that no backup can be made`() throws {
        try damageAPage()
        #expect(!failing().contains("backup"))
        keeper.tick(at: portal.now)
        #expect(failing().contains("backup"))
    }

    // MARK: The clock

    @Test func `FD-32 a clock that was ahead stops no backups, and health and log say it`() throws {
        live(days: 3)
        portal.wait(days: 400)
        keeper.tick(at: portal.now)
        let ahead = try #require(keeper.folder.files().first)
        #expect(ahead.madeAt == portal.now)
        portal.wait(days: -399)
        #expect(failing().isSuperset(of: ["backup", "clock"]))
        keeper.tick(at: portal.now)
        #expect(keeper.folder.files(at: portal.now).first?.madeAt == portal.now)
        #expect(failing() == ["clock"])
        #expect(portal.logged.contains { $0.contains("dated ahead") && $0.contains(ahead.name) })
        try portal.wait(awake: 0)
        #expect(portal.get("/admin/system", as: .uma).text.contains("Die Uhr ist gesprungen"))
        // It does not lie there for a year: its days count from when it was noticed.
        portal.wait(seconds: 60)
        for _ in 0..<29 {
            live(days: 1)
            #expect(keeper.folder.files().contains { $0.name == ahead.name })
        }
        live(days: 3)
        #expect(!keeper.folder.files().contains { $0.name == ahead.name })
        keeper.tick(at: portal.now)
        #expect(failing() == [])
    }

    @Test func `FD-32 a jump of days deletes nothing until the clock has proved itself`() throws {
        live(days: 10)
        let before = keeper.folder.files().map(\.name)
        portal.wait(days: 60)
        #expect(failing().contains("clock"))
        keeper.tick(at: portal.now)
        #expect(portal.logged.contains { $0.contains("the clock jumped") })
        for _ in 0..<48 {
            portal.wait(seconds: 3600)
            keeper.tick(at: portal.now)
        }
        #expect(Set(keeper.folder.files().map(\.name)).isSuperset(of: before))
        #expect(failing() == ["clock"])
        live(days: 3)
        keeper.tick(at: portal.now)
        #expect(Set(keeper.folder.files().map(\.name)).isDisjoint(with: before))
        #expect(failing() == [])
    }

    @Test func `FD-32 after a rest of weeks a server that starts anew deletes nothing at once`() throws {
        live(days: 10)
        let before = keeper.folder.files().map(\.name)
        portal.wait(days: 60)
        let later = BackupScheduler(portal.services.settings, portal.services.records, .silent)
        later.tick(at: portal.now)
        #expect(Set(later.folder.files().map(\.name)).isSuperset(of: before))
    }

    // MARK: The disk

    @Test func `FD-33 a disk that takes no file is named by health and log, and nothing is ready`() throws {
        let settings = portal.services.settings
        let well = portal.call(.get, "/health").attributes["parts"]?.array ?? []
        #expect(
            well.compactMap { $0["name"]?.string } == [
                "database", "writes", "disk", "backup", "clock", "mail", "log", "zones", "push",
            ])
        #expect(well.allSatisfy { $0["since"] == .string(portal.now.text) })
        let full = try TestPortal()
        // In the way of the file that is tried: what a full disk answers, without one.
        try FileManager.default.createDirectory(
            atPath: full.services.settings.data + "/probe", withIntermediateDirectories: true)
        full.wait(seconds: 600)
        #expect(full.send(.get, "/readyz").status == 503)
        let health = full.call(.get, "/health")
        #expect(health.status == 503 && health.attributes["database"] == .string("failing"))
        let writes = health.attributes["parts"]?.array?.first { $0["name"] == .string("writes") }
        #expect(writes?["status"] == .string("failing"))
        #expect(writes?["since"] == .string(full.now.text))
        let lines = full.logged.filter { $0.contains("health failing") }
        #expect(
            lines.count == 1 && lines[0].contains("writes") && lines[0].contains(full.services.settings.data))
        #expect(full.get("/admin/system", as: .uma).text.contains("Es kann nichts gespeichert werden"))
        #expect(!FileManager.default.fileExists(atPath: settings.data + "/probe"))
        full.services.health.note([], of: [.writes], full.services)
        #expect(full.logged.contains { $0.contains("health well again") })
    }

    // MARK: A kill

    @Test func `FD-37 what was half made is gone at the next start, whatever its age`() throws {
        let settings = portal.services.settings
        try FileManager.default.createDirectory(
            atPath: settings.backupPath, withIntermediateDirectories: true)
        let half = [
            settings.incomingPath + "/upload", settings.outboxPath + "/1-2.eml.partial",
            settings.data + "/keys/audit.partial", settings.databasePath + ".restoring",
            settings.databasePath + ".restoring-wal", settings.databasePath + ".restoring.partial",
            settings.backupPath + "/intersession-20261119T090000.sqlite.unchecked",
            settings.backupPath + "/intersession-20261119T090000.sqlite.unchecked.partial",
            settings.backupPath + "/intersession-20261119T090000.sqlite.unchecked-journal",
        ]
        let whole = [settings.outboxPath + "/1-2.eml", settings.backupPath + "/notes.partial.txt"]
        for path in half + whole {
            #expect(FileManager.default.createFile(atPath: path, contents: Data([1])))
        }
        DataFolder.clearHalfMade(settings)
        try StartUp.settle(portal.services)
        // One of several programs leaves backups to the first hour of the one that leads.
        if settings.server != nil { keeper.tick(at: portal.now) }
        #expect(half.filter { FileManager.default.fileExists(atPath: $0) } == [])
        #expect(whole.filter { !FileManager.default.fileExists(atPath: $0) } == [])
        #expect(FileManager.default.fileExists(atPath: settings.keyPath))
    }
}
