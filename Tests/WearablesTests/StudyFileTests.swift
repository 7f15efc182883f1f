import Foundation
import HTTP
import JSON
import Scheduling
import Testing
import Wire

@testable import Database
@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Wearables
@testable import Web

/// FB-2, W6, W7: a study gets of its participants' measurements what it asks for and each of them gives, by kind, and only of the
/// days on which they took part.
@Suite struct StudyFileTests {
    let portal: TestPortal
    let desk: StudyDesk
    let study: String
    private let asking = #"{"measurements": ["steps", "sleep"]}"#

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        study = desk.begin(asking)
    }

    private func give(_ kinds: String, as person: Person = .pia) -> Response {
        portal.change(
            .put, "/studies/\(study)/enrolment/measurements", #"{"measurements": \#(kinds)}"#, as: person)
    }

    private func rows(_ format: String) throws -> [[String]] { try desk.rows(study, format) }

    private var today: LocalDate { LocalTime(portal.now, Zone("Europe/Vienna")).date }

    @Test func `FB-2 a study asks for kinds, and people see what for`() throws {
        #expect(
            portal.call(.get, "/studies/\(study)", as: .pia).attributes["measurements"]
                == .array([.string("steps"), .string("sleep")]))
        let wrong = portal.change(
            .patch, "/studies/\(study)", #"{"measurements": ["steps", "blood"]}"#, as: .lena)
        #expect(wrong.status == 422)
        #expect(
            portal.change(.patch, "/studies/\(study)", #"{"measurements": "steps"}"#, as: .lena).status == 422
        )
        let page = portal.get("/studies/stress-26", as: .pia).text
        #expect(
            page.contains("An die Studie geben: Schritte") && page.contains("An die Studie geben: Schlaf"))
        #expect(!page.contains("An die Studie geben: Herzfrequenz"))
        let form = portal.get("/studies/\(study)/edit", as: .lena).text
        #expect(form.contains("Um Messwerte bitten: Herzfrequenz"))
    }

    @Test func `FB-2 who enrols gives nothing by themselves, and nothing that is not asked for`() throws {
        let refused = desk.enrol(
            .pia, in: study, #"{"consent_accepted": true, "measurements": ["heart_rate"]}"#)
        #expect(refused.status == 422 && refused.text.contains("measurements"))
        let enrolled = desk.enrol(.pia, in: study)
        #expect(enrolled.status == 201 && enrolled.attributes["measurements"] == .array([]))
        portal.wait(seconds: 3 * 86_400)
        try portal.wait(awake: 0)
        desk.day("steps", today.adding(days: -1), "healthkit", total: 5_000)
        #expect(try rows("measurements").isEmpty)
        #expect(give(#"["heart_rate"]"#).status == 422)
        #expect(give(#""steps""#).status == 422)
        #expect(give("[]", as: .quinn).status == 404)
    }

    @Test func `FB-2 the export has whole days of the time in the study, every source, and which one counts`()
        throws
    {
        let enrolled = desk.enrol(.pia, in: study, #"{"consent_accepted": true, "measurements": ["steps"]}"#)
        #expect(enrolled.attributes["measurements"] == .array([.string("steps")]))
        let codename = enrolled.attributes["codename"]?.string ?? ""
        let first = today
        portal.wait(seconds: 4 * 86_400)
        try portal.wait(awake: 0)
        // Before it, of the day of enrolling, after it; of another kind; of two sources.
        desk.day("steps", first.adding(days: -2), "healthkit", total: 1)
        desk.day("steps", first, "healthkit", total: 2)
        desk.day("steps", first.adding(days: 1), "healthkit", total: 6_000)
        desk.day("steps", first.adding(days: 1), "gadgetbridge", total: 5_000)
        desk.day("steps", first.adding(days: 2), "gadgetbridge", total: 4_000)
        desk.day("heart_rate", first.adding(days: 1), "healthkit", total: 70)
        let found = try rows("measurements")
        #expect(found.count == 3 && found.allSatisfy { $0[0] == codename && $0[1] == "steps" })
        let facts = found.map { Array($0[2...2] + $0[4...6]) }
        let (second, third) = (first.adding(days: 1).text, first.adding(days: 2).text)
        #expect(
            facts == [
                [second, "gadgetbridge", "0", "5000"], [second, "healthkit", "1", "6000"],
                [third, "gadgetbridge", "1", "4000"],
            ])
        #expect(try rows("sleeps").isEmpty && rows("activities").isEmpty)
        // The same, as SPSS keeps it: the number of rows stands in its head.
        let file = try portal.call(.get, "/studies/\(study)/export?format=measurements-sav", as: .lena)
            .streamed()
        #expect(file.prefix(4).elementsEqual(Array("$FL2".utf8)))
        #expect(file[80..<84].elementsEqual([3, 0, 0, 0]))
        let book = try desk.text(study, "codebook")
        #expect(book.contains("measurements.counts") && book.contains("sleeps.efficiency"))
        // After a withdrawal the next file has nothing of the participant.
        #expect(give("[]").status == 200)
        #expect(try rows("measurements").isEmpty)
    }

    @Test func `W7 documents hold what counts, under the codename`() throws {
        let enrolled = desk.enrol(
            .pia, in: study, #"{"consent_accepted": true, "measurements": ["steps", "sleep"]}"#)
        let codename = enrolled.attributes["codename"]?.string ?? ""
        let first = today
        portal.wait(seconds: 3 * 86_400)
        try portal.wait(awake: 0)
        desk.day("steps", first.adding(days: 1), "healthkit", total: 6_000)
        desk.day("steps", first.adding(days: 1), "gadgetbridge", total: 5_000)
        let night = """
            {"starts_at": "\(portal.now.adding(seconds: -40_000).text)", "origin": "measured", "minutes_asleep": 400,
             "ends_at": "\(portal.now.adding(seconds: -9_000).text)"}
            """
        let id = "5a1c9a0e-98a5-4a9f-8d3e-0000000000d1"
        #expect(portal.call(.put, "/my/sleeps/\(id)", night, as: .pia).status == 201)
        // The same night by hand, which comes into the tables and does not count.
        let hand = night.replacing("measured", with: "manual").replacing(#""minutes_asleep": 400,"#, with: "")
        let other = "5a1c9a0e-98a5-4a9f-8d3e-0000000000d2"
        #expect(portal.call(.put, "/my/sleeps/\(other)", hand, as: .pia).status == 201)
        let documents = try desk.export(study, "open-mhealth").array ?? []
        #expect(documents.count == 2)
        #expect(documents.allSatisfy { $0["header"]?["user_id"]?.string == codename })
        #expect(
            documents.compactMap { $0["header"]?["schema_id"]?["name"]?.string } == [
                "step-count", "sleep-duration",
            ])
        #expect(documents[0]["body"]?["step_count"]?["value"]?.number == 6_000)
        let entries = try desk.export(study, "fhir")["entry"]?.array ?? []
        let seen = entries.compactMap { $0["resource"] }.filter {
            $0["resourceType"]?.string == "Observation"
        }
        #expect(seen.count == 2)
        // RP-4: each has a name of its own, the same in each export.
        let names = entries.compactMap { $0["fullUrl"]?.string }
        #expect(Set(names).count == entries.count)
        #expect(names == seen.compactMap { $0["id"]?.string.map { "urn:uuid:" + $0 } })
        #expect(try desk.export(study, "fhir")["entry"]?.array == entries)
        for resource in seen {
            #expect(resource["subject"]?["identifier"]?["value"]?.string == codename)
            #expect(
                resource["status"]?.string == "final" && resource["effectivePeriod"]?["end"]?.string != nil)
            #expect(resource["valueQuantity"]?["system"]?.string == "http://unitsofmeasure.org")
        }
        #expect(seen[0]["valueQuantity"]?["value"]?.number == 6_000)
        #expect(try rows("sleeps").map { $0[4] }.sorted() == ["", "400"])
        #expect(
            try rows("sleeps").map { [$0[4], $0[11]] }.sorted { $0[0] < $1[0] } == [
                ["", "0"], ["400", "1"],
            ])
        for (format, rows) in [("sleeps-sav", 2), ("activities-sav", 0), ("measurements-sav", 2)] {
            let file = try portal.call(.get, "/studies/\(study)/export?format=\(format)", as: .lena)
                .streamed()
            #expect(file.prefix(4).elementsEqual(Array("$FL2".utf8)), "\(format)")
            #expect(file[80..<84].elementsEqual([UInt8(rows), 0, 0, 0]), "\(format)")
        }
    }

    @Test func `FB-2 nothing is told after a no to research, and nothing of the days after leaving`() throws {
        _ = desk.enrol(.pia, in: study, #"{"consent_accepted": true, "measurements": ["steps"]}"#)
        let first = today
        portal.wait(seconds: 3 * 86_400)
        try portal.wait(awake: 0)
        desk.day("steps", first.adding(days: 1), "healthkit", total: 6_000)
        #expect(try rows("measurements").count == 1)
        #expect(portal.call(.delete, "/studies/\(study)/enrolment", as: .pia).status == 204)
        portal.wait(seconds: 3 * 86_400)
        try portal.wait(awake: 0)
        desk.day("steps", today.adding(days: -1), "healthkit", total: 9_000)
        #expect(try rows("measurements").count == 1)
        #expect(give(#"["steps"]"#).status == 404)
        #expect(portal.change(.put, "/my/privacy", #"{"research_consent": false}"#, as: .pia).status == 200)
        #expect(try rows("measurements").isEmpty)
    }

    @Test func `FB-2 in the browser: boxes when enrolling, and a page to change it`() throws {
        let form = [("consent_accepted", "true"), ("measure_steps", "true")]
        #expect(portal.post("/my/studies/stress-26/enrolment", form, as: .pia).status == 303)
        let own = portal.get("/my/studies", as: .pia).text
        #expect(own.contains("Messwerte für die Studie") && own.contains("Schritte"))
        let page = portal.get("/my/studies/\(study)/measurements", as: .pia)
        #expect(page.status == 200 && page.text.contains("An die Studie geben: Schlaf"))
        let changed = portal.post("/my/studies/\(study)/measurements", [("measure_sleep", "true")], as: .pia)
        #expect(changed.status == 303)
        let wire = portal.call(.get, "/studies/\(study)/enrolment", as: .pia).attributes["measurements"]
        #expect(wire == .array([.string("sleep")]))
        #expect(try portal.changes().last == "enrolment.measurements")
        // An account that does not take part, and a study that asks for nothing.
        #expect(portal.get("/my/studies/\(study)/measurements", as: .quinn).status == 404)
        #expect(portal.change(.patch, "/studies/\(study)", #"{"measurements": []}"#, as: .lena).status == 200)
        #expect(portal.get("/my/studies/\(study)/measurements", as: .pia).status == 404)
        #expect(try rows("sleeps").isEmpty)
    }
}
