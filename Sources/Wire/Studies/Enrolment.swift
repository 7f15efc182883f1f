/// An account's participation in a study, or request for it.
public struct Enrolment: Documented, Decodable {
    public static let type = "enrolment"
    public static let states = ["pending", "enrolled", "declined", "left"]
    public var studyID: String
    public var codename: String
    public var state: String
    public var arm: String?
    public static let allocationStates = ["waiting", "allocated", "none"]
    /// `waiting`: not allocated to a group yet; the study asks its baseline only. Nil where it is not told.
    public var allocationState: String?
    public var askedAt: Instant?
    /// When a lead accepted or declined; nil when no approval was needed.
    public var decidedAt: Instant?
    /// From when on a declined participant may ask again; nil when that is impossible or unnecessary.
    public var mayAskAgainAt: Instant?
    /// The version of the consent text agreed to, and when.
    public var consentVersion = 1
    public var consentedAt: Instant?
    /// The study's present version. Another one waits to be read and agreed to.
    public var newestConsentVersion = 1
    /// Kinds of own measurements that go to the study; some of those it asks for (`Study.measurements`).
    public var measurements: [String] = []
    /// When they were chosen; nil for an older choice.
    public var measurementsAt: Instant?
    /// The sentence agreed to with them: the first bound them to the consent to research, from the second on the
    /// choice itself is the yes. Nil without a choice.
    public var measurementsVersion: Int?
    public static let locations = ["allowed", "refused"]
    /// Whether the study gets the position with its questionnaires, and when that was chosen; nil without a question.
    public var location: String?
    public var locationAt: Instant?
    /// The device's last statement: `read`, `refused`; nil before the first.
    public var locationDevice: String?
    /// The number that proves having left; nil before, and for those who left before there were receipts.
    public var receipt: String?

    public init(studyID: String, codename: String, state: String, arm: String?) {
        self.studyID = studyID
        self.codename = codename
        self.state = state
        self.arm = arm
    }

    public static let sent = Schema.object([
        Schema.property("consent_accepted", .boolean), Schema.optional("password", .string.orNull),
        Schema.optional("code", .string.orNull), Schema.optional("measurements", .list(.string)),
        Schema.optional("location", Schema.choice(locations).orNull),
        Schema.optional("consent_version", .integer.orNull),
    ])
    /// Changes whether the position goes to a study.
    public static let located = Schema.object([Schema.property("location", .choice(locations))])
    /// Changes which measurements go to a study.
    public static let chosen = Schema.object([Schema.property("measurements", .list(.string))])
    /// Agrees to a consent text: the version is that of the text that was read.
    public static let agreed = Schema.object([
        Schema.property("consent_accepted", .boolean), Schema.property("consent_version", .integer),
    ])
    /// What becomes of the answers when a participation ends.
    public static let dataChoices = ["keep", "remove"]
    /// Refuses a newer consent text: the version is that of the text that was read.
    public static let refused = Schema.object([
        Schema.property("consent_version", .integer), Schema.property("data", .choice(dataChoices)),
    ])
    public static let narrowed: [String: Schema] = [
        "state": .choice(states), "allocationState": .choice(allocationStates).orNull,
        "location": .choice(locations).orNull,
        "locationDevice": .choice(["read", "refused"]).orNull,
    ]
    public static let example = Enrolment(
        studyID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "S482193", state: "enrolled", arm: nil)
}
