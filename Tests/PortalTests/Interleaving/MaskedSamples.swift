import HTTP
import JSON

@testable import PortalTesting

/// Emergency unmasking (ST-10).
extension WriteSamples {
    private static let reason = "Schwere unerwünschte Wirkung"

    static let unmaskings: [String: WriteSample] = [
        "POST /api/v1/studies/:study/participants/:codename/unmasking": .call(#"{"reason": "\#(reason)"}"#) {
            try allocated($0)
        },
        "POST /studies/:study/participants/:codename/unmasking": .form(["reason": reason]) {
            try allocated($0)
        },
    ]

    /// A study with groups, and Nora in one of them.
    private static func allocated(_ stage: Stage) throws {
        try stage.study()
        let made = stage.portal.change(
            .put, stage.path("/studies/:study/groups"), StudyDesk.groups, as: .lena)
        precondition(made.status == 200, made.text)
        let enrolled = StudyDesk(portal: stage.portal).enrol(.nora, in: stage.places["study"] ?? "")
        stage.places["codename"] = enrolled.attributes["codename"]?.string
    }
}
