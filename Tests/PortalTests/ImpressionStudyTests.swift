import HTTP
import Scheduling
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Research
@testable import Studies
@testable import Web
@testable import Wording

/// One frame, studies and administration (places 9 and 10 of the first impression).
extension ImpressionTests {
    @Test func `impression 9 pages that are printed have the side bar, its place, and the foot`() throws {
        let therapy = try #require(portal.cast.therapies[.pia])
        let form = try portal.publish("wellbeing-5")
        for (path, place) in [
            ("/patients/\(therapy)/pairing-sheet", "/patients"),
            ("/patients/\(therapy)/briefing", "/patients"),
            ("/patients/\(therapy)/file?make=true", "/patients"),
            ("/questionnaires/\(form)/blank", "/questionnaires"),
        ] {
            let page = portal.get(path, as: .ada)
            #expect(page.status == 200, "\(path)")
            #expect(page.text.contains("<header class=\"frame__side\">"), "\(path)")
            #expect(page.text.contains("href=\"\(place)\" aria-current=\"page\""), "\(path)")
            #expect(
                page.text.contains("<footer class=\"foot\">") && page.text.contains("id=\"main\""), "\(path)")
            // The sheet is given away: it names the patient by codename alone (PR-6).
            let hasBar = place == "/patients" && !path.hasSuffix("/pairing-sheet")
            #expect(page.text.matches(of: /class="patient-bar"/).count == (hasBar ? 1 : 0), "\(path)")
        }
    }

    @Test func `impression 9 only a document's preview is white on a screen, and all are on paper`() throws {
        let assets = portal.services.assets
        let sheet = [assets.stylesheet, assets.deskStylesheet].map {
            String(decoding: assets.bytes(of: $0), as: UTF8.self)
        }.joined()
        let rules = sheet.matches(of: /\.paper(?:--white)? \{[^}]*\}/).map { String($0.0) }
        #expect(rules.count { $0.hasPrefix(".paper {") && $0.contains("var(--card)") } == 1)
        #expect(rules.filter { $0.contains("color-scheme: light") }.count == 2)
    }

    // MARK: Studies

    private var desk: StudyDesk { StudyDesk(portal: portal) }

    private func page(_ path: String) -> String { portal.get(path, as: .lena).text }

    /// The words of a page, its elements taken away.
    private func words(_ text: String) -> String {
        text.replacing(/<[^>]*>/, with: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test func `impression 10 a study with nobody says so, and what comes next`() throws {
        let study = desk.begin()
        let text = words(page("/studies/\(study)"))
        #expect(text.contains("Noch nimmt niemand teil.") && text.contains("Derzeit fällt niemand auf."))
        #expect(text.contains("Derzeit nimmt niemand teil.") && text.contains("Es ist keines festgelegt"))
        #expect(!page("/studies/\(study)").contains("chart--recruiting"))
        let list = words(page("/studies"))
        #expect(list.contains("Nächster Schritt") && list.contains("läuft 0 – Einladungen"))
        let english = portal.get("/studies/\(study)", as: .lena, ["Accept-Language": "en"]).status
        #expect(english == 200 && portal.get("/studies/\(study)", as: .ada).status == 403)
        #expect(portal.get("/studies/\(study)", as: .leo).status != 200)
    }

    @Test func `impression 10 the list says state, people, response and the next step of each study`() throws
    {
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, StudyDesk.daily("08:00"))
        #expect(portal.change(.put, "/studies/\(study)/groups", StudyDesk.groups, as: .lena).status == 200)
        for person in [Person.nora, .quinn] { #expect(desk.enrol(person, in: study).status == 201) }
        try portal.wait(awake: 2)
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
        try portal.wait(awake: 1)
        // Two days of two people have ended, and one of these prompts is answered.
        #expect(words(page("/studies")).contains("läuft 2 von 4 25 % (1 von 4) –"))
        #expect(
            portal.change(.patch, "/studies/\(study)", #"{"running": false}"#, as: .lena).status == 200)
        #expect(words(page("/studies")).contains("angehalten 2 von 4 25 % (1 von 4) Starten"))
        #expect(
            portal.change(.patch, "/studies/\(study)", #"{"archived": true}"#, as: .lena).status == 200)
        #expect(words(page("/studies")).contains("archiviert 2 von 4 – –"))
        // Another lead sees nothing of it.
        #expect(!portal.get("/studies", as: .leo).text.contains("stress-26"))
    }

    @Test func `impression 10 the main outcome waits for allocation and the last time of measurement`() throws
    {
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        #expect(portal.change(.put, "/studies/\(study)/groups", StudyDesk.groups, as: .lena).status == 200)
        for person in [Person.nora, .quinn] { #expect(desk.enrol(person, in: study).status == 201) }
        for person in [Person.nora, .quinn] {
            #expect(desk.answer("wellbeing-5", in: study, as: person).status == 201)
        }
        try portal.wait(awake: 28)
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
        let path = "/studies/\(study)"
        let early = words(page(path))
        #expect(early.contains("2 von 4") && early.contains("Für 1 von 2 Personen sind alle Werte da."))
        #expect(early.contains("sobald die Zuteilung geschlossen ist") && !early.contains("volle Behandlung"))
        let closing = [("name", "stress-26")]
        #expect(portal.post(path + "/groups/closure", closing, as: .lena).status == 303)
        // Day 28 and a week for what is late: until then more may come.
        try portal.wait(awake: 7)
        #expect(words(page(path)).contains("Für 1 von 2 Personen sind alle Werte da."))
        try portal.wait(awake: 1)
        let late = words(page(path))
        #expect(!late.contains("alle Werte da") && late.contains("Tag 28"))
        #expect(late.contains("volle Behandlung – ohne Interventionen: zu wenige Werte"))
    }

    @Test func `impression 10 what is over neither offers to stop nor says that it is open`() throws {
        let study = desk.begin(#"{"ends_at": "2026-11-22T23:00:00Z"}"#)
        let path = "/studies/\(study)"
        #expect(page(path).contains("action=stop") && words(page(path)).contains("Zugang offen"))
        // It ends at midnight: the day before is its last.
        #expect(words(page(path)).contains("Ende 22.11.2026"))
        try portal.wait(awake: 3)
        let over = page(path)
        #expect(over.contains("action=archive") && words(over).contains("Stand vorbei"))
        #expect(!over.contains("action=stop") && !words(over).contains("Zugang"))
    }

    @Test func `impression 10 where a therapy asks as well a questionnaire says which study it is of`() throws
    {
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        for person in [Person.nora, .pia] { #expect(desk.enrol(person, in: study).status == 201) }
        #expect(words(portal.get("/my", as: .pia).text).contains("Stress im Alltag"))
        #expect(!words(portal.get("/my", as: .nora).text).contains("Stress im Alltag"))
    }

    @Test func `impression 10 response is counted as the participants' page counts it`() throws {
        let pia = try #require(portal.cast.therapies[.pia])
        try portal.publish("wellbeing-5")
        #expect(portal.call(.put, "/my/privacy", #"{"research_consent": true}"#, as: .pia).status == 200)
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, StudyDesk.daily("08:00", "16:00"))
        for person in [Person.pia, .nora, .quinn] { #expect(desk.enrol(person, in: study).status == 201) }
        let zone = #"{"timezone": "America/New_York"}"#
        #expect(portal.call(.patch, "/my/profile", zone, as: .quinn).status == 200)
        let first = LocalTime(portal.now, Zone("Europe/Vienna")).date
        let days =
            #"{"starts_on": "\#(first.adding(days: 2).text)", "ends_on": "\#(first.adding(days: 3).text)"}"#
        #expect(portal.call(.post, "/patients/\(pia)/pauses", days, as: .ada).status == 201)
        for day in 0..<6 {
            try portal.wait(awake: 1)
            for (index, person) in [Person.pia, .nora, .quinn].enumerated() where day % (index + 2) == 0 {
                #expect(desk.answer("wellbeing-5", in: study, as: person).status == 201)
            }
        }
        let (response, alone) = try portal.services.records.read { [now = portal.now] connection in
            let record = try #require(try StudyStore.find(ID(study), connection))
            let people = try EnrolmentStore.consenting(in: record.id, connection)
            let reader = try ComplianceReader(record, now, connection)
            return (
                try StudyResponse(record, of: people, at: now, connection),
                try people.map { try reader.compliance(of: $0, connection) }
            )
        }
        #expect(response.people.map(\.prompted) == alone.map(\.prompted))
        #expect(response.people.map(\.answered) == alone.map(\.answered))
        #expect(response.answered > 4 && response.prompted > 25 && alone.contains { $0.unseen > 0 })
        #expect(words(page("/studies/\(study)")).contains("\(response.answered) von \(response.prompted)"))
    }

    @Test func `impression 10 who needs a look: a missing baseline, then silence, then little`() throws {
        try portal.publish("wellbeing-5")
        try portal.publish("tinnitus-moment")
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, StudyDesk.daily("08:00"))
        _ = desk.add("tinnitus-moment", to: study, #", "is_onetime": true, "baseline": "required""#)
        let path = "/studies/\(study)"
        #expect(desk.enrol(.nora, in: study).status == 201)
        try portal.wait(awake: 2)
        #expect(words(page(path)).contains("Derzeit fällt niemand auf."))
        try portal.wait(awake: 1)
        #expect(words(page(path)).contains("Ausgangsmessung fehlt seit 3 Tagen"))
        let item = desk.item("tinnitus-moment", .nora)
        let off = portal.change(.patch, path + "/questionnaires/\(item)", #"{"is_active": false}"#, as: .lena)
        #expect(off.status == 200)
        try portal.wait(awake: 6)
        #expect(words(page(path)).contains("nichts beantwortet, 0 % (0 von "))
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
        #expect(words(page(path)).contains("(1 von "))
    }

    // MARK: Administration

    @Test func `impression 10 the administrator's home has each part as a state, and the failing ones first`()
        throws
    {
        let fresh = portal.get("/admin", as: .uma).text
        let parts = HealthReport.Part.allCases.map {
            portal.services.texts(.german)["system.part_\($0.rawValue)"]
        }
        for part in parts { #expect(fresh.contains(">\(part)<"), "\(part)") }
        #expect(fresh.matches(of: /<li class="rows__entry">/).count >= parts.count + 8)
        #expect(words(fresh).contains("Noch keine Sicherung · Täglich, 30 Tage aufbewahrt"))
        #expect(!fresh.contains("<li class=\"card\">"))
        try portal.wait(awake: 2)
        let late = portal.get("/admin", as: .uma).text
        let entries = late.matches(of: /<p class="rows__title">(?:<a[^>]*>)?([^<]*)</).map { String($0.1) }
        #expect(entries.first == "Sicherung" && words(late).contains("braucht Aufmerksamkeit"))
        #expect(late.contains("icons.svg#warning") && late.contains("icons.svg#check"))
    }
}
