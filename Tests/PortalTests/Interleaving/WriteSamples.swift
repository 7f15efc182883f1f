import Database
import Foundation
import HTTP
import JSON
import Records
import Secrets
import Wire

@testable import PortalTesting
@testable import Web

/// For every route that writes, a request that comes as far as its write.
enum WriteSamples {
    static let newID = "7d8e2c44-52b0-4a4c-8a5e-7d3d1f0a9b42"

    /// Takes answers for a look and keeps them nowhere.
    static let writesNothing: Set<String> = [
        "POST /questionnaires/:questionnaire/preview", "POST /my/studies/code", "POST /login/errand",
    ]

    static let all: [String: WriteSample] = [
        administration, signingIn, profile, patients, delivery, interventions, rules, questionnaires, studies,
        phones, sounds, wearables, links, ownSigningIn, ownSettings, ownDevices, answering, coursePages,
        protocols, timePoints, events, plans, unmaskings,
        undoing, together,
    ].reduce(into: [:]) { $0.merge($1) { _, new in new } }

    // MARK: Bodies

    static let password = Cast.password
    static let fresh = "ganz neue Worte zum Merken"
    static let appointment =
        #"{"title": "Therapie", "starts_at": "2026-11-24T08:00:00Z", "ends_at": "2026-11-24T08:50:00Z"}"#
    static let rule = """
        {"name": "Still", "conditions": [{"kind": "silent", "days": 5}], "rest_days": 7, "briefing": "Lange still."}
        """
    static let between = """
        "answers": {"came_back": 3, "hard_moment": 1, "dream": 0, "inner_talk": 2, "tried_out": 1,
        "looked_ahead": 2, "lighter": 3, "heavier": 1}
        """
    static let ownText = #"{"kind": "task", "text": {"de": "Gehen."}}"#
    static let pause = #"{"starts_on": "2027-06-01", "ends_on": "2027-06-05"}"#
    static let battery = #"{"name": "Beginn", "questionnaire_keys": ["between-sessions"]}"#
    static let groups = """
        {"allocation": "alternating", "arms": ["full", "no_interventions"], "size": 1, "sample_size": 4,
         "outcomes": [{"is_primary": true, "questionnaire_key": "wellbeing-5", "scale": "wellbeing", "day": 28}],
         "sites": []}
        """
    static let wellbeing = ["enjoyed": "3", "calm": "3", "energy": "2", "slept": "4", "company": "3"]

    // MARK: Administration

    private static let information = [
        "title_de": "Neu", "text_de": "Text", "title_en": "New", "text_en": "Text",
    ]

    private static let administration: [String: WriteSample] = [
        "POST /admin/accounts/:account": .form(["name": "Ben Neu", "roles": "therapist"]),
        "POST /admin/accounts/:account/closure": .form(),
        "POST /admin/accounts/:account/invitation": .form { try invited($0) },
        "POST /admin/accounts/:account/reopening": .form { stage in
            _ = stage.portal.call(
                .patch, stage.path("/accounts/:account"), #"{"closed": true}"#, as: .uma)
        },
        "POST /admin/accounts/:account/second-factor-removal": .form(["password": password]) { stage in
            _ = try stage.secondFactor(of: .ben)
        },
        "POST /admin/accounts/new": .form([
            "email": "mira@example.org", "name": "Mira Holm", "roles": "therapist",
        ]),
        "POST /admin/audit-log/export": .form(),
        "POST /admin/information/:page": .form(information),
        "POST /admin/information/new": .form(information.merging(["page": "directions"]) { $1 }),
        "POST /admin/information/:page/removal": .form { try page($0) },
        "POST /admin/information/:page/return": .form { stage in
            try page(stage)
            _ = stage.portal.post("/admin/information/directions/removal", as: .uma)
        },
        "POST /admin/hand-over": .form(
            ["confirmation": "C000001", "email": "ben@example.org"], on: "/admin/hand-over?codename=C000001"),
        "POST /api/v1/patients/:codename/hand-over": .call(#"{"email": "ben@example.org"}"#) { stage in
            stage.places["codename"] = "C000001"
        },
        "POST /admin/accounts/:account/studies": .form(["email": "leo@example.org"]) {
            $0.places["account"] = $0.portal.cast.accounts[.lena]?.text
        },
        "POST /api/v1/accounts/:account/studies/hand-over": .call(#"{"email": "leo@example.org"}"#) {
            $0.places["account"] = $0.portal.cast.accounts[.lena]?.text
        },
        "POST /admin/settings": .form(["name": "Praxis am Ring"]),
        "POST /admin/system/backups": .form(),
        "POST /api/v1/accounts": .call(
            #"{"email": "mira@example.org", "name": "Mira Holm", "roles": ["therapist"]}"#),
        "PATCH /api/v1/accounts/:account": .call(#"{"name": "Ben Neu"}"#),
        "POST /api/v1/accounts/:account/invitation": .call("{}") { try invited($0) },
        "PUT /api/v1/info/:page": .call(
            #"{"title": {"de": "Neu", "en": "New"}, "text": {"de": "Text", "en": "Text"}}"#),
        "DELETE /api/v1/info/:page": .call("{}") { try page($0) },
        "PUT /api/v1/settings": .call(#"{"name": "Praxis am Ring"}"#),
    ]

    private static func invited(_ stage: Stage) throws {
        stage.make(
            "account", "/accounts",
            #"{"email": "mira@example.org", "name": "Mira Holm", "roles": ["therapist"]}"#, as: .uma)
    }

    private static func page(_ stage: Stage) throws {
        let form = information.map { ($0.key, $0.value) } + [("page", "directions")]
        _ = stage.portal.post("/admin/information/new", form, as: .uma)
        stage.places["page"] = "directions"
    }

    // MARK: Signing in

    private static func login(_ person: Person, _ more: String = "") -> String {
        #"{"email": "\#(person.rawValue)@example.org", "password": "\#(password)"\#(more)}"#
    }

    private static let signingIn: [String: WriteSample] = [
        "POST /api/v1/auth/email/verify": WriteSample(
            who: .tess, json: { #"{"token": "\#(try $0.verificationLink())"}"# }),
        "POST /api/v1/auth/login": WriteSample(who: .pia, json: { _ in login(.pia) }, isSignIn: true),
        "POST /api/v1/auth/logout": .call("{}"),
        "POST /api/v1/auth/password/forgot": .call(#"{"email": "nobody@example.org"}"#).by(.pia),
        "POST /api/v1/auth/password/reset": WriteSample(
            who: .pia,
            json: { stage in
                let link = try stage.resetLink(of: .pia)
                return
                    #"{"token": "\#(link)", "password": "\#(fresh)", "password_confirmation": "\#(fresh)"}"#
            }),
        "POST /api/v1/auth/register": .call(
            """
            {"email": "neu@example.org", "password": "\(fresh)", "password_confirmation": "\(fresh)",
             "privacy_accepted": true}
            """
        ).by(.pia),
        "PATCH /api/v1/auth/registration": .call(#"{"email": "tess@example.com"}"#),
        "POST /api/v1/auth/registration/resend": .call("{}"),
        "POST /language": .form(["language": "en"], on: "/profile").by(.ada),
        "POST /login": WriteSample(
            who: .ada,
            typed: { _ in ["email": "ada@example.org", "password": password, "next": "/"] }, isSignIn: true),
        "POST /login/second-factor": WriteSample(
            who: .half, typed: { ["code": try $0.secondFactor(of: .ada)] }),
        "POST /logout": .form(on: "/profile").by(.ada),
        "POST /password/forgot": .form(["email": "nobody@example.org"]).by(.ada),
        "POST /password/reset": WriteSample(
            who: .ben,
            typed: {
                [
                    "token": try $0.resetLink(of: .ben), "password": fresh, "password_confirmation": fresh,
                ]
            }),
        "POST /email-return": WriteSample(
            who: .ben, typed: { ["token": try $0.returnLink(of: .ben)] }, page: "/login"),
        "POST /verify-email": WriteSample(who: .tess, typed: { ["token": try $0.verificationLink()] }),
    ]

    // MARK: The own account

    private static let newPassword = [
        "current_password": password, "password": fresh, "password_confirmation": fresh,
    ]

    private static let profile: [String: WriteSample] = [
        "POST /screen": .form(["names": "hidden"]),
        "DELETE /api/v1/my/account": .call(#"{"password": "\#(password)"}"#),
        "DELETE /api/v1/my/devices/:device": .call("{}") { try $0.device(of: .pia) },
        "PUT /api/v1/my/notification-settings": .call(
            #"{"questionnaires": false, "interventions": true, "appointments": true}"#),
        "PUT /api/v1/my/password": .call(
            """
            {"current_password": "\(password)", "password": "\(fresh)", "password_confirmation": "\(fresh)"}
            """),
        "PUT /api/v1/my/privacy": .call(#"{"research_consent": false}"#),
        "PATCH /api/v1/my/profile": .call(#"{"name": "Pia"}"#),
        "PUT /api/v1/my/sensor-settings": .call(#"{"gps": true, "microphone": false}"#),
        "PUT /api/v1/my/therapist-profile": .call(#"{"name": "Ada Lindner", "phone": "+43 1 234"}"#),
        "POST /welcome/dismissal": .form(on: "/welcome"),
        "POST /welcome/mail": .form(),
        "POST /profile": .form(["phone": "+43 1 234"]),
        "POST /profile/calendar": .form(),
        "POST /profile/calendar/removal": .form { stage in
            _ = stage.portal.post("/profile/calendar", as: .ada)
        },
        "POST /profile/devices/:device/removal": .form { try $0.device(of: .ada) },
        "POST /profile/devices/removal": .form(),
        "POST /profile/email": .form(["email": "ada.neu@example.org", "password": password]),
        "POST /profile/password": .form(newPassword),
        "POST /profile/second-factor": WriteSample(typed: { stage in
            let page = stage.portal.get("/profile/second-factor", as: .ada).text
            let letters = page.firstMatch(of: /<code[^>]*>([A-Z2-7 ]+)<\/code>/).map { String($0.1) } ?? ""
            let secret = Base32.decoded(letters)
            let step = stage.portal.now.seconds / OneTimeCode.step
            return ["code": OneTimeCode.code(secret, step: step) ?? "", "password": password]
        }),
        "POST /profile/second-factor/recovery-codes": .form(["password": password]) { stage in
            _ = try stage.secondFactor(of: .ada)
        },
        "POST /profile/second-factor/removal": WriteSample(typed: {
            ["code": try $0.secondFactor(of: .ada), "password": password]
        }),
    ]

    // MARK: Patients

    /// Pia's sheet holds an answer that has to be seen.
    @Sendable private static func covered(_ stage: Stage) throws {
        let cover = """
            {"colleague_email": "ben@example.org", "patients": "all", "from": "2026-11-20", "until": "2026-11-22",
             "access": "read"}
            """
        stage.places["cover"] = stage.portal.call(.post, "/covers", cover, as: .ada).id
    }

    @Sendable private static func supervised(_ stage: Stage) throws {
        let path = "/patients/\(stage.places["patient"] ?? "")/members"
        let member = #"{"email": "ben@example.org", "role": "supervisor"}"#
        stage.places["member"] = stage.portal.call(.post, path, member, as: .ada).id
    }

    @Sendable private static func alarm(_ stage: Stage) throws {
        stage.places["contribution"] = stage.portal.cast.contribution
        try stage.portal.services.records.writeUnaudited(.madeUp) { connection in
            _ = try connection.run("UPDATE contributions SET must_be_seen = 1")
        }
    }

    private static let emergency = #"{"name": "Maria Tal", "phone": "+43 1 234 56 78", "knows": true}"#

    @Sendable private static func contactEntered(_ stage: Stage) throws {
        _ = stage.portal.call(.put, stage.path("/patients/:patient/emergency-contact"), emergency, as: .ada)
    }

    @Sendable private static func contactLent(_ stage: Stage) throws {
        try contactEntered(stage)
        try covered(stage)
    }

    @Sendable private static func contactOpened(_ stage: Stage) throws {
        try contactLent(stage)
        let path = stage.path("/patients/:patient/emergency-contact/opening")
        _ = stage.portal.call(.post, path, #"{"reason": "risk"}"#, as: .ben)
        stage.places["opening"] = try stage.portal.services.records.read {
            try $0.value("SELECT id FROM emergency_openings") as String?
        }
    }

    private static let patients: [String: WriteSample] = [
        "POST /api/v1/patients/:patient/contributions/:contribution/seen": .call("{}", alarm),
        "POST /patients/:patient/contributions/:contribution/seen": .form([:], alarm),
        "POST /api/v1/patients/:patient/contributions/:contribution/seen/return": .call("{}") { stage in
            try alarm(stage)
            let path = stage.path("/patients/:patient/contributions/:contribution/seen")
            _ = stage.portal.call(.post, path, as: .ada)
        },
        "PUT /api/v1/patients/:patient/emergency-contact": .call(emergency),
        "DELETE /api/v1/patients/:patient/emergency-contact": .call("{}", contactEntered),
        "POST /api/v1/patients/:patient/emergency-contact/opening": .call(#"{"reason": "risk"}"#, contactLent)
            .by(.ben),
        "POST /api/v1/patients/:patient/emergency-contact/openings/:opening/read": .call("{}", contactOpened),
        "POST /patients/:patient/emergency-contact": .form(["name": "Maria Tal", "phone": "+43 1 234 56 78"]),
        "POST /patients/:patient/emergency-contact/removal": .form([:], contactEntered),
        "POST /patients/:patient/emergency-contact/opening": .form(["reason": "risk"], contactLent).by(.ben),
        "POST /patients/:patient/emergency-contact/openings/:opening/read": .form([:], contactOpened),
        "POST /api/v1/patients": .call(#"{"note": "neu"}"#),
        "PATCH /api/v1/patients/:patient": .call(#"{"note": "anders"}"#),
        "POST /api/v1/patients/:patient/contributions": .call(
            #"{"questionnaire_key": "between-sessions", "completed_at": "2026-11-19T10:00:00Z", \#(between)}"#
        ),
        "POST /api/v1/patients/:patient/pairing-code": WriteSample(
            json: { _ in "{}" }, prepare: { openTherapy($0) }, isOfSomebodyElse: true),
        "POST /api/v1/patients/:patient/pairing/undo": .call("{}"),
        "DELETE /api/v1/patients/:patient": WriteSample(
            json: { _ in "{}" }, prepare: { openTherapy($0) }, isOfSomebodyElse: true),
        "POST /patients/:patient/erasure": WriteSample(
            typed: { stage in
                let patient = stage.portal.call(.get, stage.path("/patients/:patient"), as: .ada)
                return ["codename": patient.attributes["codename"]?.string ?? ""]
            }, prepare: { openTherapy($0) }, isOfSomebodyElse: true),
        "POST /api/v1/patients/:patient/pauses": .call(pause),
        "DELETE /api/v1/patients/:patient/pauses/:pause": .call("{}"),
        "POST /api/v1/patients/:patient/sessions": .call(
            #"{"starts_at": "2026-11-18T10:00:00Z", "ends_at": "2026-11-18T10:50:00Z"}"#),
        "PATCH /api/v1/patients/:patient/sessions/:session": .call(#"{"state": "missed"}"#),
        "POST /api/v1/patients/:patient/therapy/end": .call("{}"),
        "POST /api/v1/patients/:patient/quarantine/:sheet/admission": .call("{}") { try quarantined($0) },
        "POST /api/v1/patients/:patient/quarantine/:sheet/discard": .call("{}"),
        "POST /api/v1/patients/:patient/quarantine/:sheet/return": .call("{}") { discarded($0) },
        "POST /patients/:patient/quarantine/:sheet/return": .form(on: "/patients/:patient/quarantine") {
            discarded($0)
        },
        "POST /api/v1/pauses": .call(pause),
        "DELETE /api/v1/pauses/:pause": .call("{}") { $0.make("pause", "/pauses", pause, as: .ada) },
        "POST /patients/:patient/briefing": .form(["questions": "Wie war die Woche?"]),
        "POST /patients/:patient/contributions/new": .form(
            wellbeing.reduce(into: ["completed_at": "2026-11-19T10:00"]) {
                $0["answers.\($1.key)"] = $1.value
            },
            on: "/patients/:patient/contributions/new?questionnaire_key=wellbeing-5"
        ) { try $0.portal.publish("wellbeing-5") },
        "POST /patients/:patient/end-therapy": .form(["codename": "C000001", "ended_on": "2026-11-20"]),
        "POST /patients/:patient/hand-over": .form(["note": "true"]),
        "POST /patients/:patient/note": .form(["note": "anders"]),
        "POST /patients/:patient/pairing-code": WriteSample(
            prepare: { openTherapy($0) }, isOfSomebodyElse: true),
        "POST /patients/:patient/pairing-undo": .form(["codename": "C000001"]),
        "POST /patients/:patient/pauses": .form(["starts_on": "2027-06-01", "ends_on": "2027-06-05"]),
        "POST /patients/:patient/pauses/:pause/removal": .form(),
        "POST /patients/:patient/quarantine/:sheet/admission": .form(on: "/patients/:patient/quarantine") {
            try quarantined($0)
        },
        "POST /patients/:patient/quarantine/:sheet/discard": .form(on: "/patients/:patient/quarantine"),
        "POST /patients/:patient/sessions/:session/state": .form(["state": "missed"]),
        "POST /api/v1/covers": .call(
            #"{"colleague_email": "ben@example.org", "patients": "all", "from": "2026-11-21", "until": "2026-11-22", "access": "read"}"#
        ),
        "DELETE /api/v1/covers/:cover": WriteSample(prepare: covered),
        "POST /covers": .form([
            "colleague_email": "ben@example.org", "from": "2026-11-21", "until": "2026-11-22", "whom": "all",
            "access": "read",
        ]),
        "POST /covers/:cover/end": .form(on: "/covers", covered),
        "POST /api/v1/patients/:patient/members": .call(
            #"{"email": "ben@example.org", "role": "supervisor"}"#),
        "DELETE /api/v1/patients/:patient/members/:member": WriteSample(prepare: supervised),
        "POST /patients/:patient/members": .form(["email": "ben@example.org", "role": "supervisor"]),
        "POST /patients/:patient/members/:member/removal": .form(
            on: "/patients/:patient/members", supervised),
        "POST /patients/:patient/sessions/:session": .form(
            ["note": "Schlaf"]),
        "POST /patients/:patient/sessions/:session/time": .form(["starts_at": "2026-11-18T10:00"]),
        "POST /patients/:patient/sessions/new": .form([
            "starts_at": "2026-11-18T10:00", "ends_at": "2026-11-18T10:50",
        ]),
        "POST /patients/:patient/therapy-dates": .form(["therapy_ends_on": "2027-03-01"]),
        "POST /patients/new": .form(["note": "neu"]),
        "POST /pauses": .form(["starts_on": "2027-06-01", "ends_on": "2027-06-05"]),
        "POST /pauses/:pause/removal": .form { $0.make("pause", "/pauses", pause, as: .ada) },
    ]

    /// An unpaired one: only such a therapy gets a code.
    private static func openTherapy(_ stage: Stage) {
        stage.places["patient"] = stage.portal.cast.openTherapy.text
    }

    private static func discarded(_ stage: Stage) {
        _ = stage.portal.call(
            .post, stage.path("/patients/:patient/quarantine/:sheet/discard"), "{}", as: .ada)
    }

    /// A sheet with a wrong clock, that could be taken in.
    private static func quarantined(_ stage: Stage) throws {
        let sent = stage.portal.call(
            .put, "/my/contributions/\(newID)",
            """
            {"assignment_id": "\(stage.portal.cast.assignment)", "started_at": "2027-01-01T10:00:00Z",
             "completed_at": "2027-01-01T10:05:00Z", "timezone": "Europe/Vienna", \(between)}
            """, as: .pia)
        precondition(sent.status == 422)
        let waiting = stage.portal.call(.get, stage.path("/patients/:patient/quarantine"), as: .ada).list
        stage.places["sheet"] =
            waiting.first { $0["id"]?.string != stage.portal.cast.quarantined }?["id"]?.string
    }

    // MARK: Delivery

    private static let rhythm = """
        {"occasion": "repeated", "questionnaire_key": "between-sessions", "every": 1, "unit": "week",
         "starts_on": "2026-11-23", "at": "18:00", "open_hours": 24}
        """

    private static let delivery: [String: WriteSample] = [
        "POST /api/v1/batteries": .call(battery),
        "PATCH /api/v1/batteries/:battery": .call(#"{"name": "Anders"}"#) { makeBattery($0) },
        "DELETE /api/v1/batteries/:battery": .call("{}") { makeBattery($0) },
        "POST /api/v1/patients/:patient/assignments": .call(#"{"questionnaire_key": "between-sessions"}"#),
        "DELETE /api/v1/patients/:patient/assignments/:assignment": .call("{}"),
        "POST /api/v1/patients/:patient/battery-assignments": WriteSample(
            json: { #"{"battery_id": "\#($0.places["battery"] ?? "")"}"# }, prepare: { makeBattery($0) }),
        "POST /api/v1/patients/:patient/delivery-rules": .call(rhythm),
        "DELETE /api/v1/patients/:patient/delivery-rules/:rule": .call("{}"),
        "POST /api/v1/patients/:patient/delivery-rules/:rule/return": .call("{}") { stopped($0) },
        "POST /patients/:patient/delivery-rules/:rule/return": .form(on: "/patients/:patient/deliveries") {
            stopped($0)
        },
        "POST /batteries/:battery": .form(["name": "Anders"]) { makeBattery($0) },
        "POST /batteries/:battery/removal": .form(on: "/batteries/:battery") { makeBattery($0) },
        "POST /batteries/new": .form(["name": "Beginn", "questionnaire_key": "between-sessions"]),
        "POST /patients/:patient/assignments/:assignment/withdrawal": .form(),
        "POST /patients/:patient/assignments/new": .form([
            "questionnaire_key": "between-sessions", "again": "between-sessions 1",
        ]),
        "POST /patients/:patient/dailies": .form(["dailies": "false"], on: "/patients/:patient/deliveries"),
        "POST /patients/:patient/delivery-rules/:rule/stop": .form(on: "/patients/:patient/deliveries"),
        "POST /patients/:patient/delivery-rules/new": .form([
            "occasion": "repeated", "questionnaire_key": "between-sessions", "every": "1", "unit": "week",
            "starts_on": "2026-11-23", "at": "18:00", "open_hours": "24",
        ]),
    ]

    private static func stopped(_ stage: Stage) {
        _ = stage.portal.call(
            .delete, stage.path("/patients/:patient/delivery-rules/:rule"), "{}", as: .ada)
    }

    private static func makeBattery(_ stage: Stage) { stage.make("battery", "/batteries", battery, as: .ada) }

    // MARK: Interventions

    private static let interventions: [String: WriteSample] = [
        "POST /api/v1/interventions": .call(ownText),
        "DELETE /api/v1/interventions/:intervention": .call("{}") { own($0) },
        "PATCH /api/v1/interventions/:intervention": .call(#"{"text": {"de": "Laufen."}}"#) { own($0) },
        "POST /api/v1/patients/:patient/interventions": .call(
            #"{"kind": "question", "text": "Was fiel leicht?"}"#),
        "DELETE /api/v1/patients/:patient/interventions/:intervention": .call("{}"),
        "PATCH /api/v1/patients/:patient/interventions/:intervention": .call(#"{"text": "Anders."}"#),
        "POST /interventions/:intervention": .form(["text_de": "Laufen."]) { own($0) },
        "POST /interventions/:intervention/removal": .form(on: "/interventions/:intervention") { own($0) },
        "POST /interventions/new": .form(["kind": "task", "text_de": "Gehen."]),
        "POST /patients/:patient/interventions/:intervention": .form(["text": "Anders."]),
        "POST /patients/:patient/interventions/:intervention/withdrawal": .form(),
        "POST /patients/:patient/interventions/new": .form([
            "intervention_id": "", "kind": "question", "text": "Was fiel leicht?",
        ]),
    ]

    private static func own(_ stage: Stage) {
        stage.make("intervention", "/interventions", ownText, as: .ada)
    }

    // MARK: Rules

    private static let rules: [String: WriteSample] = [
        "POST /alerts/:alert/acknowledgement": .form(["comment": "Angerufen."]) { try $0.alert() },
        "POST /api/v1/alerts/:alert/acknowledge": .call(#"{"comment": "Angerufen."}"#) { try $0.alert() },
        "POST /api/v1/rules": .call(rule),
        "DELETE /api/v1/rules/:rule": .call("{}") { makeRule($0) },
        "POST /api/v1/rules/:rule/return": .call("{}") { removed($0) },
        "POST /rules/:rule/return": .form(on: "/rules") { removed($0) },
        "PATCH /api/v1/rules/:rule": .call(#"{"name": "Anders"}"#) { makeRule($0) },
        "POST /rules/:rule/edit": .form(["name": "Anders"]) { makeRule($0) },
        "POST /rules/:rule/removal": .form { makeRule($0) },
        "POST /rules/:rule/switch": .form(["enabled": "true"]) { makeRule($0) },
        "POST /rules/new": .form([
            "name": "Still", "combine": "all", "kind_1": "silent", "days_1": "5", "rest_days": "7",
            "briefing": "Lange still.", "reach": "all",
        ]),
    ]

    private static func removed(_ stage: Stage) {
        makeRule(stage)
        _ = stage.portal.change(.delete, stage.path("/rules/:rule"), as: .ada)
    }

    private static func makeRule(_ stage: Stage) { stage.make("rule", "/rules", rule, as: .ada) }

    // MARK: Questionnaires

    private static func file(_ key: String) throws -> String {
        try String(contentsOfFile: "\(Cast.root)/templates/instruments/\(key).json", encoding: .utf8)
    }

    private static let questionnaires: [String: WriteSample] = [
        "POST /api/v1/questionnaires": WriteSample(json: { _ in try file("wellbeing-5") }),
        "POST /api/v1/questionnaires/import": WriteSample(json: { _ in try file("wellbeing-5") }),
        "POST /questionnaires/:questionnaire": .form(["title.de": "Ruhe", "action": "save"]) {
            try $0.draft()
        },
        "POST /questionnaires/:questionnaire/draft": .form(),
        "POST /questionnaires/:questionnaire/instrument": .form(["source": "Eigene Worte"]),
        "POST /questionnaires/:questionnaire/publication": .form { try drafted($0) },
        "POST /questionnaires/:questionnaire/reinstatement": .form { stage in
            _ = stage.portal.post(stage.path("/questionnaires/:questionnaire/retirement"), as: .ada)
        },
        "POST /questionnaires/:questionnaire/removal": .form(["key": "schlaf"]) { try $0.draft() },
        "POST /questionnaires/:questionnaire/retirement": .form(),
        "POST /questionnaires/:questionnaire/scales/:number": .form([
            "action": "save", "scales.0.key": "other",
        ]) {
            try drafted($0)
        },
        "POST /questionnaires/:questionnaire/sections/:number": .form([
            "action": "save", "sections.0.text.de": "Anders",
        ]) {
            try drafted($0)
        },
        "POST /questionnaires/import": WriteSample(typed: { _ in ["file": try file("wellbeing-5")] }),
        "POST /questionnaires/starter-set": .form(on: "/welcome"),
        "POST /sounds/starter-set": .form(on: "/welcome"),
        "POST /api/v1/starter-set": .call("{}"),
        "POST /questionnaires/new": .form(["key": "schlaf", "title_de": "Schlaf", "title_en": "Sleep"]),
    ]

    /// A draft of the next version of a published questionnaire.
    private static func drafted(_ stage: Stage) throws {
        let draft = stage.portal.post(stage.path("/questionnaires/:questionnaire/draft"), as: .ada)
        stage.places["questionnaire"] = String(draft.headers["Location"]?.split(separator: "/")[1] ?? "")
    }

    // MARK: Studies

    private static let newStudy = """
        {"name": "neu-1", "title": {"de": "Neu"}, "consent_text": {"de": "Ich nehme teil."}}
        """

    private static let studies: [String: WriteSample] = [
        "POST /api/v1/studies": .call(newStudy),
        "DELETE /api/v1/studies/:study": .call("{}") { $0.make("study", "/studies", newStudy, as: .lena) },
        "PATCH /api/v1/studies/:study": .call(#"{"title": {"de": "Anders"}}"#),
        "DELETE /api/v1/studies/:study/enrolment": .call("{}").by(.nora),
        "POST /api/v1/studies/:study/enrolment/consent": .call(
            #"{"consent_accepted": true, "consent_version": 2}"#
        ) { stage in
            try stage.study(enrols: true)
            let text = #"{"consent_text": {"de": "Ganz neuer Text."}}"#
            _ = stage.portal.change(.patch, stage.path("/studies/:study"), text, as: .lena)
        }.by(.nora),
        "POST /api/v1/studies/:study/enrolment": .call(#"{"consent_accepted": true}"#) { try $0.study() },
        "DELETE /api/v1/studies/:study/groups": .call("{}") { try grouped($0) },
        "PUT /api/v1/studies/:study/groups": .call(groups) { try $0.study() },
        "POST /api/v1/studies/:study/groups/closure": WriteSample(
            json: { _ in #"{"name": "stress-26"}"# }, prepare: { try grouped($0) }),
        "POST /api/v1/studies/:study/invitations": .call(#"{"amount": 2, "days": 7}"#) { try $0.study() },
        "POST /api/v1/studies/:study/leads": .call(#"{"email": "leo@example.org"}"#),
        "DELETE /api/v1/studies/:study/leads/:account": .call("{}") { second($0) },
        "POST /api/v1/studies/:study/participants/:codename/accept": .call("{}"),
        "POST /api/v1/studies/:study/participants/:codename/contributions": .call(
            """
            {"questionnaire_key": "wellbeing-5", "completed_at": "2026-11-20T09:00:00Z",
             "answers": {"enjoyed": 3, "calm": 3, "energy": 2, "slept": 4, "company": 3}}
            """
        ) { try onPaper($0) },
        "POST /api/v1/studies/:study/participants/:codename/decline": .call("{}"),
        "POST /api/v1/studies/:study/quarantine/:sheet/admission": .call("{}") { try held($0) },
        "POST /api/v1/studies/:study/quarantine/:sheet/discard": .call("{}") { try held($0) },
        "POST /api/v1/studies/:study/quarantine/:sheet/return": .call("{}") { try heldNoMore($0) },
        "POST /studies/:study/quarantine/:sheet/admission": .form(on: "/studies/:study/quarantine") {
            try held($0)
        },
        "POST /studies/:study/quarantine/:sheet/discard": .form(on: "/studies/:study/quarantine") {
            try held($0)
        },
        "POST /studies/:study/quarantine/:sheet/return": .form(on: "/studies/:study/quarantine") {
            try heldNoMore($0)
        },
        "POST /api/v1/studies/:study/questionnaires": .call(#"{"questionnaire_key": "wellbeing-5"}"#) {
            try $0.portal.publish("wellbeing-5")
        },
        "DELETE /api/v1/studies/:study/questionnaires/:item": .call("{}"),
        "PATCH /api/v1/studies/:study/questionnaires/:item": .call(#"{"is_active": false}"#),
        "POST /api/v1/studies/:study/participants": .call(
            #"{"consented_on": "2026-11-19", "consent_version": 1}"#
        ) { try $0.study() },
        "DELETE /api/v1/studies/:study/participants/:codename": .call("{}") { try takenIn($0) },
        "POST /studies/:study/participants/new": .form([
            "codename": "XY9876", "consented_on": "2026-11-19", "consent_version": "1",
        ]) { try $0.study() },
        "POST /studies/:study/participants/:codename/erasure": .form(["codename": "XY9876"]) {
            try takenIn($0)
        },
        "POST /studies/:study/copy": .form(),
        "POST /studies/:study/edit": .form(["title_de": "Anders"]),
        "POST /studies/:study/export": .form(["format": "csv", "password": password]),
        "POST /studies/:study/groups": .form([
            "allocation": "alternating", "arm_full": "true", "arm_no_interventions": "true", "size": "1",
            "sample_size": "4", "outcome_1": "wellbeing-5/wellbeing", "outcome_1_day": "28",
            "outcome_1_primary": "true",
        ]) { try $0.study() },
        "POST /studies/:study/groups/closure": .form(["name": "stress-26"]) { try grouped($0) },
        "POST /studies/:study/groups/removal": .form(on: "/studies/:study/groups") { try grouped($0) },
        "POST /studies/:study/invitations": .form(["amount": "2", "days": "7"]) { try $0.study() },
        "POST /studies/:study/leads": .form(["email": "leo@example.org"]),
        "POST /studies/:study/leads/:account/removal": .form { second($0) },
        "POST /studies/:study/participants/:codename/decision": .form(["action": "accept"]),
        "POST /studies/:study/participants/:codename/paper/:item": .form(
            wellbeing.reduce(into: ["completed_at": "2026-11-20T10:00"]) {
                $0["answers.\($1.key)"] = $1.value
            }
        ) { try onPaper($0) },
        "POST /studies/:study/questionnaires": .form([
            "questionnaire_key": "wellbeing-5", "is_active": "true", "baseline": "none",
        ]) { try $0.portal.publish("wellbeing-5") },
        "POST /studies/:study/questionnaires/:item": .form(["is_active": ""]),
        "POST /studies/:study/questionnaires/:item/removal": .form(),
        "POST /studies/:study/removal": .form { $0.make("study", "/studies", newStudy, as: .lena) },
        "POST /studies/:study/state": .form(["action": "stop"]),
        "POST /studies/new": .form([
            "name": "neu-1", "title_de": "Neu", "consent_text_de": "Ich nehme teil.", "access": "open",
        ]),
    ]

    private static func grouped(_ stage: Stage) throws {
        try stage.study()
        let made = stage.portal.change(.put, stage.path("/studies/:study/groups"), groups, as: .lena)
        precondition(made.status == 200, made.text)
    }

    /// A study in which Nora's group has no app.
    private static func onPaper(_ stage: Stage) throws {
        try stage.study()
        let arms = groups.replacing(
            #""arms": ["full", "no_interventions"]"#, with: #""arms": ["no_app", "full"]"#)
        let made = stage.portal.change(.put, stage.path("/studies/:study/groups"), arms, as: .lena)
        precondition(made.status == 200, made.text)
        let enrolled = StudyDesk(portal: stage.portal).enrol(.nora, in: stage.places["study"] ?? "")
        stage.places["codename"] = enrolled.attributes["codename"]?.string
    }

    /// A participant on paper, without an account.
    private static func takenIn(_ stage: Stage) throws {
        try stage.study()
        stage.make(
            nil, "/studies/:study/participants",
            #"{"codename": "XY9876", "consented_on": "2026-11-19", "consent_version": 1}"#, as: .lena)
        stage.places["codename"] = "XY9876"
    }

    /// A sheet of Nora's that names an unknown version.
    private static func held(_ stage: Stage) throws {
        try stage.study(enrols: true)
        let answers = wellbeing.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ")
        let sent = stage.portal.call(
            .put, "/my/contributions/\(newID)",
            """
            {"study_id": "\(stage.places["study"] ?? "")", "questionnaire_id": "\(stage.portal.cast.assignment)",
             "started_at": "\(stage.portal.now.text)", "completed_at": "\(stage.portal.now.text)",
             "timezone": "Europe/Vienna", "answers": {\(answers)}}
            """, as: .nora)
        precondition(sent.status == 422)
        let held = stage.portal.call(.get, stage.path("/studies/:study/quarantine"), as: .lena).list
        stage.places["sheet"] = held.first?["id"]?.string
    }

    private static func heldNoMore(_ stage: Stage) throws {
        try held(stage)
        _ = stage.portal.call(.post, stage.path("/studies/:study/quarantine/:sheet/discard"), "{}", as: .lena)
    }

    private static func second(_ stage: Stage) {
        _ = stage.portal.call(
            .post, stage.path("/studies/:study/leads"), #"{"email": "leo@example.org"}"#, as: .lena)
        stage.places["account"] = stage.portal.cast.accounts[.leo]?.text
    }

    // MARK: Phones

    private static let phones: [String: WriteSample] = [
        "DELETE /api/v1/my/appointments/:appointment": .call("{}") { stage in
            _ = stage.portal.call(.put, stage.path("/my/appointments/:appointment"), appointment, as: .pia)
        },
        "PUT /api/v1/my/appointments/:appointment": .call(appointment),
        "PATCH /api/v1/my/assignments/:assignment": .call(#"{"opened_at": "2026-11-20T09:00:00Z"}"#),
        "PUT /api/v1/my/contributions/:contribution": WriteSample(json: { stage in
            """
            {"assignment_id": "\(stage.portal.cast.assignment)", "started_at": "2026-11-20T08:40:00Z",
             "completed_at": "2026-11-20T08:45:00Z", "timezone": "Europe/Vienna", \(between)}
            """
        }),
        "PUT /api/v1/my/drafts/:subject": .call(#"{"answers": {"came_back": 2}}"#),
        "PATCH /api/v1/my/notices/:notice": .call(#"{"seen_at": "2026-11-20T09:00:00Z"}"#) { stage in
            _ = stage.portal.call(
                .post, "/patients/C000001/hand-over", #"{"email": "ben@example.org"}"#, as: .uma)
            stage.places["notice"] =
                stage.portal.call(.get, "/my/notices", as: .pia).list.first?["id"]?.string
        },
        "PATCH /api/v1/my/interventions/:intervention": .call(#"{"opened_at": "2026-11-20T09:00:00Z"}"#),
        "POST /api/v1/my/pairing": WriteSample(
            who: .nora,
            json: { stage in
                #"{"code": "\#(stage.portal.cast.openCode)", "birth_date": "1980-01-01", "gender": "male"}"#
            }),
        "PUT /api/v1/my/questionnaires/:item/notification-plan": .call(
            #"{"option": "custom", "times": [{"at": "10:00", "fixed": true}]}"#
        ) { stage in
            try stage.study(
                questionnaire: """
                    , "is_schedule_changeable": true, "schedules": [{"type": "between", "amount": 3, "every": 1,
                    "unit": "day", "start": "09:00", "end": "21:00", "start_day": 0}]
                    """, enrols: true)
        }.by(.nora),
        "DELETE /api/v1/my/vault": .call("{}") { stage in
            _ = stage.portal.call(.put, "/my/vault", #"{"ciphertext": "AAAA"}"#, as: .pia)
        },
        "PUT /api/v1/my/vault": .call(#"{"ciphertext": "AAAA"}"#),
    ]
}
