import JSON

/// For every list of a patient the tag that its own `GET` would answer now: what has another tag than before has changed.
/// Null where the list needs a therapy and there is none.
public struct Changes: Documented, Decodable, Equatable {
    public static let type = "changes"

    public var assignments: String?
    public var contributions: String?
    public var dailies: String?
    public var interventions: String?
    public var appointments: String?
    public var notifications: String?
    public var notedSessions: String?
    public var studies: String?
    public var questionnaires: String?
    public var profile: String?
    public var therapist: String?
    public var notices: String?
    public var vault: String?
    public var privacy: String?
    public var notificationSettings: String?
    public var sensorSettings: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case assignments, contributions, dailies, interventions, appointments, notifications, studies
        case questionnaires, profile, therapist, notices, vault, privacy
        case notedSessions, notificationSettings, sensorSettings
    }

    /// What is told, by the names of the members.
    public static let names = CodingKeys.allCases.map { SnakeCase.name($0.rawValue) }

    /// The address of a list, below `/api/v1`.
    public static func path(of name: String) -> String { "/my/" + name.replacing("_", with: "-") }

    /// - Parameter tags: by the names of the members; without an entry null.
    public init(_ tags: [String: String]) {
        let tag = { (key: CodingKeys) in tags[SnakeCase.name(key.rawValue)] }
        assignments = tag(.assignments)
        contributions = tag(.contributions)
        dailies = tag(.dailies)
        interventions = tag(.interventions)
        appointments = tag(.appointments)
        notifications = tag(.notifications)
        notedSessions = tag(.notedSessions)
        studies = tag(.studies)
        questionnaires = tag(.questionnaires)
        profile = tag(.profile)
        therapist = tag(.therapist)
        notices = tag(.notices)
        vault = tag(.vault)
        privacy = tag(.privacy)
        notificationSettings = tag(.notificationSettings)
        sensorSettings = tag(.sensorSettings)
    }

    public static let example = Changes(
        Dictionary(uniqueKeysWithValues: names.map { ($0, "\"u0Lq3m5Zk1c\"") }))
}
