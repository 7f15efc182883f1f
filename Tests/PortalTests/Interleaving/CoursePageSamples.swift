import HTTP

@testable import PortalTesting

/// The own pages about what happens between the sessions: interventions and appointments.
extension WriteSamples {
    static let coursePages: [String: WriteSample] = [
        "POST /my/interventions/:intervention/opening": .form(on: "/my/interventions/:intervention"),
        "POST /my/interventions/:intervention/completion": .form(on: "/my/interventions/:intervention") {
            stage in
            _ = stage.portal.post(stage.path("/my/interventions/:intervention/opening"), as: .pia)
        },
        "POST /my/appointments/new": .form(),
        "POST /my/appointments/:appointment": .form(["title": "Verschoben"]) { appointment($0) },
        "POST /my/appointments/:appointment/removal": .form { appointment($0) },
        "POST /my/noted-sessions/:session/appointment": .form(on: "/my/appointments") { noted($0) },
        "POST /patients/:patient/sessions/sharing": .form(
            on: "/patients/:patient/appointments"
        ) { noted($0) },
    ]

    private static func noted(_ stage: Stage) {
        stage.make(
            "session", "/patients/:patient/sessions",
            #"{"starts_at": "2026-11-26T10:00:00Z", "ends_at": "2026-11-26T10:50:00Z"}"#, as: .ada)
    }

    private static func appointment(_ stage: Stage) {
        _ = stage.portal.call(.put, stage.path("/my/appointments/:appointment"), appointment, as: .pia)
    }
}
