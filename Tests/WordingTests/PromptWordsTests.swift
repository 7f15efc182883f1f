import Testing
import Wire

@testable import Scheduling
@testable import Wording

/// FD-24: how a time is said that must not be waited for.
@Suite struct PromptWordsTests {
    let vienna = Zone("Europe/Vienna")
    let now = Instant("2026-11-20T09:00:00Z")!

    private func words(_ time: PromptTime, _ language: Language) throws -> String {
        let texts = try Texts(language, folder: TextsTests.folder)
        return texts.when(time, DateFormat(texts, vienna, now: now))
    }

    @Test func `FD-24 a random time to come is a day, a set one and one that has come a minute`() throws {
        let later = try #require(Instant("2026-11-20T10:01:00Z"))
        #expect(try words(.random(later), .german) == "später heute")
        #expect(try words(.random(later), .english) == "later today")
        #expect(try words(.random(later.adding(days: 1)), .german) == "morgen zu einer zufälligen Zeit")
        #expect(try words(.random(later.adding(days: 1)), .english) == "tomorrow at a random time")
        #expect(try words(.random(later.adding(days: 3)), .german) == "Mo 23.11. zu einer zufälligen Zeit")
        #expect(try words(.random(later.adding(days: 3)), .english) == "Mon 23 Nov at a random time")
        #expect(try words(.set(later), .german) == "heute 11:01")
        #expect(try words(.random(now), .german) == "heute 10:00")
        #expect(try words(.random(later.adding(seconds: -7200)), .english) == "today 09:01")
    }

    @Test func `FD-24 a sentence holds both`() throws {
        let texts = try Texts(.german, folder: TextsTests.folder)
        let dates = DateFormat(texts, vienna, now: now)
        let later = now.adding(seconds: 3660)
        #expect(texts.opening(.set(later), dates, in: "my.from") == "ab heute 11:01")
        #expect(texts.opening(.random(later), dates, in: "my.from") == "später heute")
        #expect(texts.closing(.set(later), dates, in: "my.until") == "bis heute 11:01")
        #expect(texts.closing(.random(later), dates, in: "my.until") == "bis zur nächsten Abfrage")
    }
}
