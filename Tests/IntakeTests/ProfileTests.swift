import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// SN-4: a profile that goes on, over the API: given, changed, taken back; the latest counts, and each change is dated.
@Suite struct ProfileTests {
    let portal: TestPortal
    let version: String

    init() throws {
        portal = try TestPortal()
        version = try portal.publish("tinnitus-profile")
    }

    private func assign(_ more: String = "") -> String {
        let made = portal.call(
            .post, "/patients/\(portal.cast.therapies[.pia] ?? "")/assignments",
            #"{"questionnaire_key": "tinnitus-profile"\#(more)}"#,
            as: .ada)
        #expect(made.status == 201, "\(made.text)")
        return made.id
    }

    private func patch(
        _ id: String, _ answers: String, more: String = "", as person: Person = .pia, _ headers: Headers = [:]
    ) -> Response {
        portal.call(.patch, "/my/profiles/\(id)", #"{"answers": \#(answers)\#(more)}"#, as: person, headers)
    }

    @Test func `SN-4 answers are given, changed and taken back, each with its time; the sheet is one`() throws
    {
        let id = assign()
        let empty = portal.call(.get, "/my/profiles/\(id)", as: .pia)
        #expect(empty.status == 200 && empty.attributes["questionnaire_id"]?.string == version)
        #expect(empty.attributes["progress"]?["answered"] == .number(0))
        let first = patch(id, #"{"side": 1, "sounds_like": [1, 3], "own_words": "wie eine Grille"}"#)
        #expect(
            first.status == 200 && first.attributes["progress"]?["answered"] == .number(3), "\(first.text)")
        #expect(first.attributes["progress"]?["total"] == .number(14))
        #expect(first.json["data"]?["type"] == .string("profile_answers") && first.id == id)
        let begun = portal.now
        try portal.wait(awake: 3)
        let second = patch(id, #"{"side": 3, "own_words": null}"#)
        #expect(second.attributes["answers"]?["side"] == .number(3))
        #expect(second.attributes["answers"]?["own_words"] == .null)
        #expect(second.attributes["changed_at"]?["side"]?.string == portal.now.text)
        #expect(second.attributes["changed_at"]?["sounds_like"]?.string == begun.text)
        #expect(second.attributes["progress"]?["answered"] == .number(2))
        let sheets = portal.call(.get, "/my/contributions", as: .pia).list.filter {
            $0["attributes"]?["questionnaire_key"] == .string("tinnitus-profile")
        }
        #expect(sheets.count == 1 && sheets.first?["attributes"]?["answers"]?["side"] == .number(3))
        // The therapist sees the same one, and the assignment is no longer open.
        let seen = portal.call(.get, "/patients/\(portal.cast.therapies[.pia] ?? "")/contributions", as: .ada)
            .list
        #expect(seen.count == 2)
        #expect(!portal.call(.get, "/my/assignments", as: .pia).text.contains(id))
        let list = portal.call(.get, "/my/profiles", as: .pia).list
        #expect(list.count == 1 && list.first?["id"]?.string == id)
    }

    @Test func `SN-4 what was before is in the own copy, sealed in the database, and gone with the account`()
        throws
    {
        let id = assign()
        _ = patch(id, #"{"own_words": "Kanarienvogel"}"#)
        try portal.wait(awake: 1)
        _ = patch(id, #"{"own_words": "Zeisig"}"#)
        let copy = portal.call(.get, "/my/export", as: .pia).attributes["profile_changes"]?.array ?? []
        #expect(copy.count == 2 && copy.first?["answers"]?["own_words"] == .string("Kanarienvogel"))
        #expect(copy.last?["questionnaire_key"] == .string("tinnitus-profile"))
        let stored: [[UInt8]] = try portal.services.records.read { connection in
            try connection.all("SELECT changes FROM profile_changes") { row in try row[0] }
        }
        #expect(stored.count == 2)
        #expect(!stored.contains { String(decoding: $0, as: UTF8.self).contains("Kanarienvogel") })
        let gone = portal.call(.delete, "/my/account", #"{"password": "\#(Cast.password)"}"#, as: .pia)
        #expect(gone.status == 204)
        #expect(try portal.count("profile_changes") == 0)
    }

    @Test func `SN-4 of each question the later answer counts, and the same again changes nothing`() throws {
        let id = assign()
        portal.wait(seconds: 600)
        let at = portal.now
        _ = patch(id, #"{"side": 2}"#)
        let older = at.adding(seconds: -300).text
        let late = patch(
            id, #"{"side": 4, "pitch": 3}"#,
            more: #", "answered_at": {"side": "\#(older)", "pitch": "\#(older)"}"#)
        #expect(late.attributes["answers"]?["side"] == .number(2), "\(late.text)")
        #expect(late.attributes["answers"]?["pitch"] == .number(3))
        #expect(late.attributes["changed_at"]?["pitch"]?.string == older)
        let lines = try portal.audit().count { $0 == "profile_answers.changed" }
        let tag = late.headers["ETag"] ?? ""
        portal.wait(seconds: 60)
        let again = patch(id, #"{"side": 2, "burden": null}"#)
        #expect(again.status == 200 && again.headers["ETag"] == tag)
        #expect(try portal.count("profile_changes") == 2)
        #expect(try portal.audit().count { $0 == "profile_answers.changed" } >= lines)
        #expect(patch(id, #"{"side": 1}"#, ["If-Match": #""1-de-x""#]).status == 412)
        #expect(patch(id, #"{"side": 1}"#, ["If-Match": tag]).status == 200)
    }

    @Test
    func `SN-4 a device's sheet does the same under its id, harmless again, refused with other content`()
        throws
    {
        let id = assign()
        portal.wait(seconds: 60)
        let sheet = { (answers: String) in
            """
            {"assignment_id": "\(id)", "started_at": "2026-11-20T09:00:10Z",
             "completed_at": "2026-11-20T09:00:40Z", "timezone": "Europe/Vienna", "answers": \(answers)}
            """
        }
        let (one, two) = ("11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222")
        let put = { (id: String, json: String) in
            portal.call(.put, "/my/contributions/\(id)", json, as: .pia)
        }
        let first = put(one, sheet(#"{"side": 1, "pitch": 2}"#))
        #expect(first.status == 201 && first.id == one, "\(first.text)")
        #expect(put(one, sheet(#"{"side": 1, "pitch": 2}"#)).status == 200)
        #expect(put(one, sheet(#"{"side": 2}"#)).status == 409)
        let later = sheet(#"{"side": null, "burden": 6}"#).replacing("09:00:40", with: "09:00:50")
        let second = put(two, later)
        #expect(second.status == 201 && second.id == two, "\(second.text)")
        #expect(second.attributes["answers"]?["burden"] == .number(6))
        #expect(second.attributes["answers"]?["pitch"] == .number(2))
        #expect(second.attributes["answers"]?["side"] == .null)
        #expect(second.attributes["scores"]?["burden"] == .number(6))
        #expect(portal.call(.get, "/my/contributions/\(two)", as: .pia).id == two)
        #expect(portal.call(.get, "/my/contributions", as: .pia).list.count == 2)
        #expect(put(portal.cast.contribution, later).status == 409)
        let future = later.replacing("2026-11-20T09:00:50Z", with: "2026-11-20T11:00:50Z")
        #expect(put("33333333-3333-4333-8333-333333333333", future).wrongFields == ["completed_at"])
    }

    @Test func `SN-4 bad input is named by its place, and nobody else's profile is there`() {
        let id = assign()
        #expect(patch(id, #"{"nothing": 1}"#).wrongFields == ["answers.nothing"])
        #expect(patch(id, #"{"side": 9}"#).wrongFields == ["answers.side"])
        #expect(patch(id, #"{"worse": [1, 6]}"#).wrongFields == ["answers.worse"])
        #expect(patch(id, #"{"own_words": 7}"#).wrongFields == ["answers.own_words"])
        #expect(patch(id, "[]").wrongFields == ["answers"])
        #expect(
            portal.call(.patch, "/my/profiles/\(id)", #"{"side": 1}"#, as: .pia).wrongFields
                == ["answers", "side"])
        #expect(
            patch(id, #"{"side": 1}"#, more: #", "answered_at": {"pitch": "2026-11-20T09:00:00Z"}"#)
                .wrongFields
                == ["answered_at.pitch"])
        #expect(
            patch(id, #"{"side": 1}"#, more: #", "answered_at": {"side": "gestern"}"#).wrongFields
                == ["answered_at.side"])
        #expect(patch(id, #"{"side": 1}"#, as: .quinn).status == 404)
        #expect(patch(portal.cast.assignment, #"{"q": 1}"#).status == 404)
        // A clock that runs ahead wins nothing by it.
        let ahead = portal.now.adding(days: 1).text
        let early = patch(id, #"{"side": 1}"#, more: #", "answered_at": {"side": "\#(ahead)"}"#)
        #expect(early.attributes["changed_at"]?["side"]?.string == portal.now.text)
    }

    @Test func `SN-4 it stays open after its day, is given once, and ends with the therapy`() throws {
        let id = assign()
        let twice = portal.call(
            .post, "/patients/\(portal.cast.therapies[.pia] ?? "")/assignments",
            #"{"questionnaire_key": "tinnitus-profile"}"#, as: .ada)
        #expect(twice.wrongFields == ["questionnaire_key"])
        let link = portal.call(
            .post, "/patients/\(portal.cast.therapies[.pia] ?? "")/assignments/\(id)/link", as: .ada)
        #expect(link.status == 409 && link.json["code"] == .string("profile_without_link"))
        try portal.wait(awake: 60)
        #expect(patch(id, #"{"side": 1}"#).status == 200)
        #expect(
            portal.call(.post, "/patients/\(portal.cast.therapies[.pia] ?? "")/therapy/end", "{}", as: .ada)
                .status == 200)
        portal.wait(seconds: 60)
        #expect(patch(id, #"{"side": 2}"#).status == 403)
        let kept = portal.call(.get, "/my/profiles/\(id)", as: .pia)
        #expect(kept.status == 200 && kept.attributes["answers"]?["side"] == .number(1))
    }

    @Test func `SN-4 a study asks for a profile without times, and exports what it was before`() throws {
        let desk = StudyDesk(portal: portal)
        let study = desk.begin()
        let refused = portal.call(
            .post, "/studies/\(study)/questionnaires",
            #"{"questionnaire_key": "tinnitus-profile", "is_onetime": true}"#, as: .lena)
        #expect(refused.wrongFields == ["is_onetime"], "\(refused.text)")
        let item = desk.add("tinnitus-profile", to: study)
        #expect(desk.enrol(.nora, in: study).status == 201)
        portal.wait(seconds: 60)
        #expect(patch(item, #"{"side": 1, "pitch": 4}"#, as: .nora).status == 200)
        try portal.wait(awake: 2)
        let changed = patch(item, #"{"side": 3}"#, as: .nora)
        #expect(changed.status == 200 && changed.attributes["answers"]?["pitch"] == .number(4))
        let sheets = portal.call(.get, "/my/contributions", as: .nora).list
        #expect(sheets.count == 1 && sheets.first?["attributes"]?["study_id"]?.string == study)
        #expect(desk.enrol(.pia, in: study).status == 201)
        #expect(portal.call(.get, "/my/profiles/\(item)", as: .pia).attributes["answers"] == .object([]))
    }

    @Test func `TYT-5 a new version goes on with the answers it can take`() throws {
        let id = assign()
        _ = patch(id, #"{"side": 5, "pitch": 4, "own_words": "hell"}"#)
        let file = try String(
            contentsOfFile: Cast.root + "/templates/instruments/tinnitus-profile.json", encoding: .utf8)
        let newer = file.replacing(
            #", {"value": 5, "text": {"de": "außerhalb", "en": "outside"}}"#, with: "")
        #expect(newer != file)
        let next = portal.call(.post, "/questionnaires/import", newer, as: .ada)
        #expect(next.status == 201)
        let now = portal.call(.get, "/my/profiles/\(id)", as: .pia).attributes
        #expect(now["questionnaire_id"]?.string == next.id && now["answers"]?["side"] == nil)
        portal.wait(seconds: 60)
        #expect(patch(id, #"{"side": 2}"#).attributes["answers"]?["own_words"] == .string("hell"))
        let sheet = portal.call(.get, "/my/contributions", as: .pia).list.first?["attributes"]
        #expect(sheet?["version"] == .number(2))
    }
}
