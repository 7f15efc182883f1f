import Foundation
import Testing

@testable import Database
@testable import EngineTesting

/// A clinic that goes to PostgreSQL and back, by the commands of an operator.
@Suite struct EngineTests {
    let portal = RunningPortal()
    static let engines = TestEngine.available.filter { $0 == .postgreSQL }

    /// The export of the demonstration without its missed prompts: one of them ends by the clock while a test of
    /// minutes runs, and has a line from then on.
    private func export(_ portal: RunningPortal, _ more: [String] = []) throws -> [Substring] {
        let path = portal.data + ".csv"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let outcome = try portal.run(["export", "--study", "alltag", path] + more)
        #expect(outcome.status == 0, "\(outcome.error)")
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(
            separator: "\r\n", omittingEmptySubsequences: false)
        return lines.filter { !$0.contains(",missed,") }
    }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
    }

    @Test(arguments: engines) func `D1 there and back, with a restored backup between, an export is the same`(
        _ engine: TestEngine
    ) async throws {
        #expect(try portal.run(["seed"]).status == 0)
        let before = try export(portal)
        #expect(before.count > 1_000)
        let place = try engine.made()
        defer { engine.remove(place) }
        guard case .server(let address) = place else { return }
        let there = ["--database", address]

        let moved = try portal.run(["migrate-engine", "--to", address])
        #expect(moved.status == 0 && moved.output.contains("tables are the same there"), "\(moved.error)")
        #expect(try !names(portal.data).contains { $0.contains(".sqlite") })
        #expect(try names(portal.data + "/backups").count == 1)
        // Hands that slip: a start without the flag would make an empty database.
        let slip = try portal.run(["serve", "--port", "0"])
        #expect(slip.status == 1 && slip.error.contains("--database"), "\(slip.error)")
        #expect(try portal.run(["migrate-engine", "--to", address]).status == 1)
        #expect(try portal.run(["verify"] + there).output == "sound\n")
        #expect(try export(portal, there) == before)

        try portal.serve(there)
        #expect(try await portal.send("GET", "/login").status == 200)
        #expect(try await portal.send("GET", "/api/v1/health").text.contains(#""status":"ok""#))
        let other = RunningPortal()
        try FileManager.default.createDirectory(atPath: other.data, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: portal.data + "/keys", toPath: other.data + "/keys")
        let second = try other.run(["seed"] + there)
        #expect(second.status == 1 && second.error.contains("another intersession"), "\(second.error)")
        let copy = portal.data + ".sqlite"
        defer { try? FileManager.default.removeItem(atPath: copy) }
        // While serving.
        #expect(try portal.run(["backup", copy] + there).status == 0)
        #expect(portal.stop() == 0)

        #expect(try portal.run(["verify", copy]).output == "sound\n")
        #expect(try portal.run(["restore", copy] + there).error.contains("--replace"))
        let restored = try portal.run(["restore", "--replace", copy] + there)
        #expect(restored.status == 0, "\(restored.error)")
        #expect(try portal.run(["keys", "rotate"] + there).status == 0)
        #expect(try portal.run(["verify"] + there).output == "sound\n")

        let back = RunningPortal()
        let returned = try portal.run(["migrate-engine", "--to", back.data] + there)
        #expect(returned.status == 0, "\(returned.error)")
        #expect(try back.run(["verify"]).output == "sound\n")
        #expect(try export(back) == before)
        try back.serve()
        #expect(try await back.send("GET", "/login").status == 200)
    }

    @Test(arguments: engines)
    func `D2 two portals share a folder and a database, and one goes on where the other was killed`(
        _ engine: TestEngine
    ) async throws {
        let place = try engine.made()
        defer { engine.remove(place) }
        guard case .server(let address) = place else { return }
        let there = ["--database", address]
        #expect(try portal.run(["seed"] + there).status == 0)
        let other = RunningPortal(beside: portal)
        try portal.serve(there)
        try other.serve(there)

        let pia = #"{"email": "pia@example.org", "password": "zwischen den Sitzungen"}"#
        let login = try await portal.call("POST", "/auth/login", pia)
        let token = try #require(login.attributes["token"] as? String)
        #expect(try await other.call("GET", "/my/overview", token: token).status == 200)
        // What changes the whole has to be alone.
        let rotation = try portal.run(["keys", "rotate"] + there)
        #expect(rotation.status == 1 && rotation.error.contains("another intersession"), "\(rotation.error)")

        // Hands that slip: a folder with the right keys and nothing else, and one of another clinic.
        let copy = RunningPortal()
        try FileManager.default.createDirectory(atPath: copy.data, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: portal.data + "/keys", toPath: copy.data + "/keys")
        let foreign = try copy.run(["serve", "--port", "0"] + there)
        #expect(foreign.status == 1 && foreign.error.contains("share one"), "\(foreign.error)")
        let clinic = RunningPortal()
        #expect(try clinic.run(["seed"]).status == 0)
        let keys = try clinic.run(["serve", "--port", "0"] + there)
        #expect(keys.status == 1 && keys.error.contains("keys do not belong"), "\(keys.error)")

        portal.kill()
        let path = "/my/appointments/0193a000-0000-7000-8000-00000000e2e2"
        let appointment =
            #"{"title": "A", "starts_at": "2031-03-04T10:00:00Z", "ends_at": "2031-03-04T10:50:00Z"}"#
        #expect(try await other.call("PUT", path, appointment, token: token).status == 201)
        try portal.serve(there)
        #expect(try await portal.call("GET", path, token: token).attributes["title"] as? String == "A")
        #expect(portal.stop() == 0 && other.stop() == 0)
        #expect(try portal.run(["verify"] + there).output == "sound\n")
    }

    @Test func `an address that cannot be used is said without what it holds`() throws {
        let wrong = try portal.run(["verify", "--database", "mysql://lena:secret@host/db"])
        #expect(wrong.status == 2 && wrong.error.contains("postgresql://"))
        let away = try portal.run(["serve", "--database", "postgresql://lena:secret@127.0.0.1:1/db"])
        #expect(away.status == 1 && away.error.contains("cannot be reached"), "\(away.error)")
        #expect(!(wrong.error + away.error).contains("secret"))
    }
}
