/// That somebody takes part in a study, or has asked to.
public struct Enrolment: Documented, Decodable {
    public static let type = "enrolment"
    public static let states = ["pending", "enrolled", "declined", "left"]
    public var studyID: String
    public var codename: String
    public var state: String
    public var arm: String?
    public var askedAt: Instant?
    /// When a lead accepted or declined; nil for who needed no leave.
    public var decidedAt: Instant?
    /// From when on somebody who was declined may ask once more; nil when they may not, or need not.
    public var mayAskAgainAt: Instant?
    /// Which consent text was agreed to, and when.
    public var consentVersion = 1
    public var consentedAt: Instant?
    /// Which one the study has now. Where it is another, it waits to be read and agreed to.
    public var newestConsentVersion = 1
    /// Kinds of own measurements that go to the study; always some of those it asks for (`Study.measurements`).
    public var measurements: [String] = []
    /// When they were chosen; nil for a choice of before that was kept.
    public var measurementsAt: Instant?
    /// Which sentence was agreed to with them: the first bound them to the consent to research, from the second on the choice
    /// itself is the yes. Nil where nothing was ever chosen.
    public var measurementsVersion: Int?
    public static let locations = ["allowed", "refused"]
    /// Whether the study gets the position with its questionnaires, and when that was chosen; nil for who was not asked.
    public var location: String?
    public var locationAt: Instant?
    /// What the device said last: `read`, `refused`; nil where it has not been asked since.
    public var locationDevice: String?

    public init(studyID: String, codename: String, state: String, arm: String?) {
        self.studyID = studyID
        self.codename = codename
        self.state = state
        self.arm = arm
    }

    enum CodingKeys: String, CodingKey {
        case codename, state, arm, measurements, location
        case locationAt = "location_at"
        case locationDevice = "location_device"
        case studyID = "study_id"
        case askedAt = "asked_at"
        case decidedAt = "decided_at"
        case mayAskAgainAt = "may_ask_again_at"
        case consentVersion = "consent_version"
        case consentedAt = "consented_at"
        case newestConsentVersion = "newest_consent_version"
        case measurementsAt = "measurements_at"
        case measurementsVersion = "measurements_version"
    }

    public static let sent = Schema.object([
        Schema.property("consent_accepted", .boolean), Schema.optional("password", .string.orNull),
        Schema.optional("code", .string.orNull), Schema.optional("measurements", .list(.string)),
        Schema.optional("location", Schema.choice(locations).orNull),
    ])
    /// What chooses anew whether the position goes to a study.
    public static let located = Schema.object([Schema.property("location", .choice(locations))])
    /// What chooses anew which measurements go to a study.
    public static let chosen = Schema.object([Schema.property("measurements", .list(.string))])
    /// What agrees to a consent text: the version is that of the text that was read.
    public static let agreed = Schema.object([
        Schema.property("consent_accepted", .boolean), Schema.property("consent_version", .integer),
    ])
    public static let schema = Schema.object([
        Schema.property("study_id", .id), Schema.property("codename", .string),
        Schema.property("state", .choice(states)), Schema.property("arm", .string.orNull),
        Schema.property("asked_at", .time.orNull), Schema.property("decided_at", .time.orNull),
        Schema.property("may_ask_again_at", .time.orNull), Schema.property("consent_version", .integer),
        Schema.property("consented_at", .time.orNull), Schema.property("newest_consent_version", .integer),
        Schema.property("measurements", .list(.string)), Schema.property("measurements_at", .time.orNull),
        Schema.property("measurements_version", .integer.orNull),
        Schema.property("location", Schema.choice(locations).orNull),
        Schema.property("location_at", .time.orNull),
        Schema.property("location_device", Schema.choice(["read", "refused"]).orNull),
    ])
    public static let example = Enrolment(
        studyID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "S482193", state: "enrolled", arm: nil)
}
