import HTTP
import JSON

@testable import Portal
@testable import PortalTesting

/// Samples of filling in questionnaires in the browser, and of the links that lead there.
extension WriteSamples {
    static let answering: [String: WriteSample] = [
        "POST /my/assignments/:assignment": .form(["answers.dream": "2", "action": "later"]),
        "POST /my/questionnaires/:item": WriteSample(
            who: .nora, typed: { _ in ["answers.calm": "3", "action": "later"] },
            prepare: { stage in
                let path = stage.path("/studies/:study/participants/:codename/accept")
                _ = stage.portal.call(.post, path, "{}", as: .lena)
            }),
        "POST /q/:token/form": .form(["answers.dream": "2", "action": "later"]) { try link($0) },
        "POST /q/:token/form/done": .form { try link($0) },
        "POST /patients/:patient/assignments/:assignment/link": .form(),
        "POST /patients/:patient/assignments/:assignment/link/removal": .form { try link($0) },
        "POST /patients/:patient/assignments/:assignment/tablet": .form(),
        "POST /api/v1/patients/:patient/assignments/:assignment/link": .call("{}"),
        "DELETE /api/v1/patients/:patient/assignments/:assignment/link": .call("{}") { try link($0) },
    ]

    private static func link(_ stage: Stage) throws {
        let made = stage.portal.call(
            .post, stage.path("/patients/:patient/assignments/:assignment/link"), as: .ada)
        let url = made.attributes["url"]?.string ?? ""
        stage.places["token"] = url.split(separator: "/").last.map(String.init)
    }
}
