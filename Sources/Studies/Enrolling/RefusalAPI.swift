import HTTP
import Identity
import Records
import Web
import Wire
import Wording

/// A no to a newer consent text (ST-6): the participation ends, and its answers are kept or erased as chosen.
enum RefusalAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .post, "/studies/:study/enrolment/refusal", .patient,
            .one(
                "Refuse the newer consent text of a study, which ends taking part; a request is withdrawn (204)",
                LeavingReceipt.self, takes: Enrolment.refused), refuse)
    }

    /// Sent once more it answers the same receipt.
    @Sendable static func refuse(_ c: Context<Member>) throws -> Reply {
        let study = try EnrolmentAPI.study(c)
        let fields = try c.body()
        let version = fields.whole("consent_version", 1...1_000_000, first: 0) ?? 0
        if version == 0, fields.value("consent_version") == nil {
            fields.refuse("consent_version", "errors.required")
        }
        let data = fields.choice("data", from: Enrolment.dataChoices, required: true)
        try fields.finish()
        let number = try EnrolmentAPI.showingChange(of: study, c) {
            do {
                return try Enrolling.refuse(study, version: version, isRemoving: data == "remove", c)
            } catch Problem.preconditionFailed {
                throw Problem.conflict(Message("studies.consent_changed"))
            }
        }
        guard let number, let receipt = try c.read({ try Receipts.read(number, c, $0) }) else {
            return .response(.noContent)
        }
        return try .data(One(id: number.text, receipt))
    }
}
