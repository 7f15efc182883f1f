import Testing

@testable import SMTP

/// RP-13: what a mail server offers is what it says the last time, which behind STARTTLS is the second.
@Suite struct RelaySessionTests {
    /// - Returns: after which of the lines the conversation ends; nil when it goes on.
    private func end(of lines: [String], greetings: Int = 2) -> Int? {
        var session = RelaySession([], greetings: greetings, needsUTF8: true)
        let end = lines.firstIndex { line in
            !Array((line + "\r\n").utf8).withUnsafeBytes { session.hear($0) }
        }
        #expect(session.lacksUTF8 == (end != nil))
        return end
    }

    private static let secured = ["220 mail ready", "250-mail", "250 STARTTLS", "220 go on", "250-mail"]

    @Test func `RP-13 what is offered before STARTTLS does not count`() {
        #expect(end(of: Self.secured + ["250-smtputf8", "250 AUTH PLAIN", "235 welcome", "250 ok"]) == nil)
        #expect(end(of: Self.secured + ["250 SMTPUTF8", "250 ok"]) == nil)
        let withdrawn = ["220 mail", "250-mail", "250-SMTPUTF8", "250 STARTTLS", "220 go on", "250 mail"]
        #expect(end(of: withdrawn) == 5)
        #expect(end(of: Self.secured + ["250 AUTH PLAIN"]) == 5)
    }

    @Test func `RP-13 a server that knows no extensions offers none`() {
        #expect(end(of: ["220-mail", "220 mail", "502 what?", "250 mail"], greetings: 1) == 3)
        #expect(
            end(of: ["220 mail", "250-mail", "250-XSMTPUTF8 SMTPUTF8", "250 SIZE 100"], greetings: 1) == 3)
    }
}
