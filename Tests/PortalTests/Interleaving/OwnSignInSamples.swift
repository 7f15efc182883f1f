import Database
import HTTP
import JSON

@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web

/// Samples of the forms and calls of patients and participants.
extension WriteSamples {
    static let ownSigningIn: [String: WriteSample] = [
        "POST /register": WriteSample(
            who: .ada,
            typed: { _ in
                [
                    "email": "neu@example.org", "password": fresh, "password_confirmation": fresh,
                    "privacy_accepted": "true",
                ]
            }),
        "POST /register/confirmation": .form(["email": "tess@example.com"]),
        "POST /register/confirmation/mail": .form(on: "/register/confirmation"),
        "POST /pair": .form(["code": "39420603"]).by(.pia),
        "POST /my/pairing": WriteSample(
            who: .nora,
            typed: { ["code": $0.portal.cast.openCode, "birth_date": "1980-01-01", "gender": "male"] }),
        "POST /my/device-code": .form(),
        "POST /my/device-code/approval": WriteSample(
            who: .pia,
            typed: { stage in
                try claimed(stage)
                let claim: String? = try stage.portal.services.records.read { connection in
                    try connection.value("SELECT claim_id FROM device_codes WHERE claim_id IS NOT NULL")
                }
                return ["claim": claim ?? ""]
            }),
        "POST /my/device-code/removal": .form { try claimed($0) },
        "POST /login/device": WriteSample(
            who: .pia, typed: { ["code": try deviceCode($0)] }, page: "/login", isSignIn: true),
        "POST /api/v1/my/device-codes": .call("{}"),
        "POST /api/v1/my/device-codes/approval": .call("{}") { try claimed($0) },
        "POST /api/v1/my/device-codes/refusal": .call("{}") { try claimed($0) },
        "POST /api/v1/auth/device": WriteSample(
            who: .pia, json: { #"{"code": "\#(try deviceCode($0))"}"# }, isSignIn: true),
    ]

    private static func deviceCode(_ stage: Stage) throws -> String {
        stage.portal.call(.post, "/my/device-codes", as: .pia).attributes["code"]?.string ?? ""
    }

    private static func claimed(_ stage: Stage) throws {
        _ = stage.portal.call(.post, "/auth/device", #"{"code": "\#(try deviceCode(stage))"}"#)
    }
}
