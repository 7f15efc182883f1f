import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Sounds
@testable import Studies
@testable import Web

/// The therapist sees listening where the person shows it, and a study gets what was agreed to.
@Suite struct SharedListeningTests {
    let portal: TestPortal
    let sound: ID<Sound>

    init() throws {
        portal = try TestPortal()
        sound = try portal.addSound()
    }

    private func hear(_ id: Int = 1, before seconds: Int64 = 600, as person: Person = .pia) {
        let session = #"""
            {"sound_id": "\#(sound)", "started_at": "\#(portal.now.adding(seconds: -seconds).text)",
             "listened_seconds": 120, "rating": 3, "rating_state": "rated"}
            """#
        let path = "/my/listening-sessions/22222222-2222-4222-8222-22222222222\(id)"
        #expect(portal.call(.put, path, session, as: person).status == 201)
    }

    private var pages: [Response] {
        let patient = portal.cast.therapies[.pia]?.text ?? ""
        return ["/patients/\(patient)/timeline?zoom=week", "/patients/\(patient)"].map {
            portal.get($0, as: .ada)
        }
    }

    @Test func `SN-2 nothing is shared by itself; shared it is a band on the timeline and in the overview`() {
        hear()
        let none = portal.call(.get, "/my/measurement-sharing", as: .pia)
        #expect(none.attributes["listening"] == .bool(false) && none.attributes["steps"] == .bool(false))
        for page in pages {
            #expect(page.status == 200 && !page.text.contains("Geräusche hören"))
        }
        let shared = portal.call(.put, "/my/measurement-sharing", #"{"listening": true}"#, as: .pia)
        #expect(shared.status == 200 && shared.attributes["since"]?["listening"] == .null)
        for page in pages {
            #expect(page.text.contains("Geräusche hören") && page.text.contains("einmal, 2:00"))
            #expect(page.text.contains("mittlere Bewertung 3 (n = 1)"))
        }
        #expect(
            portal.call(.put, "/my/measurement-sharing", #"{"listening": false}"#, as: .pia).status == 200)
        for page in pages { #expect(!page.text.contains("Geräusche hören")) }
    }

    @Test func `SN-2 sharing from a day on shows nothing before it`() {
        hear(before: 40_000)
        let tomorrow = portal.now.adding(days: 1).text.prefix(10)
        let json = #"{"listening": true, "since": {"listening": "\#(tomorrow)"}}"#
        #expect(portal.call(.put, "/my/measurement-sharing", json, as: .pia).status == 200)
        for page in pages { #expect(!page.text.contains("einmal, 2:00")) }
    }

    @Test func `SN-2 sharing is changed by a form that says what it means, and wrong types are refused`() {
        let page = portal.get("/my/settings/sharing", as: .pia)
        #expect(page.status == 200 && page.text.contains("jederzeit beenden"))
        let form = [("listening", "true"), ("since_listening", ""), ("tinnitus", ""), ("since_tinnitus", "")]
        #expect(portal.post("/my/settings/sharing", form, as: .pia).status == 303)
        #expect(portal.call(.get, "/my/measurement-sharing", as: .pia).attributes["listening"] == .bool(true))
        for wrong in [
            #"{"listening": "yes"}"#, #"{"weight": true}"#, #"{"since": {"listening": "soon"}}"#,
            #"{"since": {"steps": "2026-11-01"}}"#, #"{"since": 3}"#,
        ] {
            #expect(portal.call(.put, "/my/measurement-sharing", wrong, as: .pia).status == 422, "\(wrong)")
        }
        // What is not sent stays.
        #expect(portal.call(.put, "/my/measurement-sharing", #"{"sleep": true}"#, as: .pia).status == 200)
        let now = portal.call(.get, "/my/measurement-sharing", as: .pia).attributes
        #expect(now["listening"] == .bool(true) && now["sleep"] == .bool(true))
    }

    @Test func `SN-2 a study's export has one row for each session of those who give listening to it`() throws
    {
        let desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        let study = desk.begin(#"{"measurements": ["listening"]}"#)
        _ = desk.add("wellbeing-5", to: study)
        hear()
        #expect(portal.call(.put, "/my/privacy", #"{"research_consent": true}"#, as: .pia).status == 200)
        let given = #"{"consent_accepted": true, "measurements": ["listening"]}"#
        #expect(desk.enrol(.pia, in: study, given).status == 201)
        portal.wait(seconds: 700)
        hear(2)
        let rows = { try desk.text(study, "listening").split(separator: "\r\n").dropFirst() }
        let told = try rows()
        // What was heard before enrolling is not told.
        #expect(told.count == 1 && told.first?.contains("Regen,\(sound),") == true)
        #expect(told.first?.hasPrefix("S") == true && told.first?.hasSuffix(",120,,3,rated,1") == true)
        let book = try desk.text(study, "codebook")
        #expect(book.contains("listening.rating,") && book.contains("listening.counts,"))
        portal.wait(seconds: 1)
        #expect(portal.call(.put, "/my/privacy", #"{"research_consent": false}"#, as: .pia).status == 200)
        #expect(try rows().isEmpty)
    }
}
