import Database
import HTTP
import Identity
import Records
import Web
import Wire
import Wording

/// Whether a study gets the position with its questionnaires: asked at enrolment with the reason, changed at any time (FD-27).
package enum StudyLocation {
    package enum Choice: String, Sendable, CaseIterable, SQLConvertible { case allowed, refused }
    /// What a device said last.
    package enum Device: String, Sendable, SQLConvertible { case read, refused }

    /// The question in forms: a yes or a no, neither of which stands there before.
    package static func field(_ chosen: Choice?, _ filled: FormState) -> FieldView {
        let texts = filled.texts
        var field = filled.list(
            "location", label: "own_studies.location_allow", first: chosen?.rawValue ?? "",
            [("", texts["own_studies.data_choose"])]
                + Choice.allCases.map { ($0.rawValue, texts["own_studies.location_\($0.rawValue)"]) })
        field.isRequired = true
        field.hint = texts["own_studies.location_allow_hint"]
        return field
    }

    package static func read(_ fields: InputReader, required: Bool) -> Choice? {
        fields.choice("location", from: Enrolment.locations, required: required).flatMap(Choice.init)
    }

    /// Why, in the leads' words or ours.
    package static func reason(_ study: StudyRecord, _ texts: Texts, _ languages: [Language]) -> String {
        study.locationReason.text(in: languages) ?? texts["own_studies.location_reason"]
    }

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

/// How many participants gave their position, and why others did not, as the next export holds them.
package struct LocationCounts: Sendable {
    private var isAsked = false
    private var allowed = 0
    private var refusedByDevice = 0
    private var unaskedByDevice = 0
    private var refused = 0
    private var unasked = 0

    init() {}

    init(_ study: ID<Study>, _ people: [EnrolmentRecord], _ connection: borrowing Connection) throws {
        isAsked = try StudyItemStore.all(in: study, connection).contains { $0.asks("gps") }
        for enrolment in people {
            switch (enrolment.location, enrolment.locationDevice) {
            case (nil, _): unasked += 1
            case (.refused, _): refused += 1
            case (.allowed, let device):
                allowed += 1
                if device == .refused { refusedByDevice += 1 }
                if device == nil { unaskedByDevice += 1 }
            }
        }
    }

    /// - Parameter positions: how many were written.
    func words(positions: Int, _ texts: Texts) -> String {
        guard isAsked else { return texts["studies.location_never"] }
        let counts = texts[
            "studies.location_counts",
            [
                "allowed": String(allowed), "by_device": String(refusedByDevice),
                "not_yet": String(unaskedByDevice), "refused": String(refused), "unasked": String(unasked),
            ]]
        return positions > 0 ? counts : texts["studies.location_empty_\(reason)"] + " " + counts
    }

    /// Why there is none.
    private var reason: String {
        if allowed == 0 { return unasked > 0 && refused == 0 ? "unasked" : "nobody" }
        if allowed == refusedByDevice { return "device" }
        return allowed == unaskedByDevice ? "not_yet" : "none"
    }
}

extension AuditAction {
    static let studyLocationChosen = AuditAction(name: "enrolment.location")
}
