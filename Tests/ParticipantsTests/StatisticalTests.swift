import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Questionnaires
@testable import Records
@testable import Web

/// TYT-3: three statistical questionnaires, once, in the browser and in the app, half-filled ones continued on the other.
@Suite struct StatisticalTests {
    let portal: TestPortal
    let desk: StudyDesk
    let item: String
    let version: String

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        version = try portal.publish("tinnitus-person")
        let study = desk.begin()
        item = desk.add("tinnitus-person", to: study, #", "is_onetime": true"#)
        #expect(desk.enrol(.nora, in: study).status == 201)
        portal.wait(seconds: 60)
    }

    private var path: String { "/my/drafts/\(version)" }

    private func put(_ answers: String, tag: String? = nil) -> Response {
        portal.call(
            .put, path, #"{"answers": \#(answers)}"#, as: .nora, tag.map { ["If-Match": $0] } ?? [:])
    }

    @Test(arguments: ["tinnitus-person", "tinnitus-history", "tinnitus-hearing", "tinnitus-profile"])
    func `TYT-3 each says that its words are ours, in two languages, and requires nothing`(key: String) throws
    {
        let questionnaire = try InstrumentFiles.shippedOne(key)
        #expect(questionnaire.origin?.contains("in its own words") == true)
        #expect(questionnaire.language(asked: "de") == "de" && questionnaire.language(asked: "en") == "en")
        #expect(questionnaire.questions.allSatisfy { !$0.isRequired })
        #expect(questionnaire.mode == (key == "tinnitus-profile" ? .living : .sheet))
        if questionnaire.mode == .living {
            let kinds = Set(questionnaire.questions.map(\.type.name))
            #expect(kinds.isSuperset(of: ["single", "multiple", "text"]))
        }
    }

    @Test func `TYT-3 begun in the browser, continued in the app, finished in the browser, and asked once`()
        throws
    {
        let web = AnsweringPerson(portal, .nora, at: "/my/questionnaires/\(item)")
        #expect(web.press("next", [("birth_year", "1971"), ("sex", "1")]).status == 303)
        let draft = portal.call(.get, path, as: .nora)
        #expect(draft.attributes["answers"]?["birth_year"] == .number(1971), "\(draft.text)")
        portal.wait(seconds: 30)
        let tag = try #require(draft.headers["ETag"])
        #expect(put(#"{"hand": 2, "sex": 4}"#, tag: tag).status == 200)
        // The form in the browser is older: only what is changed in it counts.
        #expect(web.press("next", [("noise_at_work", "1")]).status == 303)
        let both = portal.call(.get, path, as: .nora).attributes["answers"]
        #expect(both?["hand"] == .number(2) && both?["sex"] == .number(4), "\(both ?? .null)")
        #expect(both?["noise_at_work"] == .number(1) && both?["birth_year"] == .number(1971))
        web.open("/my/questionnaires/\(item)?part=review")
        #expect(web.press("send").status == 303)
        #expect(web.page.text.contains("Vielen Dank"), "\(web.page.text)")
        let sheet = portal.call(.get, "/my/contributions", as: .nora).list.first?["attributes"]?["answers"]
        #expect(sheet?["sex"] == .number(4) && sheet?["hand"] == .number(2))
        #expect(portal.call(.get, path, as: .nora).status == 404)
        web.open("/my/questionnaires/\(item)")
        #expect(web.page.text.contains("schon gesendet"))
    }

    @Test func `TYT-3 a stale app is told the present state with 412, and merges item by item`() throws {
        let tag = try #require(put(#"{"birth_year": 1971, "sex": 1}"#).headers["ETag"])
        portal.wait(seconds: 30)
        let web = AnsweringPerson(portal, .nora, at: "/my/questionnaires/\(item)?part=person")
        #expect(web.press("next", [("sex", "2")]).status == 303)
        let stale = put(#"{"hand": 1}"#, tag: tag)
        #expect(stale.status == 412)
        let present = stale.json["data"]?["attributes"]
        #expect(present?["answers"]?["sex"] == .number(2), "\(stale.text)")
        #expect(present?["answered_at"]?["sex"]?.string == portal.now.text)
        let fresh = try #require(portal.call(.get, path, as: .nora).headers["ETag"])
        let older = portal.now.adding(seconds: -10).text
        let merged = portal.call(
            .put, path,
            #"{"answers": {"hand": 1, "sex": 3}, "answered_at": {"hand": "\#(older)", "sex": "\#(older)"}}"#,
            as: .nora, ["If-Match": fresh])
        #expect(merged.status == 200 && merged.attributes["answers"]?["sex"] == .number(2))
        #expect(merged.attributes["answers"]?["hand"] == .number(1))
        web.open("/my/questionnaires/\(item)?part=person")
        #expect(web.fields.contains { $0 == ("answers.hand", "1") })
        #expect(web.fields.contains { $0 == ("answers.sex", "2") })
    }
}
