import HTTP
import Synchronization
import Testing
import Wire

@testable import Delivery
@testable import Instruments
@testable import PortalTesting
@testable import Records
@testable import Therapies
@testable import Web

/// A patient of whom there is far more than of others, and a client that has gone (FD-61).
@Suite struct LongTimelineTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }
    var path: String { "/patients/\(portal.cast.therapies[.pia] ?? "")/timeline" }

    /// Assignments given by hand, a second apart.
    private func give(_ count: Int, until end: Instant) throws {
        let therapy = portal.cast.therapies[.pia] ?? ""
        let questionnaire = ID<QuestionnaireVersion>(portal.cast.questionnaire)
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            for number in 0..<count {
                let at = end.adding(seconds: -Int64(number))
                try AssignmentStore.insert(
                    Randomness.system.id(), questionnaire: questionnaire, therapy: therapy,
                    source: .therapist, from: at, due: end.adding(days: 400), at: at, connection)
            }
        }
    }

    /// How often it is asked whether the client is still there, which is done every few hundred rows.
    private func asks(_ path: String) -> (asked: Int, text: String) {
        let asked = CountedPresence()
        let text = portal.get(path, as: .ada) { asked.look() }.text
        return (asked.count, text)
    }

    @Test func `a timeline reads the assignments of its window alone`() throws {
        let before = asks(path)
        try give(6_000, until: Cast.now.adding(days: -300))
        let after = asks(path)
        #expect(
            after.text.matches(of: /entry--assignment/).count
                == before.text.matches(of: /entry--assignment/).count)
        // All of them would be 23 times as many rows as lie between two looks.
        #expect(after.asked <= before.asked + 1)
    }

    @Test func `of very many in one interval a page has a thousand, and the rest is a link away`() throws {
        let asked = asks(path).asked
        try give(2_500, until: Cast.now.adding(seconds: -60))
        var next: String? = path
        var counts: [Int] = []
        while let page = next, counts.count < 9 {
            let (asks, text) = asks(page)
            #expect(asks < asked + 12)
            counts.append(text.matches(of: /entry--assignment/).count)
            next = text.firstMatch(of: /href="([^"]*before=[^"]*)"/).map {
                String($0.1).replacing("&amp;", with: "&")
            }
        }
        // Two were there already.
        #expect(counts.count == 3 && counts.first == 1_000 && counts.reduce(0, +) == 2_502, "\(counts)")
    }

    @Test func `the page of a patient lists a thousand open ones at most`() throws {
        let page = path.replacing("/timeline", with: "")
        let asked = asks(page).asked
        try give(6_000, until: Cast.now.adding(seconds: -60))
        let (asks, text) = asks(page)
        #expect(text.matches(of: /\/assignments\/[0-9a-f-]{36}\/withdraw/).count == 1_000)
        // 6,000 rows would be 23 looks more.
        #expect(asks <= asked + 8)
    }

    @Test func `what nobody waits for is not made, and is no defect`() throws {
        let asked = asks(path).asked
        for patience in 0..<asked {
            let presence = CountedPresence(leavesAfter: patience)
            let answer = portal.get(path, as: .ada) { presence.look() }
            #expect(answer.status == ClientGone.status && answer.bytes.isEmpty)
            #expect(presence.count == patience + 1)
        }
        let words = portal.logged
        #expect(!words.contains { $0.contains("defect") || $0.contains(#""level":"error""#) })
        #expect(words.contains { $0.contains("499") && $0.contains("/patients/:patient/timeline") })
    }

    @Test func `a change is made although nobody waits for word of it`() throws {
        let headers: Headers = [
            "Authorization": "Bearer \(portal.cast.tokens[.ada] ?? "")", "Content-Type": "application/json",
        ]
        let therapy = portal.cast.therapies[.pia] ?? ""
        let answer = portal.send(
            .post, "/api/v1/patients/\(therapy)/assignments", headers,
            body: Array(#"{"questionnaire_key": "between-sessions"}"#.utf8)
        ) { false }
        #expect(answer.status == 201, "\(answer.text)")
    }
}

/// A client that goes away when it has been looked for so many times.
private final class CountedPresence: Sendable {
    private let looks = Mutex(0)
    private let patience: Int

    init(leavesAfter patience: Int = .max) { self.patience = patience }

    var count: Int { looks.withLock { $0 } }

    func look() -> Bool {
        looks.withLock { looks in
            looks += 1
            return looks <= patience
        }
    }
}
