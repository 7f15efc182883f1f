import Foundation
import Programs
import Testing

@testable import Database
@testable import EngineTesting

/// Servers of PostgreSQL that are older or newer than the one of Debian, which say so through `Tests/PostgreSQL/other_version.py`.
@Suite struct OtherVersionTests {
    static let engines = TestEngine.available.filter { $0 == .postgreSQL }
    private static let password = "vier Wörter ohne Sinn"
    private static let account = [
        "account", "create", "--email", "ada@example.org", "--name", "Ada", "--role", "therapist",
    ]

    @Test(
        arguments: engines, ["9.6.24", "13.16 (Debian 13.16-0+deb11u1)", "14.13", "14devel"])
    func `a server that is too old is refused at the start, with its version and the one that is needed`(
        _ engine: TestEngine, _ version: String
    ) throws {
        try withServer(engine, version) { address, place in
            let sentence = "intersession: PostgreSQL: the server is \(version), and 15 or newer is needed\n"
            let there = ["--database", address]
            for words in [["serve", "--port", "0"], ["seed"]] {
                let outcome = try RunningPortal().run(words + there)
                #expect(outcome.status == 1 && outcome.output.isEmpty, "\(words): \(outcome)")
                #expect(outcome.error == sentence, "\(words)")
            }
            // A clinic that wants to go there stays as it is.
            let clinic = RunningPortal()
            #expect(try clinic.run(Self.account, input: Self.password + "\n").status == 0)
            let moved = try clinic.run(["migrate-engine", "--to", address])
            #expect(moved.status == 1 && moved.error == sentence, "\(moved)")
            #expect(try clinic.run(["verify"]).output == "sound\n")
            let session = try place.open(.reader)
            defer { session.close() }
            let tables = try Connection(session: session).count(
                "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
            #expect(tables == 0, "nothing is written there")
        }
    }

    @Test(arguments: engines, ["15.0", "17.2 (Debian 17.2-1.pgdg120+1)", "18beta1", "21.4"])
    func `a server that is newer serves`(_ engine: TestEngine, _ version: String) async throws {
        let place = try engine.made()
        defer { engine.remove(place) }
        let server = try OtherVersion(version)
        defer { server.stop() }
        let there = ["--database", try server.address(of: place)]
        let portal = RunningPortal()
        let made = try portal.run(Self.account + there, input: Self.password + "\n")
        #expect(made.status == 0, "\(made.error)")
        try portal.serve(there)
        let body = #"{"email": "ada@example.org", "password": "\#(Self.password)"}"#
        #expect(try await portal.call("POST", "/auth/login", body).status == 200)
        #expect(try await portal.send("GET", "/readyz").status == 200)
        #expect(portal.stop() == 0)
        #expect(try portal.run(["verify"] + there).output == "sound\n")
    }

    private func withServer(
        _ engine: TestEngine, _ version: String, _ body: (String, DatabasePlace) throws -> Void
    ) throws {
        try engine.withPlace { place in
            let server = try OtherVersion(version)
            defer { server.stop() }
            try body(try server.address(of: place), place)
        }
    }
}

/// The server of the tests, under another version.
final class OtherVersion {
    private let process = Program()
    // The path of a socket has 107 bytes at most.
    private let folder = "/tmp/pg-\(UUID().uuidString)"
    private let host: String

    init(_ version: String) throws {
        let found = try #require(TestEngine.server?.firstMatch(of: /host=([^&]+)/))
        host = String(found.1)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            RunningPortal.root + "/Tests/PostgreSQL/other_version.py", folder, host, version,
        ]
        process.standardOutput = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        try #require(said.hasPrefix("ready"))
    }

    /// How a database is reached through it.
    func address(of place: DatabasePlace) throws -> String {
        guard case .server(let address) = place else { throw CocoaError(.fileReadUnknown) }
        return address.replacing("host=\(host)", with: "host=\(folder)")
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
