import Identity
import Records
import Web
import Wire
import Wording

extension StudyLocation {
    /// How it stands, in one line.
    package static func state(_ enrolment: EnrolmentRecord, of account: AccountRecord, _ texts: Texts)
        -> String
    {
        let key =
            switch (enrolment.location, account.isGPSOn, enrolment.locationDevice) {
            case (nil, _, _): "unasked"
            case (.refused, _, _): "refused"
            case (.allowed, false, _): "off"
            case (.allowed, true, .refused): "device_refused"
            case (.allowed, true, nil): "device_unasked"
            case (.allowed, true, .read): "allowed"
            }
        return texts["own_studies.location_is_\(key)"]
    }

    /// A participant's new choice, also of one that has only asked to take part.
    package static func choose(_ choice: Choice, in study: ID<Study>, _ c: Context<Member>) throws {
        let account = c.proof.account.id
        let change = try c.change(of: try c.proof.account.key(c.keys), to: ["location": choice.rawValue])
        try c.write(.studyLocationChosen, about: account, object: study, change: change) {
            [now = c.now] connection in
            guard let enrolment = try EnrolmentStore.find(in: study, of: account, connection),
                enrolment.state == .enrolled || enrolment.state == .pending,
                try StudyLocationStore.isAsked(in: study, connection)
            else { throw Problem.notFound }
            try StudyLocationStore.set(choice, of: enrolment.id, account, at: now, connection)
        }
    }
}

extension AuditAction {
    static let studyLocationChosen = AuditAction(name: "enrolment.location")
}
