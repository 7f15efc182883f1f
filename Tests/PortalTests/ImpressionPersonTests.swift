import Database
import Foundation
import HTTP
import Records
import Testing
import Wire

@testable import PortalTesting
@testable import Therapies
@testable import Web

/// A patient's pages for staff: the person is the title, and each thing has its place.
extension ImpressionTests {
    private var pia: String { "/patients/\(portal.cast.therapies[.pia] ?? "")" }
    private static let tabs = [
        "", "/timeline", "/contributions", "/deliveries", "/interventions", "/appointments", "/comparison",
    ]

    private func change(_ body: String) {
        #expect(portal.call(.patch, pia, body, as: .ada).status == 200)
    }

    private func title(_ page: String) -> String {
        page.firstMatch(of: /<h1>(.*)<\/h1>/).map { String($0.1) } ?? ""
    }

    /// What stands in the head's menu.
    private func menu(_ page: String) -> String {
        page.components(separatedBy: "id=\"person-menu\"").dropFirst().first?
            .components(separatedBy: "</div>")[0] ?? ""
    }

    @Test func `impression 3 the person is the title of every tab, and the codename while names are hidden`()
        throws
    {
        let long = String(repeating: "Ä", count: 60)
        for alias in ["Frau Winter", long] {
            change(#"{"alias": "\#(alias)"}"#)
            for tab in Self.tabs {
                let page = portal.get(pia + tab, as: .ada)
                #expect(
                    page.status == 200
                        && title(page.text)
                            == #"<span class="name__alias">\#(alias)</span> <span class="name__code">C000001</span>"#,
                    "\(tab)")
                #expect(page.text.matches(of: /class="patient-bar/).count >= 1, "\(tab)")
                #expect(page.text.matches(of: /aria-label="Geöffnete Akte"/).count == 1, "\(tab)")
            }
        }
        #expect(portal.post("/screen", [("names", "hidden"), ("back", pia)], as: .ada).status == 303)
        for tab in Self.tabs {
            let page = portal.get(pia + tab, as: .ada).text
            #expect(title(page) == "C000001" && !page.contains(long), "\(tab)")
        }
        change(#"{"alias": null}"#)
        #expect(portal.post("/screen", [("names", "shown"), ("back", pia)], as: .ada).status == 303)
        #expect(title(portal.get(pia, as: .ada).text) == "C000001")
    }

    @Test func `impression 3 one action is filled, one framed, and the rest is in the menu`() throws {
        for tab in Self.tabs {
            let page = portal.get(pia + tab, as: .ada).text
            let head = page.components(separatedBy: "class=\"tabs")[0]
            #expect(head.matches(of: /button--primary/).count == 1, "\(tab)")
            #expect(head.contains("button--primary\" href=\"\(pia)/briefing\""), "\(tab)")
            #expect(head.contains("href=\"\(pia)/assignments/new\""), "\(tab)")
            for way in ["sessions/new", "phone-contacts", "pauses"] {
                #expect(menu(page).contains("href=\"\(pia)/\(way)\""), "\(tab) \(way)")
            }
        }
        let unpaired = "/patients/\(portal.cast.openTherapy)"
        let open = portal.get(unpaired, as: .ada).text
        #expect(open.contains("button--primary\" href=\"\(unpaired)/pairing-sheet\""))
        #expect(menu(open).contains("\(unpaired)/briefing"))
        try portal.wait(awake: 40)
        let expired = portal.get(unpaired + "/timeline", as: .ada).text
        #expect(expired.contains("action=\"\(unpaired)/pairing-code\""))
        #expect(
            portal.post(
                pia + "/end-therapy", [("codename", "C000001"), ("ended_on", "2026-11-20")], as: .ada
            ).status == 303)
        for tab in Self.tabs {
            #expect(!portal.get(pia + tab, as: .ada).text.contains("person__actions"), "\(tab)")
        }
    }

    @Test func `impression 3 a colleague who only reads is offered no action`() {
        let supervisor = #"{"email": "ben@example.org", "role": "supervisor", "shares_words": false}"#
        #expect(portal.call(.post, pia + "/members", supervisor, as: .ada).status == 201)
        let page = portal.get(pia, as: .ben)
        #expect(page.status == 200 && title(page.text) == "C000001")
        #expect(!page.text.contains("person__actions") && !page.text.contains("class=\"ways\""))
        #expect(!page.text.contains("class=\"edit\""))
    }

    @Test func `impression 6 note and dates are shown as text, and a refused form stands open`() {
        change(#"{"note": "Der Bruder, die Arbeit.", "therapy_ends_on": "2027-01-31"}"#)
        let page = portal.get(pia, as: .ada).text
        #expect(page.contains(#"<p class="prose">Der Bruder, die Arbeit.</p>"#))
        #expect(page.contains("<dd>31.01.2027</dd>"))
        #expect(page.matches(of: /<details class="edit">/).count == 2)
        let refused = portal.post(pia + "/therapy-dates", [("therapy_ends_on", "2020-01-01")], as: .ada)
        #expect(refused.status == 422 && refused.text.contains(#"<details class="edit" open>"#))
        #expect(portal.post("/screen", [("names", "hidden"), ("back", pia)], as: .ada).status == 303)
        #expect(!portal.get(pia, as: .ada).text.contains("Der Bruder"))
    }

    @Test func `impression 6 the values of the interval stand in one row, and none without answers`() {
        let given = portal.call(.post, pia + "/interventions", #"{"kind": "task", "text": "x"}"#, as: .ada)
        #expect(given.status == 201)
        let page = portal.get(pia, as: .ada).text
        #expect(page.matches(of: /<dl class="figures">/).count == 1)
        let figures = page.components(separatedBy: "<dl class=\"figures\">")[1].components(
            separatedBy: "</dl>")[0]
        #expect(figures.contains(/<dt>[^<]*abgeschlossen<\/dt><dd>\d von \d<\/dd>/), "\(figures)")
        let open = portal.get("/patients/\(portal.cast.openTherapy)", as: .ada).text
        #expect(!open.contains("<dl class=\"figures\">"))
    }

    @Test func `impression 6 ending stands apart, and undoing a pairing is in sight for 14 days`() throws {
        let undo = "\(pia)/pairing-undo"
        try portal.services.records.writeUnaudited(.madeUp) {
            [now = portal.now, id = portal.cast.therapies[.pia]] in
            try $0.run("UPDATE therapies SET paired_at = \(now) WHERE id = \(id)")
        }
        let first = portal.get(pia, as: .ada).text
        #expect(first.contains(undo) && !menu(first).contains(undo))
        let ways = first.components(separatedBy: "class=\"ways\"")[1]
        #expect(ways.contains("class=\"ways__danger\" href=\"\(pia)/end-therapy\""))
        for way in ["file", "members", "audit-log", "hand-over", "letters", "emergency-contact"] {
            #expect(ways.contains("<a href=\"\(pia)/\(way)\""), "\(way)")
        }
        try portal.wait(awake: 13)
        #expect(!menu(portal.get(pia, as: .ada).text).contains(undo))
        try portal.wait(awake: 2)
        let later = portal.get(pia, as: .ada).text
        #expect(menu(later).contains(undo) && later.components(separatedBy: undo).count == 2)
    }
}
