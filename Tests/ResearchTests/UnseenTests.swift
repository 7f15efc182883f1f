import Database
import HTTP
import JSON
import Testing
import Wire

@testable import Instruments
@testable import PortalTesting
@testable import Records
@testable import Research
@testable import Studies
@testable import Therapies
@testable import Web
@testable import Wording

/// Prompts that could not be seen, because a therapy was paused: a state of its own beside answered and missed.
@Suite struct UnseenTests {
    let portal: TestPortal
    let desk: StudyDesk
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
    }

    func wait(until moment: String) throws {
        let at = try #require(Instant(moment))
        portal.wait(seconds: at.seconds - portal.now.seconds)
        try portal.wait(awake: 0)
    }

    /// A study that asks Pia at noon, with a pause from the 22nd to the 24th in which one prompt is answered, on the 26th.
    func study(researchConsent: Bool) throws -> (study: String, pause: String) {
        let old = "/patients/\(pia)/pauses/\(portal.cast.pause)"
        #expect(portal.call(.delete, old, as: .ada).status == 204)
        let choice = #"{"research_consent": \#(researchConsent)}"#
        #expect(portal.call(.put, "/my/privacy", choice, as: .pia).status == 200)
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, StudyDesk.daily("12:00", startDay: 1))
        #expect(desk.enrol(.pia, in: study).status == 201)
        let days = #"{"starts_on": "2026-11-22", "ends_on": "2026-11-24"}"#
        let pause = portal.call(.post, "/patients/\(pia)/pauses", days, as: .ada)
        #expect(pause.status == 201)
        try wait(until: "2026-11-23T11:10:00Z")
        #expect(desk.answer("wellbeing-5", in: study, as: .pia).status == 201)
        try wait(until: "2026-11-26T11:00:30Z")
        return (study, pause.id)
    }

    /// The prompt of today can still be answered, and stands nowhere yet.
    func states(_ study: String) throws -> [String] {
        try (desk.export(study, "json")["occasions"]?.array ?? []).map {
            $0["prompt_state"]?.string ?? "-"
        }
    }

    func told(_ study: String) -> [JSON?] {
        let row = portal.call(.get, "/studies/\(study)/participants", as: .lena).list.first?["attributes"]
        return ["prompted", "answered", "unseen", "paused"].map { row?[$0] }
    }

    @Test func `IO-20 without the consent to research leads read could not be seen, not paused`() throws {
        let (study, _) = try study(researchConsent: false)
        #expect(try states(study) == ["missed", "unseen", "answered", "unseen", "missed"])
        // The prompt of today stands in neither (RP-103).
        #expect(told(study) == [.number(3), .number(1), .number(2), .null])
        let manifest = try desk.export(study, "json")["manifest"]
        #expect(manifest?["missed_prompts"] == .number(2) && manifest?["unseen_prompts"] == .number(2))
        for page in ["participants", "compliance?until=2026-11-26", "participants/\(codename(study))"] {
            let text = portal.get("/studies/\(study)/\(page)", as: .lena).text
            #expect(text.contains("1 von 3, 2 nicht zu sehen") || page.hasPrefix("participants/"))
            #expect(text.contains("2 nicht zu sehen") && !text.contains("in einer Pause"))
        }
        let days = portal.get("/studies/\(study)/compliance?until=2026-11-26", as: .lena).text
        #expect(days.contains("–<br><span class=\"mute\">1 nicht zu sehen</span>") && days.contains("1/1<"))
        let long = try desk.text(study, "csv")
        #expect(long.contains(",,unseen,,,unseen,") && !long.contains("paused"))
        // Last: readers by position find the others where they were.
        #expect(
            long.contains(
                ",consent_version,item,kind,value,shown,prompt_state,item_id,time_point,answered_together,"
                    + "event_started_at,event_ended_at\r\n"
            ))
        let wide = try desk.text(study, "wide")
        #expect(wide.contains(",prompt_state,") && wide.contains(",answered,") && wide.contains(",missed,"))
    }

    @Test func `IO-20 with the consent to research leads read paused`() throws {
        let (study, _) = try study(researchConsent: true)
        #expect(try states(study) == ["missed", "paused", "answered", "paused", "missed"])
        #expect(told(study) == [.number(3), .number(1), .number(2), .number(2)])
        let text = portal.get("/studies/\(study)/participants", as: .lena).text
        #expect(text.contains("1 von 3, 2 in einer Pause"))
    }

    @Test func `what could not be seen stays so when a pause ends early`() throws {
        let (study, pause) = try study(researchConsent: true)
        let path = "/patients/\(pia)/pauses/"
        let begin = { (first: String, last: String) in
            portal.call(
                .post, "/patients/\(pia)/pauses", #"{"starts_on": "\#(first)", "ends_on": "\#(last)"}"#,
                as: .ada)
        }
        let second = begin("2026-11-27", "2026-11-30")
        let never = begin("2026-12-20", "2026-12-22")
        try wait(until: "2026-11-28T12:00:00Z")
        for id in [pause, second.id, never.id] {
            #expect(portal.call(.delete, path + id, as: .ada).status == 204)
        }
        try wait(until: "2026-11-30T12:00:00Z")
        try portal.services.records.writeUnaudited(.madeUp) { [now = portal.now] in
            try PauseStore.removeExpired(now: now, $0)
        }
        #expect(
            try states(study) == [
                "missed", "paused", "answered", "paused", "missed", "missed", "paused", "paused", "missed",
            ])
        #expect(portal.call(.get, "/patients/\(pia)/pauses", as: .ada).list.isEmpty)
        // Those that had not begun are gone, and undoing is over for the others.
        #expect(try portal.count("pauses") == 2)
        let undone = portal.post("/patients/\(pia)/pauses/\(second.id)/return", [], as: .ada)
        #expect(undone.status == 404)
    }

    /// A study that asks Pia at noon from the 20th on.
    private func asking() throws -> String {
        let old = "/patients/\(pia)/pauses/\(portal.cast.pause)"
        #expect(portal.call(.delete, old, as: .ada).status == 204)
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, StudyDesk.daily("12:00", startDay: 0))
        #expect(desk.enrol(.pia, in: study).status == 201)
        return study
    }

    private func holiday(_ person: Person, _ first: String, _ last: String) -> String {
        let made = portal.call(
            .post, "/pauses", #"{"starts_on": "\#(first)", "ends_on": "\#(last)"}"#, as: person)
        #expect(made.status == 201, "\(made.text)")
        return made.id
    }

    @Test func `PR-21 of a therapist's holidays those count that lay in their time with the patient`() throws
    {
        let study = try asking()
        // Before Pia was her patient: none of Pia's.
        try portal.services.records.writeUnaudited(.madeUp) {
            [id = portal.services.chance.id() as ID<PauseRecord>] in
            try $0.run(
                """
                INSERT INTO pauses (id, therapist_id, starts_on, ends_on, made_at)
                SELECT \(id), therapist_id, \(LocalDate("2024-07-01")), \(LocalDate("2024-07-14")), 0
                FROM therapies WHERE codename = 'C000001'
                """)
        }
        _ = holiday(.ada, "2026-11-21", "2026-11-22")
        _ = holiday(.ben, "2026-11-22", "2026-11-23")
        try wait(until: "2026-11-24T09:00:00Z")
        let running = holiday(.ada, "2026-11-24", "2026-11-27")
        try wait(until: "2026-11-25T15:00:00Z")
        let handed = portal.call(
            .post, "/patients/C000001/hand-over", #"{"email": "ben@example.org"}"#, as: .uma)
        #expect(handed.status == 204, "\(handed.text)")
        _ = holiday(.ben, "2026-11-27", "2026-11-27")
        try wait(until: "2026-11-29T08:00:00Z")
        // 20 and 23: Ben was not hers yet. 26: Ada was hers no more.
        let told = ["missed", "paused", "paused", "missed", "paused", "paused", "missed", "paused", "missed"]
        let first = try states(study)
        #expect(first == told)
        // Her course shows Ben's, and still the one of Ada that is over.
        let pauses = portal.call(.get, "/patients/\(pia)/pauses", as: .ben).list
        #expect(pauses.map { $0["attributes"]?["starts_on"]?.string } == ["2026-11-27", "2026-11-21"])
        // For Ada's other patients they went on.
        #expect(portal.call(.get, "/pauses", as: .ada).list.contains { $0["id"]?.string == running })
        // And back: what counted goes on to count.
        let back = portal.call(
            .post, "/patients/C000001/hand-over", #"{"email": "ada@example.org"}"#, as: .uma)
        #expect(back.status == 204)
        let again = try states(study)
        #expect(again == told)
    }

    @Test func `a pause that was entered late makes nothing unseen that could be seen`() throws {
        let study = try asking()
        try wait(until: "2026-11-22T15:00:00Z")
        _ = holiday(.ada, "2026-11-20", "2026-11-24")
        try wait(until: "2026-11-25T15:00:00Z")
        let seen = try states(study)
        #expect(seen == ["missed", "missed", "missed", "paused", "paused"])
    }

    @Test func `the archive says what unseen means, and since when`() throws {
        let study = desk.begin()
        let record = try #require(try portal.services.records.read { try StudyStore.find(ID(study), $0) })
        let german = portal.services.texts(.german)
        let export = StudyExport(
            study: record, keys: portal.services.keys, cache: portal.services.questionnaires, now: portal.now,
            texts: german, installed: [german], key: nil, more: [])
        var manifest = ExportManifest()
        let readme = {
            ExportArchive(export: export).readme(manifest, matchedSince: nil, unseenSince: $0)
        }
        #expect(!readme(portal.now).contains("nicht zu sehen"))
        manifest.unseen_prompts = 2
        let since = portal.now.adding(days: 1)
        #expect(
            readme(nil).contains("2 Abfragen, die nicht zu sehen waren") && !readme(nil).contains("von vor"))
        #expect(readme(since).contains("Archive von vor \(since.text)"))
    }

    func codename(_ study: String) -> String {
        portal.call(.get, "/studies/\(study)/participants", as: .lena).list.first?["attributes"]?["codename"]?
            .string ?? ""
    }
}
