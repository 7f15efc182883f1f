import HTTP
import JSON
import Records
import Synchronization
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Research
@testable import Studies
@testable import Web

/// What the long suite below relies on, and one write that comes twelve times at once.
@Suite struct InterleavingTests {
    static let routes = Routes.all.list.filter { !$0.method.isSafe }.map {
        "\($0.method.rawValue) \($0.pattern)"
    }

    @Test func `every writing route has a sample, and every sample a route`() {
        let known = Set(WriteSamples.all.keys).union(WriteSamples.writesNothing).union(
            WriteSamples.uploads)
        #expect(Set(Self.routes).subtracting(known) == [])
        #expect(known.subtracting(Self.routes) == [])
    }

    @Test func `the same appointment twelve times at once: one 201, the others 200`() async throws {
        let portal = try TestPortal()
        let path = "/my/appointments/\(WriteSamples.newID)"
        let answers = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<12 {
                group.addTask { portal.call(.put, path, WriteSamples.appointment, as: .pia).status }
            }
            return await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(answers.sorted() == Array(repeating: 200, count: 11) + [201])
        #expect(try portal.audit().count { $0 == "appointment.kept" } == 1)
    }
}

/// Point 9: what is checked before a write is proved again inside it. Every route that writes, with everything that may end
/// its access placed between the two: some thousand portals, a third of the time of all tests together.
@Suite struct InterleavingSlowTests {
    @Test(arguments: InterleavingTests.routes.filter { !WriteSamples.writesNothing.contains($0) })
    func `what ends between check and write writes nothing and breaks nothing`(name: String) throws {
        let route = try #require(Routes.all.list.first { "\($0.method.rawValue) \($0.pattern)" == name })
        guard let sample = WriteSamples.all[name] else { return }
        for between in Between.allCases where between.concerns(sample.person(route), route.rule) {
            let portal = try TestPortal()
            let request = try Stage(portal).request(sample, route)
            let after = Mutex<[String: [String]]>([:])
            let (response, hasComeToWrite) = portal.interleaving(
                {
                    between.happen(to: sample.person(route), portal)
                    after.withLock { $0 = (try? portal.everything()) ?? [:] }
                }, request)
            portal.services.exports.wait()
            #expect(hasComeToWrite, "\(between): \(response.status) \(Self.words(response))")
            guard hasComeToWrite else { continue }
            #expect(response.status < 500, "\(between): \(response.status) \(Self.words(response))")
            let ends = sample.isSignIn ? between.isOfTheAccount : between.ends(route.rule)
            if ends && (between.isOfTheAccount || !sample.isOfSomebodyElse) {
                #expect(response.status >= 303, "\(between): \(response.status)")
                let before = after.withLock { $0 }
                let now = try portal.everything()
                for table in now.keys.sorted() where now[table] != before[table] {
                    Issue.record("\(between): \(table) was written, \(response.status)")
                }
            }
            if between == .pairingUndone && sample.person(route) != .nora { try look(portal, name) }
        }
    }

    /// The next person is paired, and every page that shows them is drawn.
    private func look(_ portal: TestPortal, _ words: String) throws {
        let pia = portal.cast.therapies[.pia] ?? ""
        let code = portal.call(.post, "/patients/\(pia)/pairing-code", as: .ada).attributes["pairing_code"]
        guard let digits = code?["code"]?.string else { return }
        let paired = portal.call(
            .post, "/my/pairing",
            #"{"code": "\#(digits)", "birth_date": "1980-01-01", "gender": "male"}"#, as: .nora)
        #expect(paired.status == 201, "\(words): \(paired.text)")
        for end in ["", "/timeline", "/briefing", "/appointments", "/contributions", "/deliveries"] {
            #expect(portal.get("/patients/\(pia)\(end)", as: .ada).status == 200, "\(words): \(end)")
        }
        for path in ["appointments", "assignments", "contributions", "interventions", "notifications"] {
            #expect(portal.call(.get, "/my/\(path)", as: .nora).status == 200, "\(words): \(path)")
        }
    }

    private static func words(_ response: Response) -> String {
        let text = response.text
        if let main = text.firstRange(of: "<main") {
            return String(text[main.lowerBound...].replacing(/<[^>]*>/, with: " ").prefix(600))
        }
        return String(text.prefix(600))
    }
}
