import Foundation
import HTTP
import JSON
import Records
import Testing
import Wire

@testable import Clinic
@testable import Portal
@testable import PortalTesting

/// PR-8: patients, pages and actions by a few letters.
@Suite struct SearchTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    /// What the dialog gets.
    func found(_ words: String, as person: Person) throws -> [(label: String, path: String)] {
        let answer = portal.get("/search?q=\(words)", as: person, ["Accept": "application/json"])
        #expect(answer.status == 200)
        return (answer.json["entries"]?.array ?? []).map {
            ($0["label"]?.string ?? "", $0["path"]?.string ?? "")
        }
    }

    @Test func `PR-8 finds patients, pages and actions, and only those that are one's own`() throws {
        #expect(try found("C000001", as: .ada).map(\.label) == ["C000001"])
        #expect(try found("C000001", as: .ben).isEmpty)
        #expect(try found("Termine", as: .ada).map(\.path) == ["/appointments"])
        #expect(try found("aufnehmen", as: .ada).map(\.path) == ["/patients/new"])
        // An administrator finds no patients and none of their pages.
        #expect(try found("", as: .uma).allSatisfy { !$0.path.hasPrefix("/patients") })
        #expect(portal.get("/search?q=C000001", as: .pia).status == 403)
    }

    @Test func `PR-8 without scripts it is a page, with briefings of running therapies one step away`() {
        let page = portal.get("/search?q=C000001", as: .ada).text
        #expect(page.contains("value=\"C000001\"") && page.contains("/briefing\">"))
        #expect(portal.get("/search?q=zzzzzz", as: .ada).text.contains("Keine Treffer."))
        #expect(portal.get("/search?q=" + String(repeating: "a", count: 101), as: .ada).status == 422)
    }

    @Test func `PR-8 keys are listed, and can be switched off for good`() {
        #expect(portal.get("/", as: .ada).text.contains("data-behaviour=\"keys\""))
        #expect(portal.post("/screen", [("keys", "off"), ("back", "/search")], as: .ada).status == 303)
        let page = portal.get("/search", as: .ada).text
        #expect(!page.contains("data-behaviour=\"keys\"") && page.contains("Tasten einschalten"))
        #expect(portal.post("/screen", [("keys", "on"), ("back", "/search")], as: .ada).status == 303)
        #expect(portal.get("/", as: .ada).text.contains("data-behaviour=\"keys\""))
        #expect(portal.post("/screen", [("keys", "maybe")], as: .ada).status == 422)
        #expect(portal.post("/screen", [("keys", "off")], as: .pia).status == 403)
    }

    @Test(
        arguments: [
            ("mueller", "Müller"), ("muller", "Müller"), ("müller", "Mueller"), ("Müller", "MU\u{308}LLER"),
            ("lukasz", "Łukasz"), ("O'Brien", "O\u{2019}Brien"), ("o\u{2019}brien", "O'Brien"),
            ("Ünal Müller", "Müller, Ünal"), ("Müller, Ünal", "Ünal Müller"), ("Anna  Maria", "Anna Maria"),
            ("Anna Maria", "Anna\u{A0}\u{A0}Maria"), ("strasse", "Straße"), ("straße", "STRASSE"),
            ("soren", "Søren"), ("soeren", "Søren"), ("Meier-Huber", "Meier\u{2011}Huber"), ("ipek", "İpek"),
            ("winter c0204", "Frau Winter C020480"), ("mu\u{AD}ller", "Müller"),
        ])
    func `RP-221 a name is found as people type it`(_ typed: String, _ name: String) {
        #expect(PatientNeedle(typed).holds(name))
    }

    @Test(arguments: [("mueller", "Muller"), ("Ünal Müller", "Müller"), ("anna", "Ana"), ("brien o", "Bri")])
    func `RP-221 other names are not found`(_ typed: String, _ name: String) {
        #expect(!PatientNeedle(typed).holds(name))
    }

    @Test func `RP-221 the words of a search stand in alias, note and codename`() throws {
        let pia = portal.cast.therapies[.pia] ?? ""
        let said = portal.change(
            .patch, "/patients/\(pia)", #"{"alias": "Müller, Ünal", "note": "kommt mit O’Brien"}"#, as: .ada)
        #expect(said.status == 200, "\(said.text)")
        for words in ["unal%20%20mueller", "mueller%20c000001", "o%27brien%20m%C3%BCller"] {
            #expect(try found(words, as: .ada).map(\.path) == ["/patients/\(pia)"], "\(words)")
            #expect(portal.get("/patients?q=\(words)", as: .ada).text.contains("Müller, Ünal"))
        }
        #expect(try found("unal%20c000002", as: .ada).isEmpty)
    }
}
