import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// The therapist sees matching where the patient shares it, and nothing of it elsewhere.
@Suite struct SharedMatchesTests {
    let portal: TestPortal
    private let patient: String

    init() throws {
        portal = try TestPortal()
        patient = portal.cast.therapies[.pia]?.text ?? ""
    }

    private func match(_ hertz: Int, _ number: Int, hours: Int64 = 1) {
        let json = """
            {"matched_at": "\(portal.now.adding(seconds: -3_600 * hours).text)", "method": "slider", "ear": "right",
             "kind": "tone", "frequency_hz": \(hertz), "level_sl_db": 12, "certainty": 7, "run": \(number)}
            """
        let path = "/my/tinnitus-matches/44444444-4444-4444-8444-44444444444\(number)"
        #expect(portal.call(.put, path, json, as: .pia).status == 201)
    }

    private func share(_ json: String) {
        #expect(portal.call(.put, "/my/measurement-sharing", json, as: .pia).status == 200)
    }

    private var pages: [Response] {
        ["/timeline", "", "/tinnitus"].map { portal.get("/patients/\(patient)\($0)", as: .ada) }
    }

    private var listed: [JSON] {
        portal.call(.get, "/patients/\(patient)/tinnitus-matches", as: .ada).list
    }

    @Test func `SN-2 nothing of it is shown by itself, shared it is a band, a page and a call`() {
        match(5800, 1)
        match(6200, 2)
        for page in pages { #expect(page.status == 200 && !page.text.contains("6000")) }
        #expect(pages[2].text.contains("zeigt keine Tinnitus-Messungen") && listed.isEmpty)
        share(#"{"tinnitus": true}"#)
        for page in pages {
            #expect(page.text.contains("in der Mitte etwa 6") || page.text.contains("In der Mitte etwa 6"))
        }
        for page in pages.prefix(2) { #expect(page.text.contains("/patients/\(patient)/tinnitus\"")) }
        #expect(listed.count == 2)
        #expect(listed.allSatisfy { $0["type"] == .string("tinnitus_match") })
        share(#"{"tinnitus": false}"#)
        for page in pages { #expect(!page.text.contains("Mitte etwa 6")) }
        #expect(listed.isEmpty)
    }

    @Test func `SN-2 listening that is shown does not show matches`() {
        match(6100, 1)
        share(#"{"listening": true}"#)
        #expect(listed.isEmpty && !pages[0].text.contains("Tinnitus nachgebildet"))
    }

    @Test func `SN-2 what was matched before the day that is named stays the person's own`() {
        match(3000, 1, hours: 72)
        match(6000, 2)
        let today = portal.now.text.prefix(10)
        share(#"{"tinnitus": true, "since": {"tinnitus": "\#(today)"}}"#)
        #expect(listed.count == 1 && listed.first?["attributes"]?["frequency_hz"] == .number(6000))
        #expect(!pages[2].text.contains("3000"))
    }

    @Test func `somebody else's patient is not found`() {
        #expect(portal.get("/patients/\(patient)/tinnitus", as: .ben).status == 404)
        #expect(portal.call(.get, "/patients/\(patient)/tinnitus-matches", as: .ben).status == 404)
    }
}
