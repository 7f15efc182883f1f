import HTTP
import JSON
import Wire

@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Therapies
@testable import Web

/// What patients and participants send from their settings, studies and feedback in the browser.
extension WriteSamples {
    static let ownSettings: [String: WriteSample] = [
        "POST /my/settings/profile": .form(["name": "Pia"]),
        "POST /my/settings/zone": .form(["timezone": "America/Sao_Paulo"]),
        "POST /my/settings/notifications": .form(["questionnaires": "true"]) { stage in
            _ = stage.portal.call(
                .put, "/my/notification-settings",
                #"{"questionnaires": false, "interventions": true, "appointments": true}"#, as: .pia)
        },
        "POST /my/settings/sensors": .form(["gps": "true"]),
        "POST /my/settings/password": .form([
            "current_password": password, "password": fresh, "password_confirmation": fresh,
        ]),
        "POST /my/settings/email": .form(["email": "pia.neu@example.org", "password": password]),
        "POST /api/v1/my/email": .call(#"{"email": "pia.neu@example.org", "password": "\#(password)"}"#),
        "POST /my/settings/devices/:device/removal": .form { try $0.device(of: .pia) },
        "POST /my/settings/devices/removal": .form(on: "/my/settings/devices") { try $0.device(of: .pia) },
        "POST /my/settings/privacy": .form { stage in
            _ = stage.portal.call(.put, "/my/privacy", #"{"research_consent": false}"#, as: .pia)
        },
        "POST /my/settings/privacy/revocation": .form { stage in
            _ = stage.portal.call(.put, "/my/privacy", #"{"research_consent": true}"#, as: .pia)
        },
        "POST /my/settings/copy": .form(["password": password]),
        "POST /my/settings/deletion": .form(["password": password]),
        "POST /my/notices/:notice/seen": .form(on: "/my/notices") { stage in
            _ = stage.portal.call(
                .post, "/patients/C000001/hand-over", #"{"email": "ben@example.org"}"#, as: .uma)
            stage.places["notice"] =
                stage.portal.call(.get, "/my/notices", as: .pia).list.first?["id"]?.string
        },
        "POST /my/studies/:code/enrolment": .form(["consent_accepted": "true"], on: "/studies/stress-26") {
            try $0.study()
            $0.places["code"] = "stress-26"
        },
        "POST /my/studies/:study/refusal": .form(on: "/my/studies") { stage in
            try stage.study()
            let study = ID<Study>(stage.places["study"] ?? "")
            let therapy = ID<Therapy>(stage.places["patient"] ?? "")
            let now = stage.portal.now
            try stage.portal.services.records.writeUnaudited(.madeUp) {
                try OfferStore.offer(study, to: therapy, at: now, $0)
            }
        },
        "POST /my/studies/:study/leaving": .form(["data": "keep"]) { try $0.study(enrols: true) }.by(.nora),
        "POST /my/studies/:study/consent": .form(["consent_accepted": "true"]) { stage in
            try stage.study(enrols: true)
            let text = #"{"consent_text": {"de": "Ganz neuer Text."}}"#
            _ = stage.portal.change(.patch, stage.path("/studies/:study"), text, as: .lena)
        }.by(.nora),
        "POST /my/studies/:study/consent/refusal": .form(["data": "keep"], on: "/my/studies/:study/consent") {
            stage in
            try stage.study(enrols: true)
            let text = #"{"consent_text": {"de": "Ganz neuer Text."}}"#
            _ = stage.portal.change(.patch, stage.path("/studies/:study"), text, as: .lena)
        }.by(.nora),
        "POST /api/v1/studies/:study/enrolment/refusal": .call(#"{"consent_version": 2, "data": "keep"}"#) {
            stage in
            try stage.study(enrols: true)
            let text = #"{"consent_text": {"de": "Ganz neuer Text."}}"#
            _ = stage.portal.change(.patch, stage.path("/studies/:study"), text, as: .lena)
        }.by(.nora),
        "POST /my/studies/:study/measurements": .form(["measure_steps": "true"]) { stage in
            try stage.study(enrols: true)
            _ = stage.portal.change(.patch, stage.path("/studies/:study"), measuring, as: .lena)
        }.by(.nora),
        "PUT /api/v1/studies/:study/enrolment/measurements": .call(#"{"measurements": ["steps"]}"#) { stage in
            try stage.study(enrols: true)
            _ = stage.portal.change(.patch, stage.path("/studies/:study"), measuring, as: .lena)
        }.by(.nora),
        "POST /my/studies/:study/location": .form(["location": "allowed"]) { stage in
            try stage.study(questionnaire: locating, enrols: true)
        }.by(.nora),
        "PUT /api/v1/studies/:study/enrolment/location": .call(#"{"location": "refused"}"#) { stage in
            try stage.study(questionnaire: locating, enrols: true)
        }.by(.nora),
        "POST /my/studies/:study/questionnaires/:item/times": .form([
            "option": "custom", "times.0.at": "10:15",
        ]) { stage in
            try stage.study(
                questionnaire: StudyDesk.daily("09:00") + #", "is_schedule_changeable": true"#, enrols: true)
        }.by(.nora),
        "POST /my/profiles/:item": .form(["answers.own_words": "leise"]) { try $0.profile() },
        "PATCH /api/v1/my/profiles/:item": .call(#"{"answers": {"side": 1}}"#) { try $0.profile() },
        "POST /my/tinnitus": .form([
            "matched_at": "2026-11-20T08:59:00Z", "frequency_hz": "6000", "level_sl_db": "10", "ear": "left",
            "kind": "tone", "method": "slider", "headphones": "over_ear", "certainty": "7",
        ]),
        "PUT /api/v1/my/tinnitus-matches/:match": .call(
            """
            {"matched_at": "2026-11-20T08:59:00Z", "method": "slider", "ear": "left", "kind": "tone",
             "frequency_hz": 6000, "level_sl_db": 10, "certainty": 7, "run": 1}
            """
        ) { $0.places["match"] = newID },
        "POST /my/feedback": .form(["text": "Danke."]),
        "POST /feedback": .form(["text": "Danke."]),
        "POST /api/v1/feedback": .call(#"{"text": "Danke."}"#),
    ]

    private static let locating = #", "can_use": [{"name": "gps"}]"#
    private static let measuring = #"{"measurements": ["steps"]}"#
}
