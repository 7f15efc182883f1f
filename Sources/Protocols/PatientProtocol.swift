import Wire

/// The part of a patient's plan that comes from protocols: the one their therapist has chosen, and those of studies.
struct PatientProtocol: Documented, Decodable {
    static let type = "patient_protocol"

    /// A protocol of a study that the patient takes part in.
    struct OfStudy: Codable, Sendable, Equatable {
        var protocolID: String
        /// Both null for a study that the therapist has not offered: which one it is is the patient's private matter.
        var name: String?
        var studyID: String?
    }

    /// An intervention that is sent on a day of the therapy.
    struct Planned: Codable, Sendable, Equatable, Narrowed {
        static let states = ["waiting", "sent", "passed", "withdrawn"]
        var id: String
        /// Null for one that has become the patient's own.
        var protocolID: String?
        var interventionID: String
        var day: Int
        /// Null until the therapy has begun.
        var dueOn: LocalDate?
        var state: String
        var sentAt: Instant?

        static let narrowed: [String: Schema] = ["state": .choice(Planned.states)]
    }

    /// Null without a choice of the therapist.
    var protocolID: String?
    var name: String?
    var putAt: Instant?
    /// Whether its newest definition is in force; false when the therapy has kept a former one.
    var follows: Bool?
    var studies: [OfStudy] = []
    var interventions: [Planned] = []

    /// What a client may send.
    static let sent = Schema.object([
        Schema.property("protocol_id", .id.orNull), Schema.property("follow", .boolean),
    ])
    static let example: PatientProtocol = {
        var example = PatientProtocol()
        example.protocolID = "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11"
        example.name = "Standard"
        example.putAt = Instant(milliseconds: 1_794_000_000_000)
        example.follows = true
        return example
    }()
}
