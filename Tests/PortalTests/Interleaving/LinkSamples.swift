import Foundation
import HTTP
import JSON
import Wire

@testable import PortalTesting
@testable import Records
@testable import WearableLinks
@testable import Web

/// Accounts with providers.
extension WriteSamples {
    static let links: [String: WriteSample] = [
        "POST /api/v1/my/wearables/:provider/link": .call("{}") { _ = provider($0) },
        "POST /api/v1/my/wearables/:provider/confirmation": .call("{}") { stage in
            let health = provider(stage)
            let asked = stage.portal.call(.post, "/my/wearables/google_health/link", as: .pia)
            let back = health.consent(asked.attributes["authorize_url"]?.string ?? "", as: 1)
            _ = stage.portal.get(back.replacing(stage.portal.services.origin, with: ""), as: .nobody)
        },
        "DELETE /api/v1/my/wearables/:provider": .call("{}") { stage in
            try linked(stage)
            stage.places["provider"] = "google_health?data=remove"
        },
        "POST /api/v1/wearables/hooks/:provider/:secret": .call(
            #"{"data": {"healthUserId": "canary-user-1"}}"#
        ) { stage in
            try linked(stage)
            stage.places["secret"] = FakeHealth.hookSecret
        },
        "POST /my/wearables/:provider/link": .form(on: "/my/wearables") { _ = provider($0) },
        "POST /my/wearables/:provider/confirmation": .form(
            on: "/my/wearables/google_health/confirmation"
        ) { stage in
            let health = provider(stage)
            let page = stage.portal.post("/my/wearables/google_health/link", as: .pia).text
            let found = page.firstMatch(of: /href="(https:\/\/accounts\.google\.com[^"]*)"/)
            let address = (found.map { String($0.1) } ?? "").replacing("&amp;", with: "&")
            let back = health.consent(address, as: 1)
            _ = stage.portal.get(back.replacing(stage.portal.services.origin, with: ""), as: .pia)
        },
        "POST /my/wearables/:provider/removal": .form(["data": "remove"], on: "/my/wearables") {
            try linked($0)
        },
    ]

    private static func provider(_ stage: Stage) -> FakeHealth {
        let health = FakeHealth(stage.portal.services.clock)
        stage.portal.services.part(WearableSignal.self).set(health.configured())
        stage.places["provider"] = "google_health"
        return health
    }

    private static func linked(_ stage: Stage) throws {
        let health = provider(stage)
        try link(stage.portal, health, .pia, user: 1)
        _ = try PullRound(stage.portal.services).go()
    }
}
