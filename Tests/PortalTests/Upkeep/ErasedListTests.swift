import Database
import Foundation
import HTTP
import Testing
import Wire

@testable import Accounts
@testable import Identity
@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web

/// RP-202: the list of the erased lies beside the backups and in each of them, and a restore says what it knows.
@Suite struct ErasedListTests {
    let portal: TestPortal

    init() throws { portal = try TestPortal() }

    private var settings: Settings { portal.services.settings }

    private func erasePia() {
        let password = #"{"password": "\#(Cast.password)"}"#
        #expect(portal.call(.delete, "/my/account", password, as: .pia).status == 204)
    }

    private func copy(_ path: String, to place: String) throws {
        try FileManager.default.copyItem(atPath: path, toPath: place)
    }

    private func hasPia(_ settings: Settings) throws -> Bool {
        let services = try Services(settings, gate: Cast.gate, log: .silent)
        defer { services.close() }
        let id = portal.cast.accounts[.pia] ?? ""
        return try services.records.read { try AccountStore.find(id, $0) } != nil
    }

    /// A folder with keys of the first day and nothing else.
    private func bareHouse() throws -> Settings {
        var other = settings
        other.data = settings.data + "/elsewhere"
        other.server = nil
        try FileManager.default.createDirectory(atPath: other.data, withIntermediateDirectories: true)
        try copy(settings.data + "/first", to: other.data + "/keys")
        return other
    }

    @Test func `RP-202 keys of the first day bring nobody back beside the backups`() throws {
        try copy(settings.data + "/keys", to: settings.data + "/first")
        let file = settings.data + "/copy.sqlite"
        try Operations.backUp(settings, to: file)
        erasePia()
        portal.services.close()
        try FileManager.default.removeItem(atPath: settings.data + "/keys")
        try copy(settings.data + "/first", to: settings.data + "/keys")
        let lines = try Operations.restore(settings, from: file, replaces: true)
        #expect(try !hasPia(settings))
        let beside = "list of the erased in \(settings.backupPath)/erased: "
        #expect(lines.contains { $0.hasPrefix(beside) && $0.contains("whole until") }, "\(lines)")
        #expect(lines.last?.hasPrefix("what cannot be known: erasures after ") == true)
        // The list in keys/ has them again.
        let id = try #require(portal.cast.accounts[.pia])
        #expect(try ErasedList.kept(settings).ids.contains(id.text))
        let mode = try FileManager.default.attributesOfItem(atPath: settings.erasedPath)
        #expect((mode[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test func `RP-202 where no list can know of an erasure, restore does not say that it does`() throws {
        try copy(settings.data + "/keys", to: settings.data + "/first")
        let file = settings.data + "/first/copy.sqlite"
        let now = Clock.system.now
        try Operations.backUp(settings, to: file)
        erasePia()
        let other = try bareHouse()
        let lines = try Operations.restore(other, from: other.data + "/keys/copy.sqlite", replaces: false)
        #expect(try hasPia(other))
        // The second in which the backup was made, or one of the next.
        let moments = (0..<60).map { now.adding(seconds: $0).text.prefix(19) }
        #expect(
            lines.contains { line in
                moments.contains { line.contains("in the backup itself: 0, whole until \($0)") }
            }, "\(lines)")
        #expect(moments.contains { lines.last?.contains("erasures after \($0)") == true }, "\(lines)")
        #expect(lines.last?.contains("are back") == true && !lines.contains { $0.contains("stays erased") })
    }

    @Test func `RP-202 a list beside the file counts, and the one in a backup is handed on`() throws {
        try copy(settings.data + "/keys", to: settings.data + "/first")
        let shelf = settings.data + "/shelf"
        try FileManager.default.createDirectory(atPath: shelf, withIntermediateDirectories: true)
        try Operations.backUp(settings, to: shelf + "/old.sqlite")
        erasePia()
        try Operations.backUp(settings, to: settings.data + "/new.sqlite")
        let id = try #require(portal.cast.accounts[.pia])
        let later = try bareHouse()
        _ = try Operations.restore(later, from: settings.data + "/new.sqlite", replaces: false)
        #expect(try ErasedList.kept(later).ids.contains(id.text))
        try FileManager.default.removeItem(atPath: later.data)
        // The newest list, carried to the old backup.
        try copy(settings.backupPath + "/erased", to: shelf + "/erased")
        let again = try bareHouse()
        let lines = try Operations.restore(again, from: shelf + "/old.sqlite", replaces: false)
        #expect(try !hasPia(again))
        #expect(lines.contains { $0.hasPrefix("list of the erased in \(shelf)/erased: ") }, "\(lines)")
    }

    @Test func `RP-202 a list beside the backups erases nobody at a start`() throws {
        let id = try #require(portal.cast.accounts[.pia])
        try FileManager.default.createDirectory(
            atPath: settings.backupPath, withIntermediateDirectories: true)
        try Data("\(id.text) 2026-01-01T00:00:00Z\n".utf8).write(
            to: URL(fileURLWithPath: settings.backupPath + "/erased"))
        try Erasure.repeatAll(portal.services)
        #expect(try portal.services.records.read { try AccountStore.find(id, $0) } != nil)
        #expect(try ErasedList.kept(settings).isEmpty)
    }

    @Test func `RP-202 a scheduled backup has the list in it and beside it`() throws {
        erasePia()
        try portal.services.backups.make(by: nil, at: portal.now)
        let beside = try #require(try ErasedList.read(settings.backupPath + "/erased"))
        let id = try #require(portal.cast.accounts[.pia])
        #expect(beside.ids.contains(id.text) && beside.completeUntil == portal.now)
        let file = try #require(portal.services.backups.folder.files().first)
        let inside = try DatabasePlace.file(file.path).look { try InstallationStore.erased($0) }
        #expect(ErasedList(try #require(inside)).ids == beside.ids)
        #expect(try portal.services.records.read { try InstallationStore.erased($0) } == nil)
        #expect(try Operations.verify(settings, file: file.path) == [])
    }

    @Test func `RP-202 a list is read as it was written, and a line cut short is left out`() throws {
        let id = "0e7b2c44-52b0-4a4c-8a5e-7d3d1f0a9b01"
        let text = "complete-until 2026-11-20T09:00:00Z\n\(id) 2026-11-19T09:00:00Z\n\n0e7b2c44-52b0"
        let list = ErasedList(Array(text.utf8))
        #expect(list.ids == [id] && list.completeUntil == Instant("2026-11-20T09:00:00Z"))
        #expect(list.latest == Instant("2026-11-19T09:00:00Z"))
        #expect(ErasedList(list.bytes) == list)
    }
}
