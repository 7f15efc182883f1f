import HTTP
import JSON
import Records

@testable import Portal
@testable import PortalTesting

/// Samples of absences, hand-overs as told, and the covers that a clinic lead sets up.
extension WriteSamples {
    static let together: [String: WriteSample] = [
        "POST /api/v1/absences": .call(absence),
        "PATCH /api/v1/absences/:absence": .call(#"{"until": "2026-11-28"}"#) { away($0) },
        "DELETE /api/v1/absences/:absence": .call("{}") { away($0) },
        "POST /api/v1/absences/:absence/cancellation": .call("{}") { stage in
            away(stage)
            planned(stage)
        },
        "POST /api/v1/absences/:absence/cancellation/return": .call("{}") { stage in
            away(stage)
            planned(stage)
            _ = stage.portal.call(.post, stage.path("/absences/:absence/cancellation"), "{}", as: .ada)
        },
        "POST /absences/:absence/removal": .form(on: "/covers") { away($0) },
        "POST /absences/:absence/choice": .form(on: "/covers") { away($0) },
        "POST /absences/:absence/cancellation": .form(on: "/covers") { stage in
            away(stage)
            planned(stage)
        },
        "POST /hand-overs/:handover/read": .form(on: "/") { handedOver($0) },
        "POST /api/v1/hand-overs/:handover/read": .call("{}") { handedOver($0) },
        "POST /api/v1/clinic/covers": WriteSample(json: { stage in
            """
            {"therapist_id": "\(stage.portal.cast.accounts[.ada] ?? "")", "colleague_email": "ben@example.org",
             "from": "2026-11-21", "until": "2026-11-22", "access": "read"}
            """
        }),
        "POST /clinic/covers": WriteSample(typed: { stage in
            [
                "therapist_id": stage.portal.cast.accounts[.ada]?.text ?? "",
                "colleague_email": "ben@example.org", "from": "2026-11-21", "until": "2026-11-22",
                "access": "read",
            ]
        }),
    ]

    private static let absence = #"{"from": "2026-11-23", "until": "2026-11-27"}"#

    private static func away(_ stage: Stage) {
        stage.make("absence", "/absences", absence, as: .ada)
    }

    private static func planned(_ stage: Stage) {
        let session = #"{"starts_at": "2026-11-24T12:00:00Z", "ends_at": "2026-11-24T12:50:00Z"}"#
        stage.make(nil, "/patients/:patient/sessions", session, as: .ada)
    }

    private static func handedOver(_ stage: Stage) {
        _ = stage.portal.call(
            .post, "/patients/C000001/hand-over", #"{"email": "ben@example.org"}"#, as: .uma)
        stage.places["handover"] =
            stage.portal.call(.get, "/hand-overs", as: .ada).list.first?["id"]?.string ?? ""
    }
}
