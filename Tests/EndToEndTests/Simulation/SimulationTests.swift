import Foundation
import Testing

/// Ten people, sixty days, a network that fails and a server that is killed: nothing lost, nothing doubled (IO-10, H5).
@Suite struct SimulationTests {
    let portal = RunningPortal()

    /// The numbers of a line by the words before them: `lost 12, faults 3`.
    func number(_ word: String, in text: String) -> Int? {
        guard let range = text.range(of: word + " ") else { return nil }
        return Int(text[range.upperBound...].prefix { $0.isNumber })
    }

    @Test func `phones and portal agree entry by entry after sixty days of bad weather`() throws {
        let outcome = try portal.run([
            "simulate", "--patients", "10", "--days", "60", "--seed", "7", "--faults", "--kills", "12",
        ])
        let text = outcome.output
        #expect(outcome.status == 0, "\(text) \(outcome.error)")
        #expect(text.contains("phones and portal agree\n"))
        // It was bad weather indeed, and people did fill things in.
        for (word, least) in [
            ("answers lost", 300), (": lost", 300), ("late", 200), ("faults", 200), ("busy", 50),
            ("server killed", 10), ("acknowledged", 800), ("left alone", 100), ("without a network", 30),
        ] {
            #expect((number(word, in: text) ?? 0) >= least, "\(word): \(text)")
        }
        // The only thing refused is what the other phone had answered already, or was taken back.
        #expect(text.firstMatch(of: /refused \d+( \(409: \d+\))?\n/) != nil, "\(text)")
        #expect(
            text.contains("longest") && text.contains(", faults 0\n"),
            "the server failed at nothing itself: \(text)")
    }

    @Test func `words that make no sense are refused, and a folder that holds something is left alone`()
        throws
    {
        for words in [["--patients", "none"], ["--days", "0"], ["--kills", "-1"], ["more"]] {
            #expect(try portal.run(["simulate"] + words).status == 2)
        }
        try FileManager.default.createDirectory(atPath: portal.data, withIntermediateDirectories: true)
        try "x".write(toFile: portal.data + "/x", atomically: true, encoding: .utf8)
        #expect(try portal.run(["simulate", "--days", "1"]).status == 2)
    }

    @Test func `a clock of its own is for loopback addresses only`() throws {
        let refused = try portal.run(["serve", "--clock", "/dev/null", "--address", "0.0.0.0", "--outbox"])
        #expect(refused.status == 2 && refused.error.contains("--clock"))
    }
}
