import Wire

/// A participant's consent to a version of the study's text.
struct ParticipantConsent: Documented, Decodable {
    static let type = "participant_consent"
    var codename: String
    var version: Int
    var agreedAt: Instant
    /// `browser`, `app`, `paper`; nil for older consents.
    var way: String?
    /// Whether the agreement named the version, as the one that was shown; nil for older consents.
    var versionTold: Bool?
    /// What was agreed to one by one under this text, as in `OwnConsent`.
    var items: ConsentItems?

    static let narrowed: [String: Schema] = ["way": .choice(OwnConsent.ways).orNull]
    static let example = ParticipantConsent(
        codename: "S482193", version: 2, agreedAt: .example, way: "app", versionTold: true, items: .example)
}
