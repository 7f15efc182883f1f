import Foundation
import Testing

/// RP-209: commands given by root on the folder of another user act as that user.
@Suite(.serialized, .enabled(if: getuid() == 0)) struct FolderOwnerTests {
    let portal = RunningPortal()
    private let password = "correct horse battery staple\n"
    /// The account without rights.
    private let owner = 65_534

    /// The owner, and resources that the owner can read.
    private let stranger: Stranger

    init() throws { stranger = try Stranger() }

    /// Given by root.
    private func run(
        _ arguments: [String], input: String = "", behind shell: [String] = []
    ) throws -> RunningPortal.Outcome {
        try portal.run(
            arguments + ["--resources", stranger.resources], input: input, bare: true, behind: shell)
    }

    private func folder() throws {
        let files = FileManager.default
        try files.createDirectory(atPath: portal.data, withIntermediateDirectories: true)
        try files.setAttributes(
            [.ownerAccountID: owner, .groupOwnerAccountID: owner, .posixPermissions: 0o700],
            ofItemAtPath: portal.data)
    }

    private func account(_ name: String) -> [String] {
        ["account", "create", "--email", "\(name)@example.org", "--name", "Uma Berger", "--role", "admin"]
    }

    private func create(_ name: String, behind shell: [String] = []) throws -> RunningPortal.Outcome {
        try run(account(name), input: password, behind: shell)
    }

    private func createAsOwner(_ name: String) throws -> RunningPortal.Outcome {
        try portal.run(account(name), input: password, as: stranger)
    }

    private func foreignFiles() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: portal.data).filter { path in
            let facts = try FileManager.default.attributesOfItem(atPath: "\(portal.data)/\(path)")
            return (facts[.ownerAccountID] as? NSNumber)?.intValue != owner
        }
    }

    @Test func `RP-209 the first account, new keys and a restore leave nothing of root's`() throws {
        try folder()
        let first = try create("uma")
        #expect(first.status == 0, "\(first)")
        #expect(try foreignFiles() == [])
        #expect(try run(["keys", "rotate"]).status == 0)
        #expect(try run(["seed", "--days", "1"]).status == 1)
        #expect(try foreignFiles() == [])
        // The folder's user can go on.
        #expect(try createAsOwner("eva").status == 0)
        let backup = portal.data + "/copy.sqlite"
        #expect(try portal.run(["backup", backup], as: stranger).status == 0)
        let restored = try run(["restore", backup, "--replace"])
        #expect(restored.status == 0, "\(restored)")
        #expect(try foreignFiles() == [])
        #expect(try portal.run(["verify"], as: stranger).output == "sound\n")
        #expect(try createAsOwner("ida").status == 0)
    }

    @Test func `RP-209 a copy that the owner cannot read is named before anything is written`() throws {
        try folder()
        #expect(try create("uma").status == 0)
        let backup = portal.data + "-root.sqlite"
        defer { try? FileManager.default.removeItem(atPath: backup) }
        #expect(try run(["backup", backup]).status == 0)
        let outcome = try run(["restore", backup, "--replace"])
        #expect(outcome.status == 1 && outcome.error.contains("\(backup): permission denied"), "\(outcome)")
        #expect(outcome.error.contains("put the file where"), "\(outcome)")
        #expect(try foreignFiles() == [])
    }

    @Test func `RP-209 authorities that only root can read are named as such, with the folder's user`() throws
    {
        try folder()
        #expect(try create("uma").status == 0)
        let path = portal.data + "-authorities.pem"
        let text = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        defer { try? files.removeItem(atPath: path) }
        let words = ["serve", "--port", "0", "--backup-days", "0", "--ca-file", path]
        let refused = try run(words)
        #expect(refused.status == 2 && refused.output.isEmpty, "\(refused)")
        #expect(refused.error.contains("\(path): permission denied"), "\(refused)")
        #expect(refused.error.contains("put the file where nobody can read it"), "\(refused)")
        // Where its user can read them, the next thing is looked at: here a port that is none of this machine's.
        try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let read = try run(words + ["--address", "192.0.2.1", "--outbox"])
        #expect(read.status == 1 && read.error.contains("this machine has no address"), "\(read)")
        #expect(try foreignFiles() == [])
    }

    /// Without the capabilities of changing users, as in some containers.
    private static let bound = [
        "/usr/bin/setpriv", "--bounding-set=-setuid,-setgid", "--inh-caps=-setuid,-setgid",
    ]

    /// `CAP_SETPCAP`, without which the tests cannot take capabilities from a command.
    private static let canBind =
        (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?
        .firstMatch(of: /CapEff:\s*([0-9a-f]+)/).flatMap { UInt64($0.1, radix: 16) }
        .map { $0 & (1 << 8) != 0 } ?? false

    @Test(.enabled(if: canBind)) func `RP-209 root that may not become another user writes nothing`() throws {
        try folder()
        let outcome = try create("uma", behind: Self.bound)
        #expect(outcome.status == 1 && outcome.error.contains("Give the command as its owner"), "\(outcome)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: portal.data) == [])
    }
}
