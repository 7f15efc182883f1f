import Foundation
import Testing

/// Simulated people, a network that fails and a server that is killed: nothing lost, nothing doubled (IO-10, H5).
struct SimulatedLife {
    let portal: RunningPortal

    init() throws { portal = try .onAskedEngine() }

    /// Lets people live, and judges what they and the portal say afterwards.
    /// - Parameter least: of what there has to have been how much; the numbers stand in lines like `lost 12, faults 3`.
    func live(_ words: [String], least: [(String, Int)]) throws {
        let outcome = try portal.run(["simulate"] + words + ["--faults"])
        let text = outcome.output
        #expect(outcome.status == 0, "\(text) \(outcome.error)")
        #expect(text.contains("phones and portal agree\n"))
        for (word, least) in least {
            #expect((number(word, in: text) ?? 0) >= least, "\(word): \(text)")
        }
        let inBrowsers = text.firstMatch(of: /\((\d+) from browsers\)/).flatMap { Int($0.1) }
        #expect(inBrowsers ?? 0 > 0, "the browsers sent something: \(text)")
        // The only thing refused is what the other phone had answered already, or was taken back.
        #expect(text.firstMatch(of: /refused \d+( \(409: \d+\))?\n/) != nil, "\(text)")
        #expect(
            text.contains("longest") && text.contains(", faults 0\n"),
            "the server failed at nothing itself: \(text)")
    }

    private func number(_ word: String, in text: String) -> Int? {
        guard let range = text.range(of: word + " ") else { return nil }
        return Int(text[range.upperBound...].prefix { $0.isNumber })
    }
}

/// Ten people, sixty days: the clocks are put forward in between.
@Suite struct SimulationSlowTests {
    @Test func `phones and portal agree entry by entry after sixty days of bad weather`() throws {
        try SimulatedLife().live(
            ["--patients", "10", "--days", "60", "--seed", "7", "--kills", "12"],
            least: [
                ("answers lost", 300), (": lost", 300), ("late", 200), ("faults", 200), ("busy", 50),
                ("server killed", 10), ("acknowledged", 800), ("events noted", 150), ("left alone", 100),
                ("without a network", 30),
            ])
    }
}

@Suite struct SimulationTests {
    let portal = RunningPortal()

    @Test func `phones and portal agree entry by entry after six days of bad weather and two kills`() throws {
        try SimulatedLife().live(
            ["--patients", "10", "--days", "6", "--seed", "7", "--kills", "2"],
            least: [
                ("answers lost", 20), (": lost", 20), ("late", 10), ("server killed", 2),
                ("acknowledged", 60), ("events noted", 15),
            ])
    }

    @Test func `words that make no sense are refused, and a folder that holds something is left alone`()
        throws
    {
        let without = ["--through", "http://127.0.0.1:8080"]
        for words in [
            ["--patients", "none"], ["--days", "0"], ["--kills", "-1"], ["more"], ["--kill-every", "0"],
            ["--minutes", "0"], ["--first-port", "0"], without,
            ["--first-port", "8081", "--through", "nginx"],
        ] {
            #expect(try portal.run(["simulate"] + words).status == 2, "\(words)")
        }
        #expect(try portal.run(["simulate"] + without).error.contains("--first-port"))
        try FileManager.default.createDirectory(atPath: portal.data, withIntermediateDirectories: true)
        try "x".write(toFile: portal.data + "/x", atomically: true, encoding: .utf8)
        #expect(try portal.run(["simulate", "--days", "1"]).status == 2)
    }

    @Test func `a clock of its own is for loopback addresses only`() throws {
        let refused = try portal.run(["serve", "--clock", "/dev/null", "--address", "0.0.0.0", "--outbox"])
        #expect(refused.status == 2 && refused.error.contains("--clock"))
    }
}
