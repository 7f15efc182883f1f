import Database
import HTTP
import JSON
import Testing
import Wire

@testable import Delivery
@testable import PortalTesting
@testable import Protocols
@testable import Records
@testable import Rules
@testable import Studies
@testable import Therapies
@testable import Web

/// PR-17: protocols, from making one to what it brings to therapies.
@Suite struct ProtocolTests {
    let portal: TestPortal
    let text: String
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }

    init() throws {
        portal = try TestPortal()
        try portal.publish("wellbeing-5")
        text =
            portal.call(
                .post, "/interventions", #"{"kind": "task", "text": {"de": "Gehen Sie hinaus."}}"#, as: .ada
            ).id
    }

    func make(_ more: String, as person: Person = .ada) -> Response {
        portal.call(.post, "/protocols", #"{"name": "Standard", \#(more)}"#, as: person)
    }

    func battery(_ keys: String...) -> String {
        let list = keys.map { "\"\($0)\"" }.joined(separator: ", ")
        return portal.call(
            .post, "/batteries",
            #"{"name": "B\#(portal.services.chance.digits(6))", "questionnaire_keys": [\#(list)]}"#,
            as: .ada
        ).id
    }

    func put(_ id: String?, follow: Bool = true, on therapy: ID<Therapy>? = nil) -> Response {
        let name = id.map { "\"\($0)\"" } ?? "null"
        return portal.call(
            .put, "/patients/\(therapy ?? pia)/protocol", #"{"protocol_id": \#(name), "follow": \#(follow)}"#,
            as: .ada)
    }

    func session(_ start: String, _ end: String) {
        let made = portal.call(
            .post, "/patients/\(pia)/sessions", #"{"starts_at": "\#(start)", "ends_at": "\#(end)"}"#, as: .ada
        )
        #expect(made.status == 201)
    }

    /// Pia's assignments before sessions that are not withdrawn, by questionnaire.
    func asked(_ source: String = "appointment") -> [String] {
        portal.call(.get, "/patients/\(pia)/assignments", as: .ada).list.compactMap { item in
            let attributes = item["attributes"]
            guard attributes?["source"] == .string(source), attributes?["withdrawn_at"] ?? .null == .null
            else {
                return nil
            }
            return attributes?["questionnaire_key"]?.string
        }.sorted()
    }

    func rules() -> [JSON] {
        portal.call(.get, "/patients/\(pia)/delivery-rules", as: .ada).list.compactMap { $0["attributes"] }
            .filter {
                $0["watched_key"] != .string("none")
            }
    }

    static let before = #""plan": [{"occasion": "before_session", "questionnaire_key": "between-sessions"}]"#

    // MARK: Putting one

    @Test func `PR-17 a protocol becomes ordinary plan rules that know where they come from`() throws {
        let id = make(Self.before).id
        session("2026-12-01T08:00:00Z", "2026-12-01T08:50:00Z")
        #expect(put(id).status == 200)
        #expect(asked() == ["between-sessions"])
        #expect(rules().map { $0["protocol_id"] } == [.string(id)])
        // The same again, the hour, the same protocol once more: nothing is asked twice.
        #expect(put(id).status == 200 && put(id, follow: false).status == 200)
        try DeliveryPlanner.run(portal.services)
        try ProtocolPlanner.run(portal.services)
        #expect(asked() == ["between-sessions"] && rules().count == 1)
        #expect(try portal.audit().filter { $0 == "protocol.followed" }.isEmpty)
    }

    @Test func `PR-17 nothing that is assigned already is assigned again`() throws {
        session("2026-12-01T08:00:00Z", "2026-12-01T08:50:00Z")
        let own = portal.call(
            .post, "/patients/\(pia)/delivery-rules",
            #"{"occasion": "before_session", "questionnaire_key": "between-sessions"}"#, as: .ada)
        #expect(own.status == 201 && asked() == ["between-sessions"])
        // The same in a battery of the protocol, beside something new.
        let both = battery("between-sessions", "wellbeing-5")
        #expect(put(make(#""batteries": {"before_session": "\#(both)"}"#).id).status == 200)
        #expect(asked() == ["between-sessions", "wellbeing-5"])
        // Another protocol that says one of them takes over what is there: it is the same assignment.
        let ids = { self.portal.call(.get, "/my/assignments", as: .pia).list.compactMap { $0["id"]?.string } }
        let before = Set(ids())
        let next = make(
            #""plan": [{"occasion": "before_session", "questionnaire_key": "wellbeing-5", "open_hours": 24}]"#
        )
        #expect(put(next.id).status == 200)
        #expect(asked() == ["between-sessions", "wellbeing-5"] && Set(ids()) == before)
    }

    @Test func `PR-17 what was assigned by hand before is not assigned again for the same time`() throws {
        // Pia has had the short form by hand since yesterday, until the 26th.
        session("2026-11-24T08:00:00Z", "2026-11-24T08:50:00Z")
        #expect(put(make(Self.before).id).status == 200 && asked().isEmpty)
        session("2026-12-01T08:00:00Z", "2026-12-01T08:50:00Z")
        #expect(asked() == ["between-sessions"])
    }

    @Test func `PR-17 following withdraws what nobody has begun; keeping makes it the patient's own`() throws
    {
        session("2026-11-28T08:00:00Z", "2026-11-28T08:50:00Z")
        let first = make(
            #""plan": [{"occasion": "before_session", "questionnaire_key": "between-sessions"}, {"occasion": "before_session", "questionnaire_key": "wellbeing-5"}]"#
        ).id
        #expect(put(first).status == 200 && asked().count == 2)
        // One of the two was opened.
        let mine = portal.call(.get, "/my/assignments", as: .pia).list.first {
            $0["attributes"]?["questionnaire_key"] == .string("wellbeing-5")
        }
        let opened = portal.call(
            .patch, "/my/assignments/\(mine?["id"]?.string ?? "")", #"{"opened_at": "2026-11-20T09:00:00Z"}"#,
            as: .pia)
        #expect(opened.status == 200, "\(opened.text)")
        #expect(put(nil, follow: true).status == 200)
        #expect(asked() == ["wellbeing-5"] && rules().isEmpty)
        // On again: the very same are there.
        #expect(put(first).status == 200 && asked() == ["between-sessions", "wellbeing-5"])
        #expect(put(nil, follow: false).status == 200)
        #expect(asked() == ["between-sessions", "wellbeing-5"])
        #expect(rules().allSatisfy { $0["protocol_id"] == .null } && rules().count == 2)
    }

    @Test func `PR-17 what a hand has stopped stays stopped, whatever the protocol says`() throws {
        let id = make(Self.before).id
        session("2026-12-01T08:00:00Z", "2026-12-01T08:50:00Z")
        _ = put(id)
        let rule = try #require(
            portal.call(.get, "/patients/\(pia)/delivery-rules", as: .ada).list.first {
                $0["attributes"]?["protocol_id"] == .string(id)
            }?["id"]?.string)
        #expect(portal.call(.delete, "/patients/\(pia)/delivery-rules/\(rule)", as: .ada).status == 204)
        #expect(put(id).status == 200 && asked().isEmpty)
        let again = portal.change(
            .patch, "/protocols/\(id)",
            #"{"plan": [{"occasion": "before_session", "questionnaire_key": "between-sessions", "open_hours": 48}], "follow": true}"#,
            as: .ada)
        #expect(again.status == 200 && asked().isEmpty, "\(again.text)")
        // Taken up again it is the protocol's as before.
        #expect(
            portal.call(.post, "/patients/\(pia)/delivery-rules/\(rule)/return", as: .ada).status == 200)
        #expect(asked() == ["between-sessions"] && rules().first?["protocol_id"] == .string(id))
    }

    @Test func `PR-17 a begin that is over is not made up for`() throws {
        let id = make(#""plan": [{"occasion": "therapy_begin", "questionnaire_key": "wellbeing-5"}]"#).id
        #expect(put(id).status == 200 && asked("therapy_begin").isEmpty)
    }

    // MARK: Changing one

    @Test func `PR-17 changing asks whether running therapies follow`() throws {
        let id = make(Self.before).id
        session("2026-12-01T08:00:00Z", "2026-12-01T08:50:00Z")
        _ = put(id)
        let other = #""plan": [{"occasion": "before_session", "questionnaire_key": "wellbeing-5"}]"#
        let silent = portal.change(.patch, "/protocols/\(id)", "{\(other)}", as: .ada)
        #expect(silent.status == 422 && silent.wrongFields == ["follow"])
        let kept = portal.change(.patch, "/protocols/\(id)", #"{\#(other), "follow": false}"#, as: .ada)
        #expect(kept.status == 200 && kept.attributes["behind"] == .number(1))
        #expect(asked() == ["between-sessions"])
        let state = portal.call(.get, "/patients/\(pia)/protocol", as: .ada).attributes
        #expect(state["follows"] == .bool(false) && state["protocol_id"] == .string(id))
        // This one may follow by itself, later.
        #expect(put(id, follow: false).status == 200 && asked() == ["between-sessions"])
        #expect(put(id, follow: true).status == 200 && asked() == ["wellbeing-5"])
        // Another name alone needs no decision and leaves no therapy behind.
        let renamed = portal.change(.patch, "/protocols/\(id)", #"{"name": "Neu"}"#, as: .ada)
        #expect(renamed.status == 200 && renamed.attributes["behind"] == .number(0))
        let all = portal.change(.patch, "/protocols/\(id)", #"{\#(Self.before), "follow": true}"#, as: .ada)
        #expect(all.status == 200 && asked() == ["between-sessions"])
        #expect(portal.call(.patch, "/protocols/\(id)", #"{"name": "X"}"#, as: .ada).status == 428)
    }

    @Test func `PR-17 two who change one at once: the second is told`() throws {
        let id = make(Self.before).id
        let tag = portal.call(.get, "/protocols/\(id)", as: .ada).headers["ETag"] ?? ""
        let first = portal.call(.patch, "/protocols/\(id)", #"{"name": "A"}"#, as: .ada, ["If-Match": tag])
        let second = portal.call(.patch, "/protocols/\(id)", #"{"name": "B"}"#, as: .ada, ["If-Match": tag])
        #expect(first.status == 200 && second.status == 412)
    }

    @Test func `PR-17 removing asks too, and takes away or leaves what it brought`() throws {
        session("2026-12-01T08:00:00Z", "2026-12-01T08:50:00Z")
        let id = make(Self.before).id
        _ = put(id)
        #expect(portal.call(.delete, "/protocols/\(id)", as: .ada).wrongFields == ["follow"])
        #expect(portal.call(.delete, "/protocols/\(id)?follow=false", as: .ada).status == 204)
        #expect(asked() == ["between-sessions"] && rules().first?["protocol_id"] == .null)
        #expect(portal.call(.get, "/protocols/\(id)", as: .ada).status == 404)
        let other = make(
            #""plan": [{"occasion": "before_session", "questionnaire_key": "wellbeing-5"}]"#
        ).id
        _ = put(other)
        #expect(asked().count == 2)
        #expect(portal.call(.delete, "/protocols/\(other)?follow=true", as: .ada).status == 204)
        #expect(asked() == ["between-sessions"])
    }

    // MARK: What is refused

    @Test func `PR-17 the same questionnaire twice on one occasion is refused with both places`() throws {
        let both = battery("between-sessions", "wellbeing-5")
        let refused = make(#""batteries": {"before_session": "\#(both)"}, \#(Self.before)"#)
        #expect(refused.status == 422 && refused.wrongFields == ["plan.0.questionnaire_key"])
        #expect(refused.text.contains("Vor jeder Sitzung") && refused.text.contains("Eintrag 1 im Plan"))
        // Regularly on the same days counts, on others does not.
        let weekly = { (start: Int, at: String) in
            #"{"occasion": "repeated", "questionnaire_key": "wellbeing-5", "every": 1, "unit": "week", "start_day": \#(start), "at": "\#(at)"}"#
        }
        #expect(make(#""plan": [\#(weekly(7, "09:00")), \#(weekly(14, "09:00"))]"#).status == 422)
        #expect(make(#""plan": [\#(weekly(7, "09:00")), \#(weekly(8, "09:00"))]"#).status == 201)
        #expect(make(#""plan": [\#(weekly(7, "09:00")), \#(weekly(7, "18:00"))]"#).status == 201)
    }

    static let odd: [(String, [String])] = [
        (#""plan": 3"#, ["plan"]), (#""plan": [3]"#, ["plan.0"]),
        (#""plan": [{"occasion": "never", "questionnaire_key": "wellbeing-5"}]"#, ["plan.0.occasion"]),
        (#""plan": [{"occasion": "before_session"}]"#, ["plan.0.questionnaire_key"]),
        (
            #""plan": [{"occasion": "before_session", "questionnaire_key": "nope"}]"#,
            ["plan.0.questionnaire_key"]
        ),
        (
            #""plan": [{"occasion": "repeated", "questionnaire_key": "wellbeing-5", "start_day": -1}]"#,
            ["plan.0.start_day"]
        ),
        (
            #""plan": [{"occasion": "repeated", "questionnaire_key": "wellbeing-5", "starts_on": "2026-11-20"}]"#,
            ["plan.0.starts_on"]
        ),
        (#""interventions": [{"day": 3}]"#, ["interventions.0.intervention_id"]),
        (
            #""interventions": [{"intervention_id": "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", "day": 1.5}]"#,
            ["interventions.0.day"]
        ),
        (
            #""interventions": [{"intervention_id": "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", "day": 1}]"#,
            ["interventions.0.intervention_id"]
        ),
        (#""rule_ids": ["7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11"]"#, ["rule_ids"]),
        (
            #""batteries": {"before_session": "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11"}"#,
            ["batteries.before_session"]
        ),
        (#""batteries": {"sometimes": null}"#, ["batteries.sometimes"]),
        (#""scope": "clinic""#, ["scope"]), (#""scope": "study""#, ["study_id"]),
        (#""scope": "study", "study_id": "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11""#, ["study_id"]),
        (#""dailies": "yes""#, ["dailies"]), (#""colour": "red""#, ["colour"]),
    ]

    @Test(arguments: odd) func `PR-17 what makes no protocol is refused by its field`(
        fields: String, names: [String]
    ) {
        let refused = make(fields)
        #expect(refused.status == 422 && refused.wrongFields == names, "\(fields): \(refused.text)")
    }

    @Test func `PR-17 somebody else's protocol is not found, the clinic's is read and chosen by all`() throws
    {
        let mine = make(Self.before).id
        for method in [HTTP.Method.get, .patch, .delete] {
            let other = portal.call(method, "/protocols/\(mine)", method == .patch ? "{}" : nil, as: .ben)
            #expect(other.status == 404)
        }
        #expect(portal.get("/protocols/\(mine)", as: .ben).status == 404)
        let clinic = make(#""scope": "clinic", \#(Self.before)"#, as: .uma)
        #expect(clinic.status == 201)
        let ada = portal.call(.get, "/protocols/\(clinic.id)", as: .ada)
        #expect(ada.status == 200 && ada.attributes["editable"] == .bool(false))
        #expect(portal.change(.patch, "/protocols/\(clinic.id)", #"{"name": "X"}"#, as: .ada).status == 403)
        #expect(put(clinic.id).status == 200)
        #expect(portal.call(.get, "/protocols/\(clinic.id)", as: .lena).status == 404)
        let names = portal.call(.get, "/protocols", as: .ada).list.compactMap { $0["id"]?.string }
        #expect(Set(names) == [mine, clinic.id])
        // Ben's patient cannot be given Ada's.
        let quinn = portal.cast.therapies[.quinn] ?? ""
        let bens = portal.call(
            .put, "/patients/\(quinn)/protocol", #"{"protocol_id": "\#(mine)", "follow": true}"#, as: .ben)
        #expect(bens.status == 422 && bens.wrongFields == ["protocol_id"])
    }

    // MARK: New patients

    @Test func `PR-17 a new patient gets the chosen one, the default, or none`() throws {
        let id = make(#""is_default": true, \#(Self.before)"#).id
        let protocolOf = { (body: String) -> JSON? in
            let made = self.portal.call(.post, "/patients", body, as: .ada)
            #expect(made.status == 201, "\(made.text)")
            return self.portal.call(.get, "/patients/\(made.id)/protocol", as: .ada).attributes["protocol_id"]
        }
        #expect(protocolOf("{}") == .string(id))
        #expect(protocolOf(#"{"protocol_id": null}"#) == .null)
        let other = make(#""plan": []"#).id
        #expect(protocolOf(#"{"protocol_id": "\#(other)"}"#) == .string(other))
        let wrong = portal.call(
            .post, "/patients", #"{"protocol_id": "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11"}"#, as: .ada)
        #expect(wrong.status == 422 && wrong.wrongFields == ["protocol_id"])
        // The choice is each therapist's own, and may be given up.
        let gone = portal.call(.patch, "/protocols/\(id)", #"{"is_default": false}"#, as: .ada)
        #expect(gone.status == 200, "\(gone.text)")
        #expect(protocolOf("{}") == .null)
    }

    // MARK: Reactions, interventions, dailies

    @Test func `PR-17 reactions of a protocol look at those who have it`() throws {
        let rule = portal.call(
            .post, "/rules",
            #"{"name": "Schlecht", "enabled": true, "patient_ids": [], "alert": "Bitte ansehen", "conditions": [{"kind": "score", "questionnaire_key": "between-sessions", "item": "\#(scale)", "comparison": "at_least", "value": 0}]}"#,
            as: .ada)
        #expect(rule.status == 201 && rule.text.contains("erst, wenn sie in einem Protokoll"), "\(rule.text)")
        let id = make(#""rule_ids": ["\#(rule.id)"]"#).id
        let therapy = try #require(try portal.services.records.read { try TherapyStore.find(pia, $0) })
        let active = {
            try self.portal.services.records.read { try RuleStore.active(for: therapy, $0).map(\.id.text) }
        }
        #expect(try active().isEmpty)
        #expect(put(id).status == 200)
        #expect(try active() == [rule.id])
        #expect(portal.call(.get, "/alerts", as: .ada).list.isEmpty)
        let body = SheetSample.sheetBody(assignment: portal.cast.assignment, at: "2026-11-20T08:55:00Z")
        #expect(portal.call(.put, SheetSample.path, body, as: .pia).status == 201)
        #expect(portal.call(.get, "/alerts", as: .ada).list.count == 1)
        // The therapist's own reaction stays with a patient who keeps what they have.
        #expect(put(nil, follow: false).status == 200)
        #expect(try active() == [rule.id])
    }

    var scale: String {
        portal.call(.get, "/questionnaires/\(portal.cast.questionnaire)", as: .pia).attributes["scales"]?
            .array?
            .first?["key"]?.string ?? ""
    }

    @Test func `PR-17 an intervention comes on its day, once, and never for days that are over`() throws {
        let id = make(
            #""interventions": [{"intervention_id": "\#(text)", "day": 3}, {"intervention_id": "\#(text)", "day": 30}]"#
        ).id
        #expect(put(id).status == 200)
        let given = { self.portal.call(.get, "/my/interventions", as: .pia).list.count }
        let before = given()
        let states = {
            self.portal.call(.get, "/patients/\(self.pia)/protocol", as: .ada).attributes["interventions"]?
                .array?
                .compactMap { $0["state"]?.string } ?? []
        }
        // Paired 28 days ago: the third day is long over.
        #expect(states() == ["passed", "waiting"])
        try portal.wait(awake: 2)
        try ProtocolPlanner.run(portal.services)
        try ProtocolPlanner.run(portal.services)
        #expect(given() == before + 1 && states() == ["passed", "sent"])
        // Another protocol with the same text on the same day sends nothing again; without it, unopened, it goes.
        let other = make(#""interventions": [{"intervention_id": "\#(text)", "day": 30}]"#).id
        #expect(put(other).status == 200 && given() == before + 1)
        #expect(put(nil, follow: true).status == 200 && given() == before)
        #expect(put(other).status == 200 && given() == before)
    }

    @Test func `PR-17 an intervention that waits is withdrawn by hand and does not come back`() throws {
        let id = make(#""interventions": [{"intervention_id": "\#(text)", "day": 30}]"#).id
        let planned = put(id).attributes["interventions"]?.array?.first?["id"]?.string ?? ""
        let path = "/patients/\(pia)/planned-interventions/\(planned)"
        let quinn = portal.cast.therapies[.quinn] ?? ""
        #expect(
            portal.call(.delete, "/patients/\(quinn)/planned-interventions/\(planned)", as: .ben).status
                == 404)
        #expect(portal.call(.delete, path, as: .ada).status == 204)
        #expect(portal.call(.delete, path, as: .ada).status == 409)
        #expect(put(id).status == 200)
        try portal.wait(awake: 2)
        try ProtocolPlanner.run(portal.services)
        #expect(put(id).attributes["interventions"]?.array?.first?["state"] == .string("withdrawn"))
    }

    @Test func `PR-17 dailies are switched as the protocol says, and stay as they are where it says nothing`()
        throws
    {
        try portal.publish("intersession-daily")
        let isOn = {
            try self.portal.services.records.read { try DailyStore.course(self.pia, $0)?.isOn }
        }
        #expect(try isOn() == true)
        #expect(put(make(#""dailies": false"#).id).status == 200)
        #expect(try isOn() == false)
        #expect(put(make(#""dailies": null"#).id).status == 200)
        #expect(try isOn() == false)
        #expect(put(make(#""dailies": true"#).id).status == 200)
        #expect(try isOn() == true)
    }

    @Test func `PR-17 regular questions begin with the therapy, not with the day of the protocol`() throws {
        let id = make(
            #""plan": [{"occasion": "repeated", "questionnaire_key": "wellbeing-5", "every": 1, "unit": "week", "start_day": 7}]"#
        ).id
        let open = try #require(portal.cast.therapies[.pia] == nil ? nil : portal.cast.openTherapy)
        #expect(put(id, on: open).status == 200)
        let waiting = portal.call(.get, "/patients/\(open)/delivery-rules", as: .ada).list
        #expect(waiting.isEmpty)
        let body = #"{"code": "\#(portal.cast.openCode)", "birth_date": "1980-01-01", "gender": "female"}"#
        #expect(portal.call(.post, "/my/pairing", body, as: .nora).status == 201)
        let rule = portal.call(.get, "/patients/\(open)/delivery-rules", as: .ada).list.first?["attributes"]
        #expect(rule?["starts_on"] == .string("2026-11-27") && rule?["protocol_id"] == .string(id))
        // Another begin moves it.
        let moved = portal.change(
            .patch, "/patients/\(open)", #"{"therapy_started_on": "2026-11-18"}"#, as: .ada)
        #expect(moved.status == 200)
        let later = portal.call(.get, "/patients/\(open)/delivery-rules", as: .ada).list
        #expect(later.compactMap { $0["attributes"]?["starts_on"] } == [.string("2026-11-25")])
    }

    @Test func `PR-17 a battery that a protocol names is not removed`() throws {
        let both = battery("between-sessions", "wellbeing-5")
        _ = make(#""batteries": {"therapy_end": "\#(both)"}"#)
        #expect(portal.call(.delete, "/batteries/\(both)", as: .ada).status == 409)
    }
}
