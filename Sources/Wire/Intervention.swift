/// Something a patient was given to read, to do or to think about. What is written or ticked in it stays on the phone.
public struct Intervention: Documented, Decodable {
    public static let type = "intervention"
    public static let kinds = ["commendation", "task", "question"]
    public var kind: String
    public var text: String
    public var assignedAt: Instant
    public var openedAt: Instant?
    public var completedAt: Instant?

    public init(kind: String, text: String, assignedAt: Instant, openedAt: Instant?, completedAt: Instant?) {
        self.kind = kind
        self.text = text
        self.assignedAt = assignedAt
        self.openedAt = openedAt
        self.completedAt = completedAt
    }

    enum CodingKeys: String, CodingKey {
        case kind, text
        case assignedAt = "assigned_at"
        case openedAt = "opened_at"
        case completedAt = "completed_at"
    }

    /// All that a device may say of an intervention.
    public static let sent = Schema.object([
        Schema.optional("opened_at", .time.orNull), Schema.optional("completed_at", .time.orNull),
    ])
    public static let schema = Schema.object([
        Schema.property("kind", .choice(kinds)), Schema.property("text", .string),
        Schema.property("assigned_at", .time), Schema.property("opened_at", .time.orNull),
        Schema.property("completed_at", .time.orNull),
    ])
    public static let example = Intervention(
        kind: "task", text: "Achten Sie heute einmal auf den Weg zur Arbeit.",
        assignedAt: Instant(milliseconds: 1_795_000_000_000), openedAt: nil, completedAt: nil)
}

/// The same as staff see it: where it came from, and whether it was taken back.
public struct GivenIntervention: Documented, Decodable {
    public static let type = "intervention"
    public static let states = ["new", "opened", "completed", "withdrawn"]
    public var kind: String
    public var text: String
    public var state: String
    public var assignedAt: Instant
    public var openedAt: Instant?
    public var completedAt: Instant?
    public var withdrawnAt: Instant?
    /// The text of the library it was taken from.
    public var interventionID: String?

    public init(
        kind: String, text: String, state: String, assignedAt: Instant, openedAt: Instant?,
        completedAt: Instant?, withdrawnAt: Instant?, interventionID: String?
    ) {
        self.kind = kind
        self.text = text
        self.state = state
        self.assignedAt = assignedAt
        self.openedAt = openedAt
        self.completedAt = completedAt
        self.withdrawnAt = withdrawnAt
        self.interventionID = interventionID
    }

    enum CodingKeys: String, CodingKey {
        case kind, text, state
        case assignedAt = "assigned_at"
        case openedAt = "opened_at"
        case completedAt = "completed_at"
        case withdrawnAt = "withdrawn_at"
        case interventionID = "intervention_id"
    }

    public static let schema = Schema.object([
        Schema.property("kind", .choice(Intervention.kinds)), Schema.property("text", .string),
        Schema.property("state", .choice(states)), Schema.property("assigned_at", .time),
        Schema.property("opened_at", .time.orNull), Schema.property("completed_at", .time.orNull),
        Schema.property("withdrawn_at", .time.orNull), Schema.property("intervention_id", .id.orNull),
    ])
    public static let example = GivenIntervention(
        kind: "question", text: "Wann fiel es Ihnen leicht?", state: "new",
        assignedAt: Instant(milliseconds: 1_795_000_000_000), openedAt: nil, completedAt: nil,
        withdrawnAt: nil, interventionID: nil)
}

/// A text of the library.
public struct LibraryIntervention: Documented, Decodable {
    public static let type = "library_intervention"

    public var kind: String
    public var text: LocalizedText
    /// Seen by the whole clinic.
    public var shared: Bool
    /// Whether the caller may change it.
    public var editable: Bool
    /// How often the caller's own patients were given it, and what became of it.
    public var uses: Int
    public var opened: Int
    public var completed: Int
    public var createdAt: Instant
    public var changedAt: Instant

    public init(
        kind: String, text: LocalizedText, shared: Bool, editable: Bool, createdAt: Instant,
        changedAt: Instant
    ) {
        self.kind = kind
        self.text = text
        self.shared = shared
        self.editable = editable
        uses = 0
        opened = 0
        completed = 0
        self.createdAt = createdAt
        self.changedAt = changedAt
    }

    enum CodingKeys: String, CodingKey {
        case kind, text, shared, editable, uses, opened, completed
        case createdAt = "created_at"
        case changedAt = "changed_at"
    }

    public static let schema = Schema.object([
        Schema.property("kind", .choice(Intervention.kinds)), Schema.property("text", LocalizedText.schema),
        Schema.property("shared", .boolean), Schema.property("editable", .boolean),
        Schema.property("uses", .integer), Schema.property("opened", .integer),
        Schema.property("completed", .integer), Schema.property("created_at", .time),
        Schema.property("changed_at", .time),
    ])
    public static let example = LibraryIntervention(
        kind: "commendation", text: ["de": "Sie sind drangeblieben.", "en": "You kept at it."], shared: true,
        editable: true, createdAt: Instant(milliseconds: 1_795_000_000_000),
        changedAt: Instant(milliseconds: 1_795_000_000_000))
}

/// Ciphertext that only the patient's devices can read.
public struct Vault: Documented, Decodable {
    public static let type = "vault"
    /// Base64; nil while there is nothing in it.
    public var ciphertext: String?
    /// Counts up with every change; 0 before the first.
    public var revision: Int

    public init(ciphertext: String?, revision: Int) {
        self.ciphertext = ciphertext
        self.revision = revision
    }

    public static let sent = Schema.object([
        Schema.property("ciphertext", .string), Schema.optional("revision", .integer),
    ])
    public static let schema = Schema.object([
        Schema.property("ciphertext", .string.orNull), Schema.property("revision", .integer),
    ])
    public static let example = Vault(ciphertext: "AAECAwQ=", revision: 1)
}
