import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// TYS-9: every account sees its own sheets. IO-7: and its therapist.
@Suite struct OwnContributionTests {
    let portal: TestPortal
    var path: String { "/my/contributions/\(portal.cast.contribution)" }

    init() throws { portal = try TestPortal() }

    @Test func `TYS-9 the own filled-in questionnaires, and one with all its answers`() {
        let list = portal.get("/my/contributions", as: .pia)
        #expect(list.status == 200 && list.text.contains("href=\"\(path)\""))
        #expect(list.text.contains("8 von 8 beantwortet"))
        let page = portal.get(path, as: .pia).text
        #expect(page.contains("Ihre Antworten") && page.contains("ein paar Mal (2)"))
        #expect(page.contains("0 bis 4") && !page.contains("<form action=\"\(path)"))
        // Nothing that interprets.
        for word in ["reliabel", "Grenzwert", "auffällig"] { #expect(!page.contains(word)) }
    }

    @Test func `TYS-9 nobody sees somebody else's`() {
        #expect(portal.get(path, as: .quinn).status == 404 && portal.get(path, as: .nora).status == 404)
        #expect(portal.get("/my/contributions", as: .quinn).text.contains("noch keinen Fragebogen gesendet"))
    }

    @Test func `TYS-9 they stay readable when the therapy has ended`() {
        let pia = portal.cast.therapies[.pia] ?? ""
        #expect(portal.call(.post, "/patients/\(pia)/therapy/end", "{}", as: .ada).status == 200)
        for page in [path, "/my/contributions", "/my/results"] {
            #expect(portal.get(page, as: .pia).status == 200, "\(page)")
        }
    }

    @Test func `TYS-9 many are paged, the newest first`() {
        let first = portal.get("/my/contributions?limit=1", as: .pia).text
        #expect(!first.contains("rel=\"next\""))
        #expect(portal.get("/my/contributions?cursor=x", as: .pia).status == 422)
    }

    // MARK: The therapist

    @Test func `IO-7 name, ways to reach them, card, and who stands in`() {
        let profile =
            #"{"name": "Ada Lindner", "phone": "+43 1 5550-100", "emergency_phone": "+43 1 5550 199"}"#
        #expect(portal.call(.put, "/my/therapist-profile", profile, as: .ada).status == 200)
        let page = portal.get("/my/therapist", as: .pia).text
        #expect(page.contains("<h1>Ada Lindner</h1>") && page.contains("href=\"tel:+4315550100\""))
        #expect(page.contains("tel:+4315550199") && page.contains("mailto:ada@example.org"))
        #expect(page.contains("nicht rund um die Uhr gelesen") && !page.contains("Im Moment nicht da"))
        let card = portal.get("/my/therapist.vcf", as: .pia)
        #expect(card.headers["Content-Type"] == "text/vcard; charset=utf-8")
        #expect(card.text.contains("FN:Ada Lindner\r\n"))
        let pause = #"{"starts_on": "2026-11-20", "ends_on": "2026-11-27", "cover": "Dr. Steiner, 01 23"}"#
        let made = portal.call(.post, "/pauses", pause, as: .ada)
        #expect(made.status == 201, "\(made.text)")
        let away = portal.get("/my/therapist", as: .pia).text
        #expect(away.contains("27. November 2026") && away.contains("Dr. Steiner, 01 23"))
        #expect(portal.get("/my/therapist", as: .nora).text.contains("href=\"/pair\""))
        #expect(portal.get("/my/therapist.vcf", as: .nora).status == 403)
    }
}
