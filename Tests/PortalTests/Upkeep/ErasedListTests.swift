import Database
import Foundation
import HTTP
import Locks
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
        let bytes = try #require(try ErasedList.read(settings.backupPath + "/erased"))
        let beside = try #require(ErasedList(signed: bytes, settings))
        let id = try #require(portal.cast.accounts[.pia])
        #expect(beside.ids.contains(id.text) && beside.completeUntil == portal.now)
        let file = try #require(portal.services.backups.folder.files().first)
        let inside = try DatabasePlace.file(file.path).look { try InstallationStore.erased($0) }
        #expect(ErasedList(signed: try #require(inside), settings)?.ids == beside.ids)
        #expect(try portal.services.records.read { try InstallationStore.erased($0) } == nil)
        #expect(try Operations.verify(settings, file: file.path) == [])
    }

    private var besidePath: String { settings.backupPath + "/erased" }

    private func beside() throws -> ErasedList? {
        try ErasedList.read(besidePath).flatMap { ErasedList(signed: $0, settings) }
    }

    @Test
    func `RP-202 a list that these keys have not signed is left out and said, and nothing of it is lost`()
        throws
    {
        let id = try #require(portal.cast.accounts[.quinn])
        let file = settings.data + "/copy.sqlite"
        try Operations.backUp(settings, to: file)
        let forged = "complete-until 2030-01-01T00:00:00Z\n\(id.text) 2026-01-01T00:00:00Z\nsignature AAAA\n"
        try FileManager.default.createDirectory(
            atPath: settings.backupPath, withIntermediateDirectories: true)
        try Data(forged.utf8).write(to: URL(fileURLWithPath: besidePath))
        portal.services.close()
        let lines = try Operations.restore(settings, from: file, replaces: true)
        #expect(
            lines.contains(
                "list of the erased in \(besidePath): left out, it is not signed by the keys in keys/"))
        #expect(!lines.contains { $0.contains("2030") }, "\(lines)")
        let services = try Services(settings, gate: Cast.gate, log: .silent)
        defer { services.close() }
        #expect(try services.records.read { try AccountStore.find(id, $0) } != nil)
        // One of ours lies there now, and the other one beside it.
        #expect(try beside()?.ids.isEmpty == true)
        let names = try FileManager.default.contentsOfDirectory(atPath: settings.backupPath)
        let aside = try #require(names.first { $0.hasPrefix("erased-") })
        #expect(FileManager.default.contents(atPath: "\(settings.backupPath)/\(aside)") == Data(forged.utf8))
    }

    @Test
    func `RP-202 each byte of a signed list counts, and a former key of the folder still speaks for it`()
        throws
    {
        erasePia()
        let bytes = try #require(try ErasedList.read(besidePath))
        let list = try #require(ErasedList(signed: bytes, settings))
        #expect(list.ids.count > 0)
        for place in bytes.indices {
            var other = bytes
            other[place] ^= 1
            #expect(ErasedList(signed: other, settings) == nil, "\(place)")
        }
        #expect(ErasedList(signed: Array(bytes.dropLast(20)), settings) == nil)
        portal.services.close()
        try Operations.rotateKeys(settings)
        #expect(ErasedList(signed: bytes, settings) == list)
        // Signed anew, so that the old key may be destroyed with the last backup that needs it.
        for path in settings.retiredKeyPaths { try FileManager.default.removeItem(atPath: path) }
        #expect(ErasedList(signed: bytes, settings) == nil)
        #expect(try beside()?.ids == list.ids)
    }

    @Test func `RP-202 a fuller list beside the backups is added to and never replaced`() throws {
        // A clinic that was brought back with keys of the first day, on the shelf of the former one.
        var fuller = ErasedList()
        let gone = "0e7b2c44-52b0-4a4c-8a5e-7d3d1f0a9b01"
        fuller.add(ErasedList("\(gone) 2026-01-01T00:00:00Z\n".utf8))
        fuller.completeUntil = portal.now
        try FileManager.default.createDirectory(
            atPath: settings.backupPath, withIntermediateDirectories: true)
        try Data(fuller.signed(settings)).write(to: URL(fileURLWithPath: besidePath))
        try portal.services.backups.make(by: nil, at: portal.now)
        #expect(try beside()?.ids == [gone])
        erasePia()
        let id = try #require(portal.cast.accounts[.pia])
        #expect(try beside().map { $0.ids.contains(gone) && $0.ids.contains(id.text) } == true)
        #expect(try !ErasedList.kept(settings).ids.contains(gone))
    }

    /// Whether another lock of a file is waited for, as the kernel knows it.
    private func isWaitedFor(_ path: String) throws -> Bool {
        let facts = try FileManager.default.attributesOfItem(atPath: path)
        let number = try #require(facts[.systemFileNumber] as? NSNumber)
        return try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n").contains {
            $0.contains("-> FLOCK") && $0.contains(":\(number) ")
        }
    }

    @Test func `RP-202 an erasure that is being made is in no copy before it is sure`() throws {
        let id = "0e7b2c44-52b0-4a4c-8a5e-7d3d1f0a9b02"
        let file = try #require(try ErasedList.locked(settings, LOCK_EX))
        try file.write(contentsOf: Data("\n\(id) 2026-11-20T09:00:00Z\n".utf8))
        let copied = Lock<ErasedList?>(nil)
        let settings = settings
        let now = portal.now
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            try? ErasedList.layBeside(settings, at: now)
            if let bytes = try? ErasedList.read(settings.backupPath + "/erased") {
                copied.withLock { $0 = ErasedList(signed: bytes, settings) }
            }
            done.signal()
        }
        // Until it waits for the lock, or has come to its end without it.
        var isDone = false
        while try !isDone && !isWaitedFor(settings.erasedPath) {
            isDone = done.wait(timeout: .now() + .milliseconds(5)) == .success
        }
        #expect(!isDone)
        if isDone { done.signal() }
        try file.truncate(atOffset: 0)
        try file.close()
        done.wait()
        #expect(copied.withLock { $0 }?.ids == [])
    }

    @Test func `RP-202 what a restore could not know stays said in every later list`() throws {
        try copy(settings.data + "/keys", to: settings.data + "/first")
        let file = settings.data + "/first/copy.sqlite"
        try Operations.backUp(settings, to: file)
        let other = try bareHouse()
        _ = try Operations.restore(other, from: other.data + "/keys/copy.sqlite", replaces: false)
        let gap = try #require(try ErasedList.kept(other).gaps.first)
        let until = try #require(gap.until)
        #expect(gap.from <= until)
        // A later backup of that house, and a restore of it elsewhere.
        // A second apart: times that touch are one.
        while Clock.system.now <= until.adding(seconds: 1) { usleep(10_000) }
        let later = other.data + "/later.sqlite"
        try Operations.backUp(other, to: later)
        let bytes = try DatabasePlace.file(later).look { try InstallationStore.erased($0) }
        let found = try #require(bytes)
        let list = try #require(ErasedList(signed: found, other))
        #expect(list.gaps == [gap] && (list.completeUntil ?? .distantPast) >= until)
        let lines = try Operations.restore(other, from: later, replaces: true)
        #expect(
            lines.contains(
                "what cannot be known: erasures between \(gap.from.text) and \(until.text), before an earlier restore"
            ),
            "\(lines)")
    }

    @Test
    func `RP-202 a replaced database vouches for lists that have each of its erasures, not the latest alone`()
        throws
    {
        try portal.services.backups.make(by: nil, at: portal.now)
        let file = try #require(portal.services.backups.folder.files().first).path
        portal.wait(seconds: 60)
        let password = #"{"password": "\#(Cast.password)"}"#
        #expect(portal.call(.delete, "/my/account", password, as: .pia).status == 204)
        portal.wait(seconds: 3600)
        #expect(portal.call(.delete, "/my/account", password, as: .quinn).status == 204)
        let whole = try ErasedList.kept(settings)
        let last = portal.now
        portal.services.close()
        let look = { () throws -> RestoredErasures in
            var found = try RestoredErasures(settings, file: file)
            found.compare(withReplaced: settings.database)
            return found
        }
        try FileManager.default.removeItem(atPath: besidePath)
        #expect(try look().lines.last?.contains("erasures after \(last.text)") == true)
        // The first of the two is missing.
        let id = try #require(portal.cast.accounts[.pia]).text
        let left = String(decoding: whole.bytes, as: UTF8.self).split(separator: "\n").filter {
            !$0.hasPrefix(id) && !$0.contains(whole.lines(of: [id]).dropFirst(id.count + 1).dropLast())
        }
        try Data((left.joined(separator: "\n") + "\n").utf8).write(
            to: URL(fileURLWithPath: settings.erasedPath))
        let lines = try look().lines
        #expect(
            lines.contains { $0.contains("shows erasures that no list has, the first of 2026-11-2") },
            "\(lines)")
        #expect(lines.last?.contains("erasures after \(last.text)") == false)
    }

    @Test func `RP-202 what one list lacks the other one may have`() throws {
        let at = { (seconds: Int64) in Instant(milliseconds: seconds * 1000) }
        typealias Gap = ErasedList.Gap
        var list = ErasedList()
        list.completeUntil = at(100)
        list.gaps = [
            Gap(from: at(50), until: at(60)), Gap(from: at(10), until: at(20)),
            Gap(from: at(15), until: at(30)),
        ]
        #expect(
            list.unknown == [
                Gap(from: at(10), until: at(30)), Gap(from: at(50), until: at(60)),
                Gap(from: at(100), until: nil),
            ])
        var other = ErasedList()
        other.completeUntil = at(55)
        #expect(
            ErasedList.common(list.unknown, other.unknown) == [
                Gap(from: at(55), until: at(60)), Gap(from: at(100), until: nil),
            ])
        #expect(ErasedList.common(list.unknown, []) == [])
        #expect(ErasedList(list.bytes).unknown == list.unknown)
        #expect(ErasedList().unknown == [Gap(from: .distantPast, until: nil)])
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
