import Database
import Foundation
import JSON
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Web
@testable import Wording

/// SN-5: one text in any number of languages.
@Suite struct LocalizedTextTests {
    static let orders: [([String], [String], String?)] = [
        (["de", "en", "it"], ["it"], "it"), (["de", "en"], ["it", "de"], "de"), (["de", "en"], ["it"], "en"),
        (["de", "it"], ["fr"], "de"), (["sl", "it"], ["fr"], "sl"), (["it"], [], "it"), ([], ["de"], nil),
        (["de", "en"], ["de"], "de"), (["de"], ["en"], "de"), (["en"], ["de"], "en"),
    ]

    @Test(arguments: orders)
    func `SN-5 the reader gets the first of theirs, then English, then German, then what there is`(
        written: [String], readers: [String], expected: String?
    ) {
        let text = LocalizedText(translations: written.map { ($0, $0) })
        #expect(text.text(in: readers) == expected)
    }

    @Test func `as JSON German and English are always there, others where there is a text`() throws {
        let json = { (text: LocalizedText) in
            String(decoding: try JSONWriter.bytes(of: text), as: UTF8.self)
        }
        #expect(try json(["de": "a", "en": "b"]) == #"{"de":"a","en":"b"}"#)
        #expect(try json(["en": "b"]) == #"{"de":null,"en":"b"}"#)
        #expect(try json(["sl": "s", "it": "i", "de": "a"]) == #"{"de":"a","en":null,"it":"i","sl":"s"}"#)
        let read = try JSONDecoder().decode(
            LocalizedText.self, from: Data(#"{"de": null, "it": "i", "en": "b"}"#.utf8))
        #expect(read == ["it": "i", "en": "b"])
    }

    static let texts: [LocalizedText] = [
        [:], ["de": "a"], ["en": "b"], ["de": "a", "en": "b"], ["it": "i"],
        ["de": "a", "sl": "s", "it": "„i“\n"],
    ]

    @Test(arguments: texts) func `the columns of a row hold every text`(text: LocalizedText) {
        let columns = text.columns
        #expect(
            LocalizedText(german: columns.german, english: columns.english, others: columns.others) == text)
        // The tables want German or English of whatever is there.
        #expect(text.isEmpty || columns.german != nil || columns.english != nil)
    }

    @Test func `a code is two or three small letters`() {
        for code in ["de", "it", "gsw"] { #expect(LocalizedText.isCode(code)) }
        for word in ["", "d", "DE", "de-AT", "german", "d1", "dé"] {
            #expect(!LocalizedText.isCode(word), "\(word)")
        }
    }

    /// Rows that were written when there were two languages.
    @Test func `a database of before is read as it was`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        let place = try #require(Migrations.all.firstIndex { $0.name == "M027_Languages" })
        try Migrator(Array(Migrations.all[..<place])).migrate(.file(path))
        do {
            let database = try OpenDatabase(.file(path), readers: 1)
            defer { database.close() }
            try database.write { connection in
                for language in ["de", "en"] {
                    try connection.run(
                        """
                        INSERT INTO accounts (id, kind, wrapped_key, email, email_lookup, password_hash, language, timezone,
                            created_at)
                        VALUES (\(language), 'staff', x'00', x'00', \(Array(language.utf8)), '', \(language), 'UTC', 1)
                        """)
                    try connection.run(
                        """
                        INSERT INTO info_pages (page, language, version, title, body, published_at, published_by)
                        VALUES ('privacy', \(language), 2, 'T', 'B', 1, 'de')
                        """)
                }
                try connection.run(
                    """
                    INSERT INTO studies (id, name, title_de, access, is_private, is_hidden, code, is_running,
                        created_at, changed_at) VALUES ('s', 'alltag', 'Alltag', 'open', 0, 0, 'c', 0, 1, 1)
                    """)
                try connection.run(
                    "INSERT INTO study_consents (study_id, version, text_en, written_at) VALUES ('s', 1, 'I do', 1)"
                )
            }
        }
        try Migrator(Migrations.all).migrate(.file(path))
        let database = try OpenDatabase(.file(path), readers: 1)
        defer { database.close() }
        try database.read { connection in
            let languages: [Language] = try connection.all("SELECT language FROM accounts ORDER BY id") {
                try $0[0]
            }
            #expect(languages == [.german, .english])
            #expect(try connection.count("SELECT count(*) FROM info_pages WHERE published_by = 'de'") == 2)
            let study = try #require(try StudyStore.find("s", connection))
            #expect(study.title == ["de": "Alltag"] && study.consent == ["en": "I do"] && study.text.isEmpty)
        }
        try database.write { try $0.run("UPDATE accounts SET language = 'gsw' WHERE id = 'de'") }
        #expect(throws: DatabaseError.self) {
            try database.write { try $0.run("UPDATE accounts SET language = 'german' WHERE id = 'de'") }
        }
    }
}

/// What a translation lacks.
@Suite struct TextsCheckTests {
    @Test func `SN-5 the shipped languages lack nothing`() throws {
        for code in ["de", "en"] {
            let report = try Operations.checkTexts(Cast.settings("/nowhere"), language: code)
            #expect(report.missing == [] && report.superfluous == [], "\(code)")
            #expect(report.all > 2_000)
        }
    }

    @Test func `SN-5 what is missing and what is too much is listed, line by line`() throws {
        let english = [
            "a.one": "One", "a.two": "{n} of {of}", "a.three": "Three", "a.four": "{n} days",
            "dates.months": "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12", "dates.day": "{d} {month_short}",
        ]
        let own = [
            "a.one": "Uno", "a.two": "{n} di {total}", "a.four": "{n} giorni", "a.five": "Cinque",
            "languages.it": "Italiano", "dates.months": "gennaio, febbraio", "dates.day": "{dd}/{mm}",
        ]
        let check = TextsCheck(own, beside: english)
        #expect(
            check.missing == [
                "a.three: \"Three\"", "a.two: {of} in the sentence",
                "dates.months: 12 names, and there are 2",
            ])
        #expect(check.superfluous == ["a.two: {total} in the sentence", "a.five"])
        #expect(check.all == 6)
    }

    @Test func `an empty sentence is a missing one, and so is a page of information`() throws {
        let language = try MadeUpLanguage()
        var settings = Cast.settings("/nowhere")
        settings.resources = language.folder
        let all = try MadeUpLanguage.sentences("en")
        try language.write(
            all.map { ($0.key, $0.key == "frame.today" ? "" : $0.text) } + [("frame.extra", "X")])
        let report = try Operations.checkTexts(settings, language: "xx")
        #expect(report.missing.first == "frame.today: \"Today\"" && report.superfluous == ["frame.extra"])
        #expect(
            report.missing.dropFirst().allSatisfy {
                ($0.hasPrefix("information/") || $0.hasPrefix("help/")) && $0.hasSuffix(".xx.md")
            })
        #expect(report.missing.count == 12)
        #expect(throws: StartError.self) { try Operations.checkTexts(settings, language: "Italian") }
        #expect(throws: (any Error).self) { try Operations.checkTexts(settings, language: "it") }
    }
}
