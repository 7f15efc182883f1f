/// A text given to a patient to read, to do or to think about. Words and ticks in it stay on the phone.
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

    /// All that a device may say of an intervention.
    public static let sent = Schema.object([
        Schema.optional("opened_at", .time.orNull), Schema.optional("completed_at", .time.orNull),
    ])
    public static let narrowed: [String: Schema] = ["kind": .choice(kinds)]
    public static let example = Intervention(
        kind: "task", text: "Achten Sie heute einmal auf den Weg zur Arbeit.", assignedAt: .example,
        openedAt: nil, completedAt: nil)
}

/// A text of the library.
public struct LibraryIntervention: Documented, Decodable {
    public static let type = "library_intervention"

    public var kind: String
    public var text: LocalizedText
    /// Visible to the whole clinic.
    public var shared: Bool
    /// Whether the caller may change it.
    public var editable: Bool
    /// How often the caller's own patients were given it, opened and completed it.
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

    public static let narrowed: [String: Schema] = ["kind": .choice(Intervention.kinds)]
    public static let example = LibraryIntervention(
        kind: "commendation", text: ["de": "Sie sind drangeblieben.", "en": "You kept at it."], shared: true,
        editable: true, createdAt: .example, changedAt: .example)
}

/// Ciphertext that only the patient's devices can read.
public struct Vault: Documented, Decodable {
    public static let type = "vault"
    /// Base64; nil when empty.
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
    public static let example = Vault(ciphertext: "AAECAwQ=", revision: 1)
}
