import Foundation
import Programs
import Testing

@testable import PortalTesting

/// Subjects of commits stay below 72 characters: `bin/setup` has git call `bin/hooks/commit-msg`, which refuses longer ones.
@Suite struct CommitHookTests {
    /// A folder with the two scripts, as in a checkout.
    private let folder: URL
    private static let hasGit = FileManager.default.isExecutableFile(atPath: "/usr/bin/git")

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "hook-\(UUID().uuidString)")
        let files = FileManager.default
        try files.createDirectory(at: folder.appending(path: "bin"), withIntermediateDirectories: true)
        for name in ["bin/setup", "bin/hooks"] {
            try files.copyItem(atPath: Cast.root + "/" + name, toPath: folder.path + "/" + name)
        }
    }

    @Test(arguments: [
        (String(repeating: "a", count: 71), true), (String(repeating: "a", count: 72), false),
        (String(repeating: "ü", count: 71), true), ("A subject\nand a body right below it", false),
        ("A subject\n\n" + String(repeating: "a", count: 99), true),
        ("# a note of git's\nA subject", true), ("Merge " + String(repeating: "a", count: 90), true),
    ])
    func `a subject of 72 characters is refused, and a body right below it`(
        message: String, isTaken: Bool
    ) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.path + "/message"
        try message.write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try run("bin/hooks/commit-msg", file) == isTaken)
    }

    @Test(.enabled(if: Self.hasGit)) func `setting up lets git call the hook`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try run("git", "init", "--quiet"))
        #expect(try run("bin/setup"))
        let commit = { (subject: String) in
            try run(
                "git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "--quiet",
                "--allow-empty", "-m", subject)
        }
        #expect(try commit("Say what it does"))
        #expect(try !commit(String(repeating: "a", count: 72)))
    }

    @Test(.enabled(if: Self.hasGit))
    func `setting up works outside of a checkout, and keeps hooks of one's own`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try run("bin/setup"))
        #expect(try run("git", "init", "--quiet"))
        #expect(try run("git", "config", "core.hooksPath", "mine"))
        #expect(try run("bin/setup"))
        #expect(try run("sh", "-c", "[ \"$(git config core.hooksPath)\" = mine ]"))
    }

    /// - Returns: whether the command succeeded.
    private func run(_ command: String...) throws -> Bool {
        let process = Program()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
