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
    ]

    private static func appointment(_ stage: Stage) {
        _ = stage.portal.call(.put, stage.path("/my/appointments/:appointment"), appointment, as: .pia)
    }
}
