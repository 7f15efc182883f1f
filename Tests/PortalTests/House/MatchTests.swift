import Foundation
import HTTP
import JSON
import Records
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Web

/// `If-Match` on every change of a thing whose `GET` answers a tag: what was made with an older state in view changes
/// nothing, and learns the present one.
@Suite struct MatchTests {
    /// A change that would be taken.
    struct Change: Sendable {
        let person: Person
        var isNeeded = false
        /// Prepares the thing and tells its path, behind `/api/v1`, and the body to send.
        let prepare: @Sendable (TestPortal) throws -> (path: String, body: String?)
    }

    private static func change(
        _ person: Person, _ path: String, _ body: String? = nil, isNeeded: Bool = false
    ) -> Change {
        Change(person: person, isNeeded: isNeeded) { _ in (path, body) }
    }

    // MARK: The things

    private static let page = #"{"title": {"de": "Neu", "en": "New"}, "text": {"de": "a", "en": "b"}}"#
    private static let appointment = "/my/appointments/5a1c9a0e-98a5-4a9f-8d3e-000000000077"

    private static func visit(_ title: String) -> String {
        """
        {"title": "\(title)", "starts_at": "2026-11-24T08:00:00Z", "ends_at": "2026-11-24T08:50:00Z"}
        """
    }

    private static func made(
        _ portal: TestPortal, _ method: HTTP.Method, _ path: String, _ body: String, as person: Person
    ) throws -> String {
        let answer = portal.call(method, path, body, as: person)
        try #require((200...201).contains(answer.status), "\(path): \(answer.text)")
        return answer.id
    }

    private static func profile(_ body: String) -> Change {
        Change(person: .pia) { portal in
            try portal.publish("tinnitus-profile")
            let therapy = portal.cast.therapies[.pia] ?? ""
            let id = try made(
                portal, .post, "/patients/\(therapy)/assignments",
                #"{"questionnaire_key": "tinnitus-profile"}"#, as: .ada)
            return ("/my/profiles/\(id)", body)
        }
    }

    private static func addedPage(_ body: String?) -> Change {
        Change(person: .uma) { portal in
            _ = try made(portal, .put, "/info/directions", page, as: .uma)
            return ("/info/directions", body)
        }
    }

    private static func text(_ body: String?) -> Change {
        Change(person: .ada) { portal in
            let draft = #"{"kind": "task", "text": {"de": "Gehen Sie spazieren."}}"#
            return ("/interventions/\(try made(portal, .post, "/interventions", draft, as: .ada))", body)
        }
    }

    private static func booked(_ body: String?) -> Change {
        Change(person: .pia, isNeeded: body != nil) { portal in
            _ = try made(portal, .put, appointment, visit("Sitzung"), as: .pia)
            return (appointment, body)
        }
    }

    private static func night(_ minute: Int) -> String {
        """
        {"starts_at": "2026-11-19T22:0\(minute):00Z", "ends_at": "2026-11-20T05:00:00Z", "origin": "manual"}
        """
    }

    private static func walk(_ seconds: Int) -> String {
        #"{"name": "Gehen", "starts_at": "2026-11-19T10:00:00Z", "duration_seconds": \#(seconds)}"#
    }

    /// A sleep or an activity.
    private static func record(_ list: String, _ body: String?) -> Change {
        Change(person: .pia, isNeeded: body != nil) { portal in
            let path = "/my/\(list)/5a1c9a0e-98a5-4a9f-8d3e-000000000079"
            _ = try made(portal, .put, path, list == "sleeps" ? night(5) : walk(900), as: .pia)
            return (path, body)
        }
    }

    private static func vault(_ body: String?) -> Change {
        Change(person: .pia) { portal in
            _ = try made(portal, .put, "/my/vault", #"{"ciphertext": "AAEC", "revision": 0}"#, as: .pia)
            return ("/my/vault", body)
        }
    }

    private static func rule(_ body: String?) -> Change {
        Change(person: .ada, isNeeded: body != nil) { portal in
            let draft = """
                {"name": "x", "combine": "all", "rest_days": 7, "briefing": "x", "conditions": [{"kind": "answer",
                 "questionnaire_key": "between-sessions", "item": "dream", "comparison": "at_most", "value": 2,
                 "times": 1, "of": 1}]}
                """
            return ("/rules/\(try made(portal, .post, "/rules", draft, as: .ada))", body)
        }
    }

    private static func treatment(_ body: String?) -> Change {
        Change(person: .ada, isNeeded: body != nil) { portal in
            ("/protocols/\(try made(portal, .post, "/protocols", #"{"name": "P"}"#, as: .ada))", body)
        }
    }

    private static func battery(_ body: String?) -> Change {
        Change(person: .ada, isNeeded: body != nil) { portal in
            let draft = #"{"name": "B", "questionnaire_keys": ["between-sessions"]}"#
            return ("/batteries/\(try made(portal, .post, "/batteries", draft, as: .ada))", body)
        }
    }

    private static func study(_ end: String, _ body: String?) -> Change {
        Change(person: .lena, isNeeded: body != nil) { portal in
            let desk = StudyDesk(portal: portal)
            let study = desk.begin()
            try portal.publish("wellbeing-5")
            let item = end.isEmpty ? "" : desk.add("wellbeing-5", to: study)
            if end == "/groups" {
                let set = portal.change(.put, "/studies/\(study)/groups", StudyDesk.groups, as: .lena)
                try #require(set.status == 200, "\(set.text)")
            }
            return ("/studies/\(study)" + end + (end == "/questionnaires/" ? item : ""), body)
        }
    }

    /// A date that a lead has entered for Nora.
    private static func anchor(_ body: String?) -> Change {
        Change(person: .lena, isNeeded: body != nil) { portal in
            let desk = StudyDesk(portal: portal)
            let study = desk.begin(
                #"{"time_points": [{"key": "op", "title": {"de": "OP"}, "anchor": "lead"}]}"#)
            let name = desk.enrol(.nora, in: study).attributes["codename"]?.string ?? ""
            let path = "/studies/\(study)/participants/\(name)/anchors/op"
            let entered = portal.change(.put, path, #"{"date": "2026-12-01"}"#, as: .lena)
            try #require(entered.status == 200, "\(entered.text)")
            return (path, body)
        }
    }

    private static let plan = Change(person: .nora) { portal in
        let desk = StudyDesk(portal: portal)
        let study = desk.begin()
        try portal.publish("wellbeing-5")
        let item = desk.add(
            "wellbeing-5", to: study,
            """
            , "is_schedule_changeable": true, "schedules": [{"type": "between", "amount": 3, "every": 1,
            "unit": "day", "start": "09:00", "end": "21:00", "start_day": 0}]
            """)
        #expect(desk.enrol(.nora, in: study).status == 201)
        return (
            "/my/questionnaires/\(item)/notification-plan",
            #"{"option": "custom", "times": [{"at": "07:30"}]}"#
        )
    }

    private static let draft = Change(person: .pia, isNeeded: true) { portal in
        let path = "/my/drafts/\(portal.cast.assignment)"
        _ = try made(portal, .put, path, #"{"answers": {"dream": 1}}"#, as: .pia)
        return (path, #"{"answers": {"dream": 2}}"#)
    }

    private static func emergency(_ body: String?) -> Change {
        Change(person: .ada) { portal in
            let path = "/patients/\(portal.cast.therapies[.pia] ?? "")/emergency-contact"
            let contact = #"{"name": "Maria Tal", "phone": "+43 1 234 56 78", "knows": true}"#
            #expect(portal.call(.put, path, contact, as: .ada).status == 200)
            return (path, body)
        }
    }

    private static func letter(_ body: String?) -> Change {
        Change(person: .ada) { portal in
            let path = "/patients/\(portal.cast.therapies[.pia] ?? "")/letters"
            return ("\(path)/\(portal.call(.post, path, #"{"kind": "gp"}"#, as: .ada).id)", body)
        }
    }

    static let changes: [String: Change] = [
        "PATCH /api/v1/sounds/:sound": Change(person: .lena) { portal in
            ("/sounds/\(try portal.addSound())", #"{"credits": "Ben"}"#)
        },
        "DELETE /api/v1/sounds/:sound": Change(person: .lena) { portal in
            ("/sounds/\(try portal.addSound())", nil)
        },
        "PUT /api/v1/my/goals": change(.pia, "/my/goals", #"{"steps_per_day": 8000}"#),
        "PUT /api/v1/my/measurement-sharing": change(
            .pia, "/my/measurement-sharing", #"{"listening": true}"#),
        "PATCH /api/v1/accounts/:account": Change(person: .uma) { portal in
            ("/accounts/\(portal.cast.accounts[.ben] ?? "")", #"{"name": "Ben Neu"}"#)
        },
        "DELETE /api/v1/patients/:patient": Change(person: .ada) { portal in
            ("/patients/\(portal.cast.openTherapy)", nil)
        },
        "PATCH /api/v1/auth/registration": change(
            .tess, "/auth/registration", #"{"email": "neu@example.org"}"#),
        "PUT /api/v1/patients/:patient/emergency-contact": emergency(
            #"{"name": "Otto Tal", "phone": "+43 1 234 56 78", "knows": false}"#),
        "DELETE /api/v1/patients/:patient/emergency-contact": emergency(nil),
        "PUT /api/v1/patients/:patient/letters/:letter": letter(#"{"title": "Anders", "text": "Text"}"#),
        "DELETE /api/v1/patients/:patient/letters/:letter": letter(nil),
        "PUT /api/v1/info/:page": change(.uma, "/info/imprint", page),
        "DELETE /api/v1/info/:page": addedPage(nil),
        "PATCH /api/v1/interventions/:intervention": text(#"{"text": {"de": "Ruhen Sie."}}"#),
        "DELETE /api/v1/interventions/:intervention": text(nil),
        "PUT /api/v1/my/appointments/:appointment": booked(visit("Verlegt")),
        "DELETE /api/v1/my/appointments/:appointment": booked(nil),
        "PATCH /api/v1/my/assignments/:assignment": Change(person: .pia) { portal in
            ("/my/assignments/\(portal.cast.assignment)", #"{"opened_at": "\#(portal.now.text)"}"#)
        },
        "PUT /api/v1/my/drafts/:subject": draft,
        "DELETE /api/v1/studies/:study/enrolment": Change(person: .nora) { portal in
            ("/studies/\(portal.cast.study)/enrolment", nil)
        },
        "PUT /api/v1/my/notification-settings": change(
            .pia, "/my/notification-settings",
            #"{"questionnaires": false, "interventions": true, "appointments": true}"#),
        "PUT /api/v1/my/privacy": Change(person: .pia) { portal in
            let given = portal.call(.get, "/my/privacy", as: .pia).attributes["research_consent"]
            return ("/my/privacy", #"{"research_consent": \#(given != .bool(true))}"#)
        },
        "PATCH /api/v1/my/profile": change(.pia, "/my/profile", #"{"timezone": "Europe/Berlin"}"#),
        "PATCH /api/v1/my/profiles/:item": profile(#"{"answers": {"side": 1}}"#),
        "PUT /api/v1/my/questionnaires/:item/notification-plan": plan,
        "PUT /api/v1/my/sensor-settings": change(
            .pia, "/my/sensor-settings", #"{"gps": true, "microphone": false}"#),
        "PUT /api/v1/my/therapist-profile": change(.ada, "/my/therapist-profile", #"{"name": "Ada L."}"#),
        "PUT /api/v1/my/vault": vault(#"{"ciphertext": "AAED", "revision": 1}"#),
        "PUT /api/v1/my/sleeps/:entry": record("sleeps", night(0)),
        "DELETE /api/v1/my/sleeps/:entry": record("sleeps", nil),
        "PUT /api/v1/my/activities/:entry": record("activities", walk(1_200)),
        "DELETE /api/v1/my/activities/:entry": record("activities", nil),
        "DELETE /api/v1/my/vault": vault(nil),
        "PATCH /api/v1/patients/:patient": Change(person: .ada) { portal in
            ("/patients/\(portal.cast.therapies[.pia] ?? "")", #"{"note": "Neu"}"#)
        },
        "PATCH /api/v1/patients/:patient/sessions/:session": Change(person: .ada) { portal in
            let patient = "/patients/\(portal.cast.therapies[.pia] ?? "")"
            return (patient + "/sessions/\(portal.cast.session)", #"{"note": "Neu"}"#)
        },
        "DELETE /api/v1/patients/:patient/sessions/:session": Change(person: .ada) { portal in
            let path = "/patients/\(portal.cast.therapies[.pia]?.text ?? "")/sessions"
            let times = #"{"starts_at": "2026-11-17T09:00:00Z", "ends_at": "2026-11-17T09:50:00Z"}"#
            return (path + "/\(try made(portal, .post, path, times, as: .ada))", nil)
        },
        "PUT /api/v1/settings": change(.uma, "/settings", #"{"name": "Praxis am Park"}"#),
        "PATCH /api/v1/rules/:rule": rule(#"{"name": "y"}"#),
        "DELETE /api/v1/rules/:rule": rule(nil),
        "PATCH /api/v1/protocols/:protocol": treatment(#"{"name": "Neu"}"#),
        "DELETE /api/v1/protocols/:protocol": treatment(nil),
        "PUT /api/v1/patients/:patient/protocol": Change(person: .ada) { portal in
            let id = try made(portal, .post, "/protocols", #"{"name": "P"}"#, as: .ada)
            let path = "/patients/\(portal.cast.therapies[.pia]?.text ?? "")/protocol"
            return (path, #"{"protocol_id": "\#(id)", "follow": true}"#)
        },
        "PATCH /api/v1/batteries/:battery": battery(#"{"name": "C"}"#),
        "DELETE /api/v1/batteries/:battery": battery(nil),
        "PATCH /api/v1/studies/:study": study("", #"{"title": {"de": "Anders"}}"#),
        "DELETE /api/v1/studies/:study": study("", nil),
        "PUT /api/v1/studies/:study/groups": study(
            "/groups", StudyDesk.groups.replacing(#""sample_size": 4"#, with: #""sample_size": 6"#)),
        "DELETE /api/v1/studies/:study/groups": study("/groups", nil),
        "PATCH /api/v1/studies/:study/questionnaires/:item": study(
            "/questionnaires/", #"{"is_onetime": true}"#),
        "DELETE /api/v1/studies/:study/questionnaires/:item": study("/questionnaires/", nil),
        "DELETE /api/v1/studies/:study/participants/:codename": Change(person: .lena) { portal in
            let study = StudyDesk(portal: portal).begin()
            let signed = portal.call(
                .post, "/studies/\(study)/participants",
                #"{"consented_on": "2026-11-19", "consent_version": 1}"#,
                as: .lena)
            return ("/studies/\(study)/participants/\(signed.attributes["codename"]?.string ?? "")", nil)
        },
        "PUT /api/v1/studies/:study/participants/:codename/anchors/:key": anchor(#"{"date": "2026-12-24"}"#),
        "DELETE /api/v1/studies/:study/participants/:codename/anchors/:key": anchor(nil),
    ]

    /// Never changed: other content under its id is a conflict, whatever was seen.
    static let immutable = [
        // It is one, or it is none: there is no other state of it.
        "PUT /api/v1/my/sound-favourites/:sound", "DELETE /api/v1/my/sound-favourites/:sound",
        "PUT /api/v1/my/contributions/:contribution",
        // A day has a state for each source, which the body names; `DayTests` shows that it is held to.
        "PUT /api/v1/my/measurement-days/:type/:date", "DELETE /api/v1/my/measurement-days/:type/:date",
        // What is read there are figures, what is sent there are values.
        "PUT /api/v1/my/measurements",
    ]

    /// Changes of something that can be looked at under the same address.
    static let routes = Routes.all.list.filter { route in
        guard route.surface == .api, [.put, .patch, .delete].contains(route.method) else { return false }
        return Routes.all.list.contains {
            $0.method == .get && $0.pattern.description == route.pattern.description
        }
    }.map { "\($0.method.rawValue) \($0.pattern)" }.filter { !immutable.contains($0) }

    private static func method(of name: String) -> HTTP.Method? {
        HTTP.Method(rawValue: String(name.prefix { $0 != " " }))
    }

    // MARK: What holds for all of them

    @Test(arguments: routes)
    func `a change with an older state in view changes nothing and learns the present one`(name: String)
        throws
    {
        let change = try #require(Self.changes[name], "\(name) is not in the table")
        let method = try #require(Self.method(of: name))
        let portal = try TestPortal()
        let (path, body) = try change.prepare(portal)
        let look = { portal.call(.get, path, as: change.person) }
        let before = look()
        try #require(before.status == 200, "\(before.text)")
        let audit = try portal.changes()

        let stale = portal.call(method, path, body, as: change.person, ["If-Match": "\"7-de-stale\""])
        #expect(stale.status == 412, "\(stale.text)")
        #expect(stale.json["code"]?.string == "stale" && stale.json["message"]?.string?.isEmpty == false)
        #expect(stale.json["data"] == before.json["data"])
        #expect(stale.headers["ETag"] == before.headers["ETag"])
        #expect(look().bytes == before.bytes && look().headers["ETag"] == before.headers["ETag"])
        #expect(try portal.changes() == audit)

        // A tag got in another language fits: only the revision is compared.
        let english = portal.call(.get, path, as: change.person, ["Accept-Language": "en"])
        let tag = try #require(english.headers["ETag"])
        #expect(tag != before.headers["ETag"])
        let fitting = portal.call(
            method, path, body, as: change.person, ["If-Match": tag, "Accept-Language": "de"])
        #expect((200...204).contains(fitting.status), "\(fitting.text)")
        let after = look()
        #expect(after.status != 200 || after.headers["ETag"] != before.headers["ETag"])
        if fitting.status == 200 {
            let told = try #require(fitting.headers["ETag"])
            #expect(told.prefix { $0 != "-" } == (after.headers["ETag"] ?? "").prefix { $0 != "-" })
        }
    }

    @Test(arguments: routes)
    func `it is needed for what several work on, and for nothing else`(name: String) throws {
        let change = try #require(Self.changes[name], "\(name) is not in the table")
        let method = try #require(Self.method(of: name))
        let portal = try TestPortal()
        let (path, body) = try change.prepare(portal)
        let answer = portal.call(method, path, body, as: change.person)
        if change.isNeeded {
            #expect(answer.status == 428 && answer.json["code"]?.string == "match_required", "\(answer.text)")
        } else {
            #expect((200...204).contains(answer.status), "\(answer.text)")
        }
    }

    @Test func `any state does for a star, and none where there is nothing`() throws {
        let portal = try TestPortal()
        let change = #"{"timezone": "Europe/Berlin"}"#
        #expect(portal.call(.patch, "/my/profile", change, as: .pia, ["If-Match": "*"]).status == 200)
        let path = "/my/appointments/5a1c9a0e-98a5-4a9f-8d3e-000000000078"
        let made = portal.call(.put, path, Self.visit("Neu"), as: .pia, ["If-Match": "*"])
        #expect(made.status == 412 && portal.call(.get, path, as: .pia).status == 404)
    }

    @Test func `a tag is strong: what stands beside the settings changes it, and does not make it stale`()
        throws
    {
        let portal = try TestPortal()
        let path = "/patients/\(portal.cast.therapies[.pia] ?? "")"
        let first = try #require(portal.call(.get, path, as: .ada).headers["ETag"])
        #expect(portal.call(.put, Self.appointment, Self.visit("Bald"), as: .pia).status == 201)
        let second = portal.call(.get, path, as: .ada, ["If-None-Match": first])
        #expect(second.status == 200 && second.attributes["next_appointment_at"]?.string != nil)
        #expect(second.headers["ETag"] != first)
        let note = portal.call(.patch, path, #"{"note": "Neu"}"#, as: .ada, ["If-Match": first])
        #expect(note.status == 200, "\(note.text)")
        let again = portal.call(.patch, path, #"{"note": "Älter"}"#, as: .ada, ["If-Match": first])
        #expect(again.status == 412 && again.json["data"]?["attributes"]?["note"]?.string == "Neu")
    }

    @Test func `fifty changes with one state in view at once: one is taken`() async throws {
        let portal = try TestPortal()
        let tag = try #require(portal.call(.get, "/my/profile", as: .pia).headers["ETag"])
        let statuses = await withTaskGroup(of: Int.self) { group in
            for number in 0..<50 {
                group.addTask {
                    portal.call(
                        .patch, "/my/profile", #"{"name": "Pia \#(number)"}"#, as: .pia, ["If-Match": tag]
                    ).status
                }
            }
            return await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 1 && statuses.count { $0 == 412 } == 49)
    }
}
