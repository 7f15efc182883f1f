import Database
import HTTP
import JSON
import Records
import Web
import Wire

@testable import PortalTesting

/// What browsers send for themselves: sheets filled in on the device, sealed words on their way to another, reminders.
extension WriteSamples {
    private static let point =
        "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
    private static let secret = "BTBZMqHH6r4Tts7J_aSIgg"
    private static let subscription =
        #"{"endpoint": "https://1.1.1.1/push", "keys": {"p256dh": "\#(point)", "auth": "\#(secret)"}, "wants": ["prompts"]}"#

    private static func subscribe(_ stage: Stage) throws {
        try own(stage)
        let path = "/my/devices/\(stage.places["device"] ?? "")/push"
        _ = stage.portal.call(.put, path, subscription, as: .pia)
    }

    /// The device that asks.
    private static func own(_ stage: Stage) throws {
        let all = stage.portal.call(.get, "/my/devices", as: .pia).list
        stage.places["device"] = all.first { $0["attributes"]?["current"] == .bool(true) }?["id"]?.string
    }

    private static let browser = [
        "endpoint": "https://1.1.1.1/push", "p256dh": point, "auth": secret, "wants": "prompts",
    ]

    static let ownDevices: [String: WriteSample] = [
        "POST /my/offline/sheets": .form([
            "id": newID, "version": Cast.shared.questionnaire, "assignment": Cast.shared.assignment,
            "started_at": "2026-11-20T08:50:00Z", "timezone": "Europe/Vienna", "action": "keep",
            "answers.dream": "2", "at.dream": "2026-11-20T08:59:00Z",
        ]),
        "POST /my/words/vault": .form(["ciphertext": "AgEC", "revision": "0"]),
        "POST /my/offline/shown": .form(["shown": "\(Cast.shared.assignment) 2026-11-20T08:00:00Z"]),
        "POST /my/settings/push": .form(browser),
        "POST /my/settings/push/renewal": .form(browser) { stage in
            _ = stage.portal.post("/my/settings/push", browser.map { ($0.key, $0.value) }, as: .pia)
        },
        "POST /my/settings/push/removal": .form { stage in
            _ = stage.portal.post("/my/settings/push", browser.map { ($0.key, $0.value) }, as: .pia)
        },
        "POST /my/settings/push/test": .form { stage in
            _ = stage.portal.post("/my/settings/push", browser.map { ($0.key, $0.value) }, as: .pia)
        },
        "PUT /api/v1/my/devices/:device/push": .call(subscription) { try own($0) },
        "DELETE /api/v1/my/devices/:device/push": .call("") { try subscribe($0) },
        "POST /api/v1/my/devices/:device/push/test": .call("") { try subscribe($0) },
        "POST /admin/system/push": .form(["host": "push.example.org"]) { stage in
            try stage.portal.services.records.writeUnaudited(.madeUp) { connection in
                _ = try connection.run(
                    "INSERT INTO push_hosts (host, last_status, stopped_at) VALUES ('push.example.org', 403, 1)"
                )
            }
        },
    ]
}
