import JSON
import Testing

@Suite struct SnakeCaseTests {
    @Test(arguments: [
        ("name", "name"), ("expiresAt", "expires_at"), ("studyID", "study_id"), ("ruleIDs", "rule_ids"),
        ("isGPSOn", "is_gps_on"), ("IDsOfAll", "ids_of_all"), ("pictureURL", "picture_url"),
        ("URLOfAll", "url_of_all"), ("loudnessLUFS", "loudness_lufs"), ("truePeakDB", "true_peak_db"),
        ("levelSlDb", "level_sl_db"), ("distanceM", "distance_m"), ("sha256Of", "sha256_of"), ("n", "n"),
        ("N", "n"), ("", ""), ("already_so", "already_so"), ("grÖßeIn", "grÖße_in"), ("aURLsB", "a_urls_b"),
    ])
    func `a property is called so on the wire`(property: String, name: String) {
        #expect(SnakeCase.name(property) == name)
    }

    struct Sheet: Codable, Equatable {
        var studyID: String
        var answeredBy: [String: Int]
        var isPaper: Bool?
        var parts: [Part]
        var odd: Odd
    }

    struct Part: Codable, Equatable { let lastPart: Int }

    struct Odd: Codable, Equatable {
        let itsName: String

        private enum CodingKeys: String, CodingKey { case itsName = "other_name" }
    }

    private static let sheet = Sheet(
        studyID: "s", answeredBy: ["firstQuestion": 1], parts: [Part(lastPart: 2)], odd: Odd(itsName: "x"))

    @Test func `properties are written in snake case, keys that are data as they are`() throws {
        let text = String(decoding: try JSONWriter.bytes(of: Self.sheet), as: UTF8.self)
        #expect(
            text == #"{"study_id":"s","answered_by":{"firstQuestion":1},"is_paper":null,"#
                + #""parts":[{"last_part":2}],"odd":{"other_name":"x"}}"#)
    }

    @Test func `scripts of pages are given the names of Swift`() throws {
        let text = String(decoding: try JSONWriter.bytes(of: Self.sheet, keepsNames: true), as: UTF8.self)
        #expect(
            text == #"{"studyID":"s","answeredBy":{"firstQuestion":1},"isPaper":null,"#
                + #""parts":[{"lastPart":2}],"odd":{"other_name":"x"}}"#)
    }

    @Test func `keys of JSON stay as they are`() throws {
        let json = JSON.object([JSON.Member("q1Answer", .object([JSON.Member("itsText", .bool(true))]))])
        let text = String(decoding: try JSONWriter.bytes(of: ["aMap": json]), as: UTF8.self)
        #expect(text == #"{"aMap":{"q1Answer":{"itsText":true}}}"#)
    }

    @Test func `what was written is read`() throws {
        #expect(try JSONReader.value(Sheet.self, from: try JSONWriter.bytes(of: Self.sheet)) == Self.sheet)
    }
}
