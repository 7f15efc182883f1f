import HTTP
import JSON
import Testing
import Wire

@testable import Database
@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Therapies
@testable import Web

/// ST-5: allocation within strata, and what the consent text says of them.
@Suite struct StrataTests {
    let portal: TestPortal
    let desk: StudyDesk
    let study: String

    static let byGender = StudyDesk.groups.replacing(
        #""size": 1"#, with: #""size": 1, "strata": [{"kind": "site"}, {"kind": "gender"}]"#
    ).replacing(#""sample_size": 4"#, with: #""sample_size": 40"#)

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
    }

    private var path: String { "/studies/\(study)/groups" }

    private func set(_ body: String = byGender) -> Response { portal.change(.put, path, body, as: .lena) }

    private func consent() -> (text: String?, version: Double?) {
        let lead = portal.call(.get, "/studies/\(study)", as: .lena).attributes["lead"]
        return (lead?["consent_text"]?["de"]?.string, lead?["consent_version"]?.number)
    }

    @Test
    func `ST-5 a sequence is that of the site where there are no strata, and one of its own within them`() {
        let ulm = AllocationLevels(site: "site/Ulm", gender: .female)
        #expect(ulm.sequence(in: []) == "site/Ulm" && ulm.sequence(in: [.site]) == "site/Ulm")
        #expect(ulm.sequence(in: [.site, .gender]) == "gender/female/site/Ulm")
        // What is not said is one stratum, whichever way it is not said.
        let unknown = [nil, Gender.notStated].map {
            AllocationLevels(site: "", gender: $0).sequence(in: [.gender])
        }
        #expect(unknown == ["gender//", "gender//"])
    }

    @Test func `ST-5 each gender of a site has its own sequence, and who said nothing has one, too`() throws {
        #expect(set().status == 200)
        try portal.services.records.writeUnaudited(.madeUp) { [cast = portal.cast] connection in
            for (person, gender) in [(Person.pia, Gender.female), (.quinn, .male)] {
                let therapy = try #require(cast.therapies[person])
                try connection.run("UPDATE therapies SET gender = \(gender) WHERE id = \(therapy)")
            }
        }
        // All of them are the first of their row; without strata nobody's row differs from Nora's but by the site.
        for person in [Person.pia, .quinn, .nora] {
            #expect(desk.enrol(person, in: study).attributes["arm"]?.string == "full", "\(person)")
        }
        let paper = #"{"consented_on": "\#(portal.now.text.prefix(10))", "consent_version": 2}"#
        let refused = portal.call(.post, "/studies/\(study)/participants", paper, as: .lena)
        #expect(refused.status == 409, "\(refused.text)")
        let rows = try portal.services.records.read { connection in
            try connection.all("SELECT site FROM study_sequences ORDER BY site") { row in try row[0] as String
            }
        }
        #expect(rows.contains("gender/female/site/Ulm") && rows.contains("gender//") && rows.count == 3)
    }

    @Test
    func `ST-5 strata are read, shown, kept by who does not know them, and fixed with the first participant`()
    {
        #expect(set().status == 200)
        let strata = {
            portal.call(.get, path, as: .lena).attributes["strata"]?.array?.compactMap { $0["kind"]?.string }
        }
        #expect(strata() == ["site", "gender"])
        // A client of before sends none.
        #expect(set(StudyDesk.groups).status == 200 && strata() == ["site", "gender"])
        for wrong in [
            #"["site"]"#, #"[{"kind": "age"}]"#, #"[{"kind": "site"}, {"kind": "site"}]"#, #"[{}]"#,
        ] {
            let body = StudyDesk.groups.replacing(#""size": 1"#, with: #""size": 1, "strata": \#(wrong)"#)
            #expect(set(body).status == 422, "\(wrong)")
        }
        #expect(desk.enrol(.nora, in: study).status == 201)
        let none = StudyDesk.groups.replacing(#""size": 1"#, with: #""size": 1, "strata": []"#)
        let refused = set(none)
        #expect(refused.status == 422 && refused.json["errors"]?["allocation"] != nil)
        #expect(
            set(StudyDesk.groups.replacing(#""sample_size": 4"#, with: #""sample_size": 9"#)).status == 200)
    }

    @Test func `ST-5 the consent text says that leads learn the gender, as long as they do`() {
        let before = consent()
        #expect(set().status == 200)
        let told = consent()
        #expect(
            told.text?.contains("welches Geschlecht") == true && told.version == before.version.map { $0 + 1 }
        )
        #expect(set().status == 200 && consent().version == told.version)
        // A lead who writes the text anew keeps the sentence.
        _ = portal.change(
            .patch, "/studies/\(study)", #"{"consent_text": {"de": "Ich nehme gern teil."}}"#, as: .lena)
        #expect(
            consent().text?.hasPrefix("Ich nehme gern teil.\n\nDie Studienleitung erfährt, welches") == true)
        _ = portal.change(.patch, "/studies/\(study)", #"{"description": {"de": "Anders."}}"#, as: .lena)
        #expect(consent().version == told.version.map { $0 + 1 })
        // A copy has no groups.
        _ = portal.post("/studies/\(study)/copy", [], as: .lena)
        let copied = portal.call(.get, "/studies", as: .lena).list.filter { $0["id"]?.string != study }
            .compactMap {
                $0["attributes"]?["lead"]?["consent_text"]?["de"]?.string
            }
        #expect(copied.contains("Ich nehme gern teil."))
        let none = StudyDesk.groups.replacing(#""size": 1"#, with: #""size": 1, "strata": []"#)
        #expect(set(none).status == 200 && consent().text == "Ich nehme gern teil.")
        #expect(set().status == 200)
        #expect(
            portal.change(.delete, path, as: .lena).status == 204 && consent().text == "Ich nehme gern teil.")
    }

    @Test func `ST-5 both sentences of the house stand in one text and come and go by themselves`() {
        #expect(set().status == 200)
        let on = portal.change(.patch, "/studies/\(study)", #"{"tells_session_dates": true}"#, as: .lena)
        #expect(on.status == 200, "\(on.text)")
        let both = consent().text ?? ""
        #expect(both.contains("welches Geschlecht") && both.contains("wann die erste Sitzung ist"))
        _ = portal.change(.patch, "/studies/\(study)", #"{"tells_session_dates": false}"#, as: .lena)
        let text = consent().text ?? ""
        #expect(text.contains("welches Geschlecht") && !text.contains("wann die erste Sitzung ist"))
    }
}
