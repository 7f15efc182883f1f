import HTTP
import JSON

@testable import PortalTesting

/// Protocols, and putting them on a therapy (PR-17).
extension WriteSamples {
    private static let body =
        #"{"name": "Standard", "plan": [{"occasion": "before_session", "questionnaire_key": "between-sessions"}]}"#

    static let protocols: [String: WriteSample] = [
        "POST /api/v1/protocols": .call(body),
        "PATCH /api/v1/protocols/:protocol": .call(#"{"name": "Anders"}"#) { made($0) },
        "DELETE /api/v1/protocols/:protocol": .call("{}") { made($0) },
        "PUT /api/v1/patients/:patient/protocol": WriteSample(
            json: { #"{"protocol_id": "\#($0.places["protocol"] ?? "")", "follow": true}"# },
            prepare: { made($0) }),
        "DELETE /api/v1/patients/:patient/planned-interventions/:planned": .call("{}") { planned($0) },
        "POST /protocols/new": .form(["name": "Standard", "scope": "own"]),
        "POST /protocols/:protocol": .form(["name": "Anders"]) { made($0) },
        "POST /protocols/:protocol/default": .form(["is_default": "true"], on: "/protocols") { made($0) },
        "POST /protocols/:protocol/removal": .form { made($0) },
        "POST /patients/:patient/protocol": .form(["follow": "true"], on: "/patients/:patient/deliveries") {
            made($0)
        },
        "POST /patients/:patient/planned-interventions/:planned/withdrawal": .form(
            on: "/patients/:patient/deliveries"
        ) { planned($0) },
    ]

    private static func made(_ stage: Stage) { stage.make("protocol", "/protocols", body, as: .ada) }

    /// An intervention that waits for its day.
    private static func planned(_ stage: Stage) {
        stage.make(
            "text", "/interventions", #"{"kind": "task", "text": {"de": "Gehen Sie hinaus."}}"#, as: .ada)
        let text = stage.places["text"] ?? ""
        stage.make(
            "protocol", "/protocols",
            #"{"name": "Tage", "interventions": [{"intervention_id": "\#(text)", "day": 60}]}"#, as: .ada)
        let put = stage.portal.call(
            .put, stage.path("/patients/:patient/protocol"),
            #"{"protocol_id": "\#(stage.places["protocol"] ?? "")", "follow": true}"#, as: .ada)
        stage.places["planned"] = put.attributes["interventions"]?.array?.first?["id"]?.string
    }
}
