import HTTP
import JSON
import Secrets
import Testing
import Wire
import Wording

@testable import Records
@testable import Therapies
@testable import Web

/// What a patient is called, and how one is entered.
@Suite struct CodenameTests {
    @Test(arguments: ["A1234", "ABC12345678", "C020480"])
    func `up to three letters and four to eight digits are a codename`(_ text: String) {
        #expect(Codename.isValid(text))
    }

    @Test(arguments: [
        "", "1234", "A123", "ABCD1234", "a1234", "A1234 ", "A123456789", "AB12C34", "Ä1234", "A١٢٣٤", "Anna",
    ])
    func `anything else is none`(_ text: String) { #expect(!Codename.isValid(text)) }

    @Test func `a drawn one is valid`() {
        let drawn = Codename.random(.system)
        #expect(Codename.isValid(drawn) && drawn.utf8.count == 7 && drawn.hasPrefix("C"))
        #expect(Codename.random(Randomness { [UInt8](repeating: 7, count: $0) }) == "C777777")
    }

    @Test(
        arguments: [
            ("Frau Winter", false), ("Zimmer 12, Bett 3", false), ("1.2.1980", true), ("W. 1980", true),
            ("Jg. 2004", true),
            ("02/03/80", true), ("Akte 1800", false), ("19", false), ("", false),
        ])
    func `a date or a year in an alias says more than is needed`(_ text: String, _ isMore: Bool) {
        #expect(Alias.isMore(text) == isMore)
    }

    private func draft(_ json: String) throws -> PatientDraft {
        try PatientDraft.read(InputReader(json: JSON.parse(Array(json.utf8))))
    }

    private func wrong(_ json: String) -> [String] {
        do {
            _ = try draft(json)
            return []
        } catch let problem as Problem {
            return problem.errors.list.map { "\($0.field) \($0.message.key)" }
        } catch {
            return ["\(error)"]
        }
    }

    @Test func `a patient needs nothing, and what is sent is taken`() throws {
        let empty = try draft("{}")
        #expect(empty.codename == nil && empty.alias == nil && empty.startedOn == nil)
        let full = try draft(
            #"{"codename": "AB1234", "alias": "Frau Winter", "note": "a\nb", "therapy_started_on": "2026-11-20", "therapy_ends_on": "2026-11-20"}"#
        )
        #expect(full.codename == "AB1234" && full.note == "a\nb" && full.startedOn == full.endsOn)
    }

    @Test func `what is wrong is refused at its field, all at once`() {
        #expect(wrong(#"{"codename": ""}"#) == ["codename errors.codename"])
        #expect(
            wrong(
                #"{"codename": "x", "study_id": "1", "therapy_started_on": "2026-11-20", "therapy_ends_on": "2026-11-19", "extra": 1}"#
            ) == [
                "codename errors.codename", "study_id errors.id", "therapy_ends_on errors.ends_before_start",
                "extra errors.unknown_field",
            ])
        let long = String(repeating: "x", count: 61)
        #expect(wrong(#"{"alias": "\#(long)"}"#) == ["alias errors.too_long"])
        #expect(wrong(#"{"note": "\#(String(repeating: "x", count: 501))"}"#) == ["note errors.too_long"])
    }

    @Test func `note and alias of a new therapy open in their places, with its key alone`() throws {
        let keys = try Keyring(master: .random())
        let id: ID<Therapy> = "t"
        let therapy = NewTherapy(
            try draft(#"{"alias": "Frau Winter", "note": "Notiz"}"#), codename: "C123456", of: "ada", id: id,
            keys: keys,
            now: Instant(milliseconds: 0))
        let key = try keys.unwrap(therapy.wrappedKey, owner: id)
        #expect(try key.open(therapy.alias ?? [], from: TherapyPlace.alias(id)) == "Frau Winter")
        #expect(try key.open(therapy.note ?? [], from: TherapyPlace.note(id)) == "Notiz")
        #expect(throws: (any Error).self) { try key.open(therapy.alias ?? [], from: TherapyPlace.note(id)) }
    }
}
