import HTTP
import JSON
import Records
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Therapies
@testable import Web

/// FD-11: forbidden actions are not drawn. For every role, each form of each page either acts or is not there.
@Suite struct DrawnFormTests {
    /// Ben's standing in Pia's file.
    enum Reader: String, CaseIterable {
        case supervisor, therapist, read, act
    }

    private func check(_ crawl: Crawl, _ what: String) throws {
        for link in crawl.dead { Issue.record("\(what): \(link)") }
        var refused: Set<String> = []
        for form in crawl.forms where try !crawl.acts(form) {
            refused.insert("\(form.page): \(form.method.rawValue) \(form.address)")
        }
        for form in refused.sorted() { Issue.record("\(what): \(form)") }
    }

    @Test(arguments: Reader.allCases)
    func `FD-11 a file that is shared shows no form and no link that ends in 404`(reader: Reader) throws {
        let portal = try TestPortal()
        let pia = "/patients/\(portal.cast.therapies[.pia] ?? "")"
        try fill(portal, pia)
        switch reader {
        case .supervisor, .therapist:
            let body = #"{"email": "ben@example.org", "role": "\#(reader.rawValue)", "shares_words": true}"#
            #expect(portal.call(.post, pia + "/members", body, as: .ada).status == 201)
        case .read, .act:
            let body =
                #"{"colleague_email": "ben@example.org", "patients": "all", "from": "2026-11-20", "until": "2026-11-22", "access": "\#(reader.rawValue)"}"#
            #expect(portal.call(.post, "/covers", body, as: .ada).status == 201)
        }
        // Also pages that nothing links for this reader: their address is known, or was kept (LF-7).
        let pages = Routes.all.list.filter { route in
            let pattern = route.pattern.description
            return route.surface == .portal && route.method == .get && route.rule == .caseloadReader
                && pattern.hasPrefix("/patients/:patient/")
                && !pattern.dropFirst("/patients/:patient".count).contains(":")
        }.map { pia + $0.pattern.description.dropFirst("/patients/:patient".count) }
        #expect(pages.contains(pia + "/pauses"))
        let pause = #"{"starts_on": "2027-06-01", "ends_on": "2027-06-05"}"#
        #expect(portal.call(.post, pia + "/pauses", pause, as: .ada).status == 201)
        let crawl = Crawl(portal, as: .ben, from: ["/", "/patients", pia] + pages)
        #expect(crawl.pages.keys.count { $0.hasPrefix(pia) } > 12)
        try check(crawl, reader.rawValue)
    }

    @Test(arguments: [Person.ada, .ben, .uma, .lena, .leo, .pia, .quinn, .nora])
    func `FD-11 no role is shown a form or a link that ends in 403 or 404`(person: Person) throws {
        let portal = try TestPortal()
        try fill(portal, "/patients/\(portal.cast.therapies[.pia] ?? "")")
        let isPatient = [Person.pia, .quinn, .nora].contains(person)
        let crawl = Crawl(portal, as: person, from: isPatient ? ["/my", "/my/more"] : ["/"])
        #expect(crawl.pages.count > 8, "\(crawl.pages.keys.sorted())")
        try check(crawl, "\(person)")
    }

    /// An answer that has to be seen, with the button that says one has.
    private func sendUnseen(_ portal: TestPortal, _ pia: String) throws {
        let file = """
            {"format": "intersession-questionnaire/1", "key": "weariness", "title": {"de": "Müde"},
             "sections": [{"key": "s", "questions": [
               {"key": "weary", "type": "single", "required": true, "text": {"de": "Ganz ohne Hoffnung"},
                "must_be_seen": {"at_least": 2},
                "options": [{"value": 0, "text": {"de": "nie"}}, {"value": 2, "text": {"de": "oft"}}]}]}]}
            """
        #expect(portal.call(.post, "/questionnaires/import", file, as: .ada).status == 201)
        let json =
            #"{"questionnaire_key": "weariness", "available_from": "2026-11-19T08:00:00Z", "due_at": "2026-11-30T08:00:00Z"}"#
        let assigned = portal.call(.post, pia + "/assignments", json, as: .ada)
        let at = portal.now.adding(seconds: -60).text
        let body =
            #"{"assignment_id": "\#(assigned.id)", "started_at": "\#(at)", "completed_at": "\#(at)", "timezone": "Europe/Vienna", "answers": {"weary": 2}}"#
        let id = "5a1c9a0e-98a5-4a9f-8d3e-000000000301"
        #expect(portal.call(.put, "/my/contributions/\(id)", body, as: .pia).status == 201)
    }

    /// One of everything that a page of a patient may show.
    private func fill(_ portal: TestPortal, _ pia: String) throws {
        for json in [
            #"{"starts_at": "2026-11-18T09:00:00Z", "ends_at": "2026-11-18T09:50:00Z"}"#,
            #"{"starts_at": "2026-11-20T12:00:00Z", "ends_at": "2026-11-20T12:50:00Z"}"#,
            #"{"starts_at": "2026-11-24T09:00:00Z", "ends_at": "2026-11-24T09:50:00Z"}"#,
        ] {
            #expect(portal.call(.post, pia + "/sessions", json, as: .ada).status == 201)
        }
        try sendUnseen(portal, pia)
        let phone = #"{"at": "2026-11-20T08:00:00Z", "note": "Kommt wieder."}"#
        #expect(portal.call(.post, pia + "/phone-contacts", phone, as: .ada).status == 201)
        try portal.publish("wellbeing-5")
        try portal.publish("intersession-daily")
        let rule = #"{"occasion": "before_session", "questionnaire_key": "wellbeing-5"}"#
        #expect(portal.call(.post, pia + "/delivery-rules", rule, as: .ada).status == 201)
        let reaction =
            #"{"name": "Still", "conditions": [{"kind": "silent", "days": 5}], "rest_days": 7, "briefing": "Lange still."}"#
        let made = portal.call(.post, "/rules", reaction, as: .ada)
        #expect(made.status == 201)
        let on = portal.change(.patch, "/rules/\(made.id)", #"{"enabled": true}"#, as: .ada)
        #expect(on.status == 200)
    }
}
