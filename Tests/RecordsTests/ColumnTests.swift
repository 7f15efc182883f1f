import Database
import Locks
import Testing
import Wire
import Wording

@testable import Records

/// How values of the wire are stored.
@Suite struct ColumnTests {
    @Test func `instants are milliseconds and days are their text, and nothing else is read as one`() {
        #expect(Instant(milliseconds: 7).sqlValue == .integer(7))
        #expect(Instant(sqlValue: .integer(-1)) == Instant(milliseconds: -1))
        #expect(Instant(sqlValue: .text("7")) == nil && Instant(sqlValue: .real(7)) == nil)
        #expect(LocalDate("2028-02-29")?.sqlValue == .text("2028-02-29"))
        #expect(LocalDate(sqlValue: .text("2027-02-29")) == nil && LocalDate(sqlValue: .integer(1)) == nil)
    }

    @Test(
        arguments: [
            (["de": "Tag", "en": "Day"], "Tag", "Day", nil), (["de": "Tag"], "Tag", nil, nil),
            (["it": "Giorno", "fr": "Jour"], nil, "", #"{"fr":"Jour","it":"Giorno"}"#),
            (["en": "Day", "fr": "Jour"], nil, "Day", #"{"fr":"Jour"}"#), ([:], nil, nil, nil),
        ] as [(LocalizedText, String?, String?, String?)])
    func `a text lies in three columns and comes back from them`(
        _ text: LocalizedText, _ german: String?, _ english: String?, _ others: String?
    ) {
        let columns = text.columns
        #expect(columns.german == german && columns.english == english && columns.others == others)
        let back = LocalizedText(german: columns.german, english: columns.english, others: columns.others)
        for code in ["de", "en", "fr", "it"] { #expect(back[code] == text[code], "\(code)") }
    }

    @Test func `a broken column of other languages is a text without them`() {
        let text = LocalizedText(german: "Tag", english: nil, others: "{broken")
        #expect(text["de"] == "Tag" && text.translations.count == 1)
    }

    @Test func `a text is read once until too many others came`() throws {
        let reads = Lock(0)
        let texts = ParsedTexts<Int>(capacity: 2)
        let read = { (text: String) -> Int in
            reads.withLock { $0 += 1 }
            return text.utf8.count
        }
        for text in ["a", "a", "bb", "a"] { #expect(texts.of(text, read: read) == text.utf8.count) }
        #expect(reads.withLock { $0 } == 2)
        for text in ["ccc", "a"] { _ = texts.of(text, read: read) }
        #expect(reads.withLock { $0 } == 4)
    }
}

@Suite struct SettingsTests {
    @Test func `a clinic is reached over TLS where its address or its server says so`() {
        var settings = Settings()
        #expect(!settings.isSecure)
        settings.speaksTLS = true
        #expect(settings.isSecure)
        settings.publicURL = "http://clinic.example"
        #expect(!settings.isSecure)
        settings.publicURL = "https://clinic.example"
        settings.speaksTLS = false
        #expect(settings.isSecure)
    }

    @Test func `copies that are made no more stay for the longest time there is`() {
        var settings = Settings()
        #expect(settings.backupsKeptDays == 30)
        settings.backupDays = 0
        #expect(settings.backupsKeptDays == 35)
    }
}

@Suite struct LogTests {
    private struct Foreign: Error { let secret = "a@example.org" }

    private func lines(_ body: (Log) -> Void) -> [String] {
        let written = Lock<[String]>([])
        body(Log { bytes in written.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } })
        return written.withLock { $0 }
    }

    @Test func `each event is one line of JSON`() {
        let now = Instant(milliseconds: 0)
        let written = lines { log in
            log.line("error", "a \"b\"\n", [("detail", "x")], at: now)
            log.request("7", "GET", route: "/x", status: 503, milliseconds: 1.2345, at: now)
            log.request("8", "GET", route: "/x", status: 404, milliseconds: 2, at: now)
        }
        #expect(
            written == [
                #"{"time":"1970-01-01T00:00:00Z","level":"error","event":"a \"b\"\n","detail":"x"}"# + "\n",
                #"{"time":"1970-01-01T00:00:00Z","level":"error","request":"7","method":"GET","route":"/x","status":503,"ms":1.23}"#
                    + "\n",
                #"{"time":"1970-01-01T00:00:00Z","level":"info","request":"8","method":"GET","route":"/x","status":404,"ms":2}"#
                    + "\n",
            ])
    }

    @Test func `of errors from elsewhere only the type is told`() {
        #expect(Log.detail(of: Foreign()) == "Foreign")
        #expect(Log.detail(of: DatabaseError("full")).contains("full"))
    }
}
