import HTTP
import JSON

@testable import Portal
@testable import PortalTesting

/// Samples of undoing, and of what was added with it.
extension WriteSamples {
    static let undoing: [String: WriteSample] = [
        "POST /undo/:token": WriteSample(page: "/batteries", prepare: { try way($0, isPage: true) }),
        "POST /api/v1/undo/:token": .call("{}") { try way($0, isPage: false) },
        "POST /api/v1/patients/:patient/assignments/:assignment/return": .call("{}") {
            gone($0, .delete, "/patients/:patient/assignments/:assignment")
        },
        "POST /api/v1/patients/:patient/interventions/:intervention/return": .call("{}") {
            gone($0, .delete, "/patients/:patient/interventions/:intervention")
        },
        "POST /api/v1/interventions/:intervention/return": .call("{}") { stage in
            stage.make("intervention", "/interventions", ownText, as: .ada)
            gone(stage, .delete, "/interventions/:intervention")
        },
        "POST /api/v1/patients/:patient/pauses/:pause/return": .call("{}") {
            gone($0, .delete, "/patients/:patient/pauses/:pause")
        },
        "POST /api/v1/pauses/:pause/return": .call("{}") { stage in
            stage.make("pause", "/pauses", pause, as: .ada)
            gone(stage, .delete, "/pauses/:pause")
        },
        "POST /api/v1/batteries/:battery/return": .call("{}") { stage in
            stage.make("battery", "/batteries", battery, as: .ada)
            gone(stage, .delete, "/batteries/:battery")
        },
        "POST /api/v1/rules/:rule/enabling": .call("{}") { $0.make("rule", "/rules", rule, as: .ada) },
        "DELETE /api/v1/patients/:patient/dailies": .call("{}"),
        "POST /api/v1/patients/:patient/dailies/return": .call("{}"),
        "POST /api/v1/questionnaires/:questionnaire/retirement": .call(#"{"even_if_used": true}"#),
        "POST /api/v1/questionnaires/:questionnaire/reinstatement": .call("{}"),
        "POST /patients/:patient/phone-contacts": .form(["at": "2026-11-20T09:00"]),
        "POST /patients/:patient/phone-contacts/:contact/removal": .form(
            on: "/patients/:patient/phone-contacts"
        ) { phoned($0) },
        "POST /patients/table": .form(["filter": "all"]),
        "POST /today/news/set-aside": .form(),
        "POST /api/v1/today/news/set-aside": .call("{}"),
        "POST /api/v1/today/news/return": .call("{}") { stage in
            _ = stage.portal.call(.post, "/today/news/set-aside", "{}", as: .ada)
        },
        "POST /patients/:patient/letters": .form(["kind": "gp"]),
        "POST /patients/:patient/letters/:letter/edit": .form(
            ["title": "Brief", "text": "Text"], on: "/patients/:patient/letters/:letter/edit"
        ) { lettered($0) },
        "POST /patients/:patient/letters/:letter/removal": .form { lettered($0) },
        "POST /api/v1/patients/:patient/letters": .call(#"{"kind": "gp"}"#),
        "PUT /api/v1/patients/:patient/letters/:letter": .call(#"{"title": "Brief", "text": "Text"}"#) {
            lettered($0)
        },
        "DELETE /api/v1/patients/:patient/letters/:letter": .call("{}") { lettered($0) },
        "POST /patients/:patient/sessions/:session/draft": .form(["note": "Halb"]),
        "POST /patients/:patient/sessions/:session/draft/removal": .form { stage in
            _ = stage.portal.post(
                stage.path("/patients/:patient/sessions/:session/draft"), [("note", "Halb")], as: .ada)
        },
        "POST /patients/:patient/sessions/:session/removal": .form(),
        "DELETE /api/v1/patients/:patient/sessions/:session": .call("{}"),
        "POST /api/v1/patients/:patient/sessions/:session/return": .call("{}") {
            gone($0, .delete, "/patients/:patient/sessions/:session")
        },
        "POST /api/v1/patients/:patient/sessions/:session/withdrawal": .call("{}"),
        "POST /api/v1/patients/:patient/phone-contacts": .call(phone),
        "DELETE /api/v1/patients/:patient/phone-contacts/:contact": .call("{}") { phoned($0) },
        "POST /api/v1/patients/:patient/phone-contacts/:contact/return": .call("{}") { stage in
            phoned(stage)
            gone(stage, .delete, "/patients/:patient/phone-contacts/:contact")
        },
    ]

    static let phone = #"{"at": "2026-11-20T08:00:00Z", "note": "Kommt wieder."}"#

    static func lettered(_ stage: Stage) {
        stage.make("letter", "/patients/:patient/letters", #"{"kind": "gp"}"#, as: .ada)
    }

    static func phoned(_ stage: Stage) {
        stage.make("contact", "/patients/:patient/phone-contacts", phone, as: .ada)
    }

    private static func gone(_ stage: Stage, _ method: HTTP.Method, _ path: String) {
        _ = stage.portal.call(method, stage.path(path), "{}", as: .ada)
    }

    private static func way(_ stage: Stage, isPage: Bool) throws {
        phoned(stage)
        let path = stage.path("/patients/:patient/phone-contacts/:contact")
        if isPage {
            _ = stage.portal.post(path + "/removal", as: .ada)
            let html = stage.portal.get(stage.path("/patients/:patient/phone-contacts"), as: .ada).text
            let token = try? /action="\/undo\/([^"]+)"/.firstMatch(in: html)?.1
            stage.places["token"] = token.map { String($0) }
        } else {
            let header = stage.portal.call(.delete, path, as: .ada).headers["Undo"]
            stage.places["token"] = header.map { String($0.dropFirst("/undo/".count)) }
        }
    }
}
