import Foundation
import HTTP
import JSON
import Secrets
import Testing
import Wire

@testable import Database
@testable import PortalTesting
@testable import Records
@testable import Research
@testable import Studies
@testable import Web

/// The plan of a study as one file: taken out, compared, taken in again.
@Suite struct StudyPlanTests {
    let portal: TestPortal
    let desk: StudyDesk
    let study: String

    static let groups = """
        {"allocation": "randomised", "allocated_at": "baseline",
         "arms": ["full", {"key": "later", "title": {"de": "Warteliste"}, "interventions": false, "crosses_after_days": 84}],
         "size": 4, "sample_size": 60, "strata": [{"kind": "gender"},
            {"kind": "score", "questionnaire_key": "wellbeing-5", "scale": "wellbeing", "bands": [28, 50]}],
         "outcomes": [{"is_primary": true, "questionnaire_key": "wellbeing-5", "scale": "wellbeing", "time_point": "t1"}],
         "sites": [{"name": "Ulm", "email": "ada@example.org"}]}
        """

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        try portal.publish("intersession-daily")
        let more = """
            {"tells_session_dates": true, "measurements": ["steps"], "access": "password", "password": "sesam sesam",
             "time_points": [{"key": "t1", "title": {"de": "Nachher"}, "anchor": "therapy_end", "day": 7, "before": 3, "after": 14}]}
            """
        study = desk.begin(more)
        _ = desk.add("wellbeing-5", to: study, #", "is_onetime": true, "baseline": "required""#)
        _ = desk.add("wellbeing-5", to: study, #", "time_point": "t1""#)
        let set = portal.change(.put, "/studies/\(study)/groups", Self.groups, as: .lena)
        #expect(set.status == 200, "\(set.text)")
        _ = desk.add(
            "intersession-daily", to: study, #", "arms": ["later"]"# + StudyDesk.daily("08:00", "20:00"))
    }

    private func plan(of id: String) -> Response { portal.call(.get, "/studies/\(id)/plan", as: .lena) }

    private func take(_ file: String, _ query: String = "", on portal: TestPortal? = nil) -> Response {
        (portal ?? self.portal).call(.post, "/studies/plan\(query)", file, as: .lena)
    }

    private func differences(_ file: String, from id: String) -> [JSON] {
        portal.call(.post, "/studies/\(id)/plan/difference", file, as: .lena).list.compactMap {
            $0["attributes"]
        }
    }

    @Test func `ST-10 a plan that is taken in again says the same, stopped, with nothing of what happened`()
        throws
    {
        #expect(
            desk.enrol(.pia, in: study, #"{"consent_accepted": true, "password": "sesam sesam"}"#).status
                == 201)
        let file = plan(of: study)
        #expect(file.status == 200)
        #expect(file.headers["Content-Disposition"]?.contains("stress-26-plan.json") == true)
        let (seed, salt) = try portal.services.records.read { [study] connection in
            let stored = try #require(try GroupStore.find(ID(study), connection))
            return (String(stored.seed), hexadecimalDigits(stored.salt ?? []))
        }
        for secret in [seed, salt, "commitment", "sesam", "Ulm", "ada@", "lena@", "S4", "Geschlecht ich"] {
            #expect(!file.text.contains(secret), "\(secret)")
        }
        let taken = take(file.text)
        #expect(taken.status == 201, "\(taken.text)")
        #expect(taken.attributes["running"] == .bool(false) && taken.id != study)
        #expect(taken.attributes["name"]?.string?.hasPrefix("stress-26-") == true)
        #expect(taken.attributes["lead"]?["participants"] == .number(0))
        #expect(
            taken.attributes["lead"]?["consent_text"]?["de"]?.string?.contains("welches Geschlecht") == true)
        let second = plan(of: taken.id)
        let lines = differences(second.text, from: study)
        #expect(lines.map { $0["place"]?.string } == ["study.name"], "\(lines)")
        // A seed of its own, and no participant.
        let stored = try portal.services.records.read { connection in
            try GroupStore.find(ID(taken.id), connection)
        }
        #expect(stored.map { String($0.seed) } != seed && stored?.allocated == 0)
        #expect(stored?.commitment?.count == 64)
        // The password is the lead's to set.
        #expect(portal.change(.patch, "/studies/\(taken.id)", #"{"running": true}"#, as: .lena).status == 200)
        #expect(
            desk.enrol(.quinn, in: taken.id, #"{"consent_accepted": true, "password": "sesam sesam"}"#).status
                == 403)
        #expect(portal.get("/studies/\(study)/plan", as: .leo).status == 404)
        #expect(portal.call(.get, "/studies/\(study)/plan", as: .leo).status == 404)
    }

    @Test func `ST-10 on another server the questionnaires come with the plan`() throws {
        let file = plan(of: study).text
        let other = try TestPortal()
        let taken = take(file, on: other)
        #expect(taken.status == 201, "\(taken.text)")
        let items = other.call(.get, "/studies/\(taken.id)/questionnaires", as: .lena).list
        #expect(items.count == 3 && items.last?["attributes"]?["arms"] == .array([.string("later")]))
        // Each questionnaire that came with it has a line of its own.
        #expect(
            try other.audit().suffix(3) == Array(repeating: "questionnaire.imported", count: 2) + [
                "study.plan_taken"
            ])
        // Where another one has the key, the lead decides.
        let third = try TestPortal()
        let path = "\(Cast.root)/templates/instruments/wellbeing-5.json"
        let changed = try String(contentsOfFile: path, encoding: .utf8).replacing(
            "\"factor\": 4", with: "\"factor\": 5"
        )
        .replacing("\"factor\":4", with: "\"factor\":5")
        #expect(third.call(.post, "/questionnaires/import", changed, as: .ada).status == 201)
        let before = third.call(.get, "/studies", as: .lena).list.count
        let refused = take(file, on: third)
        #expect(refused.status == 422 && refused.wrongFields == ["definitions.1"], "\(refused.text)")
        #expect(third.call(.get, "/studies", as: .lena).list.count == before)
        #expect(take(file, "?present=true", on: third).status == 201)
    }

    @Test func `ST-10 what is retired here does not come back into use by a plan`() throws {
        let file = plan(of: study).text
        let other = try TestPortal()
        let id = try other.publish("wellbeing-5")
        #expect(other.call(.post, "/questionnaires/\(id)/retirement", "{}", as: .ada).status < 300)
        let before = try other.count("questionnaires")
        let refused = take(file, "?present=true", on: other)
        #expect(refused.wrongFields == ["definitions.1"], "\(refused.text)")
        // The one before it, which was not here, is not left behind.
        #expect(try other.count("questionnaires") == before)
    }

    @Test func `ST-10 a difference names its place, whatever the order`() {
        let file = plan(of: study).text
        #expect(differences(file, from: study).isEmpty)
        let changed = file.replacing("\"sample_size\":60", with: "\"sample_size\":80")
            .replacing("\"crosses_after_days\":84", with: "\"crosses_after_days\":90")
        let lines = differences(changed, from: study)
        #expect(
            lines.map { $0["place"]?.string } == [
                "groups.arms.later.crosses_after_days", "groups.sample_size",
            ])
        #expect(lines.map { $0["here"]?.string } == ["84", "60"] && lines.last?["there"]?.string == "80")
        let less = file.replacing(
            "\"questionnaire_key\":\"intersession-daily\"", with: "\"questionnaire_key\":\"other\"")
        let places = differences(less, from: study).compactMap { $0["place"]?.string }
        #expect(
            places.contains("questionnaires.intersession-daily") && places.contains("questionnaires.other"))
    }

    @Test func `ST-10 what is wrong with a plan is said with its place, and nothing of it stays`() {
        let file = plan(of: study).text
        let before = portal.call(.get, "/studies", as: .lena).list.count
        let wrong: [(String, String, String)] = [
            ("\"format\":\"intersession-study-plan\"", "\"format\":\"x\"", "format"),
            ("\"version\":1,\"study\"", "\"version\":2,\"study\"", "version"),
            (
                "\"title\":{\"de\":\"Stress im Alltag\"", "\"titel\":{\"de\":\"Stress im Alltag\"",
                "study.titel"
            ),
            ("\"anchor\":\"therapy_end\"", "\"anchor\":\"moon\"", "study.time_points.0.anchor"),
            ("\"at\":\"08:00\"", "\"at\":\"28:00\"", "questionnaires.2.schedules.0.at"),
            ("\"arms\":[\"later\"]", "\"arms\":[\"never\"]", "groups.arms"),
            ("\"size\":4", "\"size\":5", "groups.size"),
            ("\"scale\":\"wellbeing\",\"bands\"", "\"scale\":\"sleep\",\"bands\"", "groups.strata.1.scale"),
            ("\"definitions\":[", "\"group\":{},\"definitions\":[", "group"),
            ("\"access\":\"password\"", "\"access\":\"request\"", "groups.allocation"),
            ("\"is_private\":false", "\"running\":true,\"is_private\":false", "study.running"),
            ("\"size\":4", "\"sites\":[],\"size\":4", "groups.sites"),
        ]
        for (right, other, field) in wrong {
            #expect(file.contains(right), "\(right)")
            let refused = take(file.replacing(right, with: other))
            #expect(refused.status == 422 && refused.wrongFields.contains(field), "\(field): \(refused.text)")
        }
        #expect(take("[1]").status == 400)
        // Arms of which there are none.
        let start = file.range(of: "\"groups\":{")?.lowerBound
        let end = file.range(of: ",\"definitions\"")?.lowerBound
        if let start, let end {
            let without = file.replacingCharacters(in: start..<end, with: "\"groups\":null")
            #expect(take(without).wrongFields == ["groups"])
        } else {
            Issue.record("a plan has groups and definitions")
        }
        #expect(portal.call(.get, "/studies", as: .lena).list.count == before)
    }

    @Test func `ST-10 pages take a plan out, compare it and take it in`() throws {
        let page = portal.get("/studies/\(study)/plan", as: .lena)
        #expect(page.status == 200 && page.text.contains("/plan/file"))
        let file = portal.get("/studies/\(study)/plan/file", as: .lena)
        #expect(file.text == plan(of: study).text)
        let none = portal.post("/studies/new/plan", [], as: .lena)
        #expect(none.status == 422 && none.text.contains("class=\"errors\""))
        #expect(portal.get("/studies/new/plan", as: .lena).text.contains("type=\"file\""))
        #expect(portal.get("/studies/new/plan", as: .ada).status == 403)
        // Several files are held against the study from one page that was drawn once.
        let token = try #require(
            page.text.firstMatch(of: /name="form_token" value="([^"]+)"/).map { String($0.1) })
        let other = file.text.replacing("Warteliste", with: "Später")
        for (text, words) in [
            (file.text, "class=\"notice"), (other, "Später"), (file.text, "class=\"notice"),
        ] {
            let compared = portal.post(
                "/studies/\(study)/plan", files: [.init(bytes: Array(text.utf8))], token: token, as: .lena)
            #expect(compared.status == 200 && compared.text.contains(words), "\(compared.status)")
        }
        let broken = portal.post(
            "/studies/new/plan", files: [.init(bytes: Array("{\n{".utf8))], as: .lena)
        #expect(broken.status == 422 && broken.text.contains("Zeile 2"), "\(broken.status)")
        let taken = portal.post("/studies/new/plan", files: [.init(bytes: Array(other.utf8))], as: .lena)
        #expect(taken.status == 303, "\(taken.text)")
        let place = try #require(taken.headers["Location"])
        #expect(portal.call(.get, place + "/plan", as: .lena).text.contains("Später"))
    }
}
