import Dispatch
import Foundation
import HTTP
import JSON
import Synchronization
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Web

@Suite struct PairingTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    var code: String { portal.cast.openCode }

    func pair(
        _ code: String, as person: Person = .nora, birth: String = "1984-02-29", gender: String = "diverse"
    ) -> Response {
        portal.call(
            .post, "/my/pairing", #"{"code": "\#(code)", "birth_date": "\#(birth)", "gender": "\#(gender)"}"#,
            as: person)
    }

    @Test func `IO-4 look at a code, pair with it, and it is used`() throws {
        let look = portal.call(.get, "/pairing-codes/\(code)", as: .nora)
        #expect(look.status == 200 && look.attributes["therapist_name"] == .string("Ada Lindner"))
        let paired = pair(code.prefix(4) + " " + code.suffix(4))
        #expect(paired.status == 201 && paired.attributes["patient"]?["codename"] == .string("C000003"))
        #expect(paired.attributes["patient"]?["therapy_started_on"] == .string("2026-11-20"))
        let again = pair(code, as: .quinn)
        #expect(again.status == 409)
        #expect(portal.call(.get, "/pairing-codes/\(code)", as: .nora).status == 410)
        let patient = portal.call(.get, "/patients/\(portal.cast.openTherapy)", as: .ada).attributes
        #expect(
            patient["state"] == .string("paired") && patient["gender"] == .string("diverse")
                && patient["pairing_code"] == .null)
        #expect(portal.call(.get, "/my/therapist", as: .nora).status == 200)
    }

    /// The same digits as a person may type or copy them.
    static func typed(_ code: String) -> [String] {
        let scripts: [UInt32] = [0x0660, 0x06F0, 0xFF10]
        let written = scripts.map { zero in
            String(
                String.UnicodeScalarView(
                    code.unicodeScalars.compactMap { Unicode.Scalar($0.value - 0x30 + zero) }))
        }
        let parts = (code.prefix(4), code.suffix(4))
        return written + [
            "\(parts.0)\u{2013}\(parts.1)", "\u{202A}\(code)\u{202C}", "\(parts.0)\u{200B}\(parts.1)",
            "\(parts.0).\(parts.1)",
        ]
    }

    @Test func `RP-214 a code is found in the digits of any script and with what copying leaves in it`() {
        for typed in Self.typed(code) {
            let look = portal.call(.get, "/pairing-codes/\(percentEncoded(typed))", as: .nora)
            #expect(look.status == 200, "\(typed.unicodeScalars.map(\.value))")
        }
        // None of them was counted as a wrong one.
        for _ in 0..<9 { #expect(portal.call(.get, "/pairing-codes/00000000", as: .nora).status == 404) }
        #expect(portal.call(.get, "/pairing-codes/\(code)", as: .nora).status == 200)
        #expect(pair(Self.typed(code)[0]).status == 201)
    }

    @Test func `RP-214 a letter makes a code a wrong one`() {
        #expect(portal.call(.get, "/pairing-codes/\(code)O", as: .nora).status == 404)
        #expect(portal.call(.get, "/pairing-codes/A\(code)", as: .nora).status == 404)
    }

    @Test(arguments: ["00000000", "1234", "nonsense", "3942 06031"])
    func `a code that is none is told as one, and what to look at`(code: String) {
        let sentence = JSON.string("Diesen Code gibt es nicht. Bitte prüfen Sie die acht Ziffern.")
        let look = portal.call(.get, "/pairing-codes/\(percentEncoded(code))", as: .nora)
        #expect(look.status == 404 && look.json["message"] == sentence)
        let tried = pair(code)
        #expect(tried.status == 404 && tried.json["message"] == sentence)
    }

    @Test func `C11 unknown, used, replaced and expired codes each say so in their own words`() throws {
        let unknown = portal.call(.get, "/pairing-codes/00000000", as: .nora)
        #expect(
            unknown.status == 404 && portal.call(.get, "/pairing-codes/nonsense", as: .nora).status == 404)
        #expect(
            portal.call(.post, "/patients/\(portal.cast.openTherapy)/pairing-code", as: .ada).status == 201)
        let replaced = portal.call(.get, "/pairing-codes/\(code)", as: .nora)
        let fresh =
            portal.call(.get, "/patients/\(portal.cast.openTherapy)", as: .ada).attributes["pairing_code"]?[
                "code"]?.string ?? ""
        #expect(replaced.status == 410 && fresh.count == 8 && fresh != code)
        portal.wait(days: 15)
        let expired = portal.call(.get, "/pairing-codes/\(fresh)", as: .nora)
        #expect(expired.status == 410)
        let login = portal.call(
            .post, "/auth/login", #"{"email": "ada@example.org", "password": "\#(Cast.password)"}"#)
        let ada: Headers = ["Authorization": "Bearer \(login.attributes["token"]?.string ?? "")"]
        #expect(
            portal.call(.get, "/patients/\(portal.cast.openTherapy)", nil, as: .nobody, ada).attributes[
                "state"] == .string("code_expired"))
        let messages = [unknown, replaced, expired].compactMap { $0.json["message"]?.string }
        #expect(Set(messages).count == 3)
        portal.wait(days: 31)
        Housekeeping.run(portal.services)
        #expect(portal.call(.get, "/pairing-codes/\(fresh)", as: .nora).status == 404)
    }

    @Test func `C11 the eleventh wrong code within an hour is refused, also if it were right`() {
        for number in 0..<10 {
            #expect(portal.call(.get, "/pairing-codes/0000000\(number)", as: .nora).status == 404)
        }
        let refused = portal.call(.get, "/pairing-codes/\(code)", as: .nora)
        #expect(refused.status == 429 && refused.headers["Retry-After"] != nil)
        #expect(pair(code).status == 429)
        #expect(portal.call(.get, "/pairing-codes/\(code)", as: .quinn).status == 200)
        portal.wait(seconds: 3601)
        #expect(pair(code).status == 201)
    }

    @Test func `right codes do not count as tries`() {
        for _ in 0..<12 { #expect(portal.call(.get, "/pairing-codes/\(code)", as: .nora).status == 200) }
    }

    static let wrong: [(String, String, [String])] = [
        ("2027-01-01", "female", ["birth_date"]), ("1884-01-01", "female", ["birth_date"]),
        ("1984-02-30", "female", ["birth_date"]),
        ("1984-02-28", "other", ["gender"]), ("", "", ["birth_date", "gender"]),
    ]

    @Test(arguments: wrong) func `wrong birth dates and genders are named and leave the code unused`(
        birth: String, gender: String, fields: [String]
    ) {
        let answer = pair(code, birth: birth, gender: gender)
        #expect(answer.status == 422 && answer.wrongFields == fields)
        #expect(portal.call(.get, "/pairing-codes/\(code)", as: .nora).status == 200)
    }

    @Test func `a code sent twenty times at once pairs once, and the others are told`() {
        let statuses = Mutex<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: 20) { _ in
            let status = pair(code).status
            statuses.withLock { $0.append(status) }
        }
        let seen = statuses.withLock { $0 }
        #expect(seen.count == 20 && seen.count { $0 == 201 } == 1, "\(seen)")
        #expect(seen.allSatisfy { [201, 409, 410, 429].contains($0) }, "\(seen)")
        #expect(pair(code, as: .pia).status == 409)
    }

    @Test
    func `IO-5 the sheet shows the code in two groups with a picture of the same digits, in both languages`()
        throws
    {
        let path = "/patients/\(portal.cast.openTherapy)/pairing-sheet"
        let grouped = "\(code.prefix(4)) \(code.suffix(4))"
        for (language, heading, step) in [
            ("de", "Beim ersten Mal", "Öffnen Sie im Browser"),
            ("en", "The first time", "in a browser and enter the code"),
        ] {
            let sheet = portal.get(path + "?lang=\(language)", as: .ada)
            #expect(
                sheet.text.contains(">\(grouped)<") && sheet.text.contains(heading)
                    && sheet.text.contains("<svg class=\"qr\""))
            #expect(
                sheet.text.contains("C000003") && sheet.text.contains("Ada Lindner")
                    && sheet.text.contains(step))
        }
        // It can be opened again until the code is used.
        #expect(pair(code).status == 201)
        let after = portal.get(path, as: .ada)
        #expect(
            after.status == 200 && !after.text.contains(grouped) && !after.text.contains("<svg class=\"qr\""))
        #expect(portal.post("/patients/\(portal.cast.openTherapy)/pairing-code", as: .ada).status == 409)
    }

    @Test func `a hundred wrong codes a day raise an alarm`() throws {
        let limiter = portal.services.limiter
        for _ in 0..<100 { try limiter.count("pairing", limit: .max, seconds: 86_400, now: portal.now) }
        #expect(portal.call(.get, "/pairing-codes/00000000", as: .nora).status == 404)
        #expect(portal.logged.contains { $0.contains("\"level\":\"alarm\"") && !$0.contains("00000000") })
        #expect(pair(code).status == 201)
    }
}
