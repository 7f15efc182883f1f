/// What of a patient's plan comes from protocols: the one their therapist has chosen, and those of studies.
public struct PatientProtocol: Documented, Decodable {
    public static let type = "patient_protocol"

    /// A protocol of a study that the patient takes part in.
    public struct OfStudy: Codable, Sendable, Equatable {
        public var protocolID: String
        /// Both null for a study that the therapist has not offered: which one it is is the patient's own affair.
        public var name: String?
        public var studyID: String?

        public init(protocolID: String, name: String?, studyID: String?) {
            self.protocolID = protocolID
            self.name = name
            self.studyID = studyID
        }

        enum CodingKeys: String, CodingKey {
            case name
            case protocolID = "protocol_id"
            case studyID = "study_id"
        }
    }

    /// An intervention that is sent on a day of the therapy.
    public struct Planned: Codable, Sendable, Equatable {
        public static let states = ["waiting", "sent", "passed", "withdrawn"]
        public var id: String
        /// Null for one that is the patient's own by now.
        public var protocolID: String?
        public var interventionID: String
        public var day: Int
        /// Null until the therapy has begun.
        public var dueOn: LocalDate?
        public var state: String
        public var sentAt: Instant?

        public init(id: String, interventionID: String, day: Int, state: String) {
            self.id = id
            self.interventionID = interventionID
            self.day = day
            self.state = state
        }

        enum CodingKeys: String, CodingKey {
            case id, day, state
            case protocolID = "protocol_id"
            case interventionID = "intervention_id"
            case dueOn = "due_on"
            case sentAt = "sent_at"
        }
    }

    /// Null where the therapist has chosen none.
    public var protocolID: String?
    public var name: String?
    public var putAt: Instant?
    /// Whether it is in force as it is defined now; false where the therapy has kept what it had.
    public var follows: Bool?
    public var studies: [OfStudy] = []
    public var interventions: [Planned] = []

    public init() {}

    enum CodingKeys: String, CodingKey {
        case name, follows, studies, interventions
        case protocolID = "protocol_id"
        case putAt = "put_at"
    }

    /// What a client may send.
    public static let sent = Schema.object([
        Schema.property("protocol_id", .id.orNull), Schema.property("follow", .boolean),
    ])
    public static let schema = Schema.object([
        Schema.property("protocol_id", .id.orNull), Schema.property("name", .string.orNull),
        Schema.property("put_at", .time.orNull), Schema.property("follows", .boolean.orNull),
        Schema.property(
            "studies",
            .list(
                .object([
                    Schema.property("protocol_id", .id), Schema.property("name", .string.orNull),
                    Schema.property("study_id", .id.orNull),
                ]))),
        Schema.property(
            "interventions",
            .list(
                .object([
                    Schema.property("id", .id), Schema.property("protocol_id", .id.orNull),
                    Schema.property("intervention_id", .id), Schema.property("day", .integer),
                    Schema.property("due_on", .date.orNull),
                    Schema.property("state", .choice(Planned.states)),
                    Schema.property("sent_at", .time.orNull),
                ]))),
    ])
    public static let example: PatientProtocol = {
        var example = PatientProtocol()
        example.protocolID = "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11"
        example.name = "Standard"
        example.putAt = Instant(milliseconds: 1_794_000_000_000)
        example.follows = true
        return example
    }()
}
