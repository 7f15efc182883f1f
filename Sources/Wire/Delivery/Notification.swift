/// A notification of a device, and its time.
public struct Notification: Documented, Decodable {
    public static let type = "notification"
    public static let kinds = ["questionnaire", "intervention", "appointment"]
    public var kind: String
    public var subjectID: String
    public var firesAt: Instant
    public var title: String
    /// Of a study's prompt: the assignment that it is about. Once a device has answered it, what it still says of it is over.
    public var assignmentID: String?
    /// 2 or 3 where a prompt is called again; nil for the first call.
    public var call: Int?

    public init(kind: String, subjectID: String, firesAt: Instant, title: String) {
        self.kind = kind
        self.subjectID = subjectID
        self.firesAt = firesAt
        self.title = title
    }

    public static let narrowed: [String: Schema] = ["kind": .choice(kinds)]
    public static let example = Notification(
        kind: "appointment", subjectID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a14", firesAt: .example,
        title: "Sitzung")
}

/// The kinds of which devices notify.
public struct NotificationSettings: Documented, Decodable {
    public static let type = "notification_settings"
    public var questionnaires: Bool
    public var interventions: Bool
    public var appointments: Bool

    public init(questionnaires: Bool, interventions: Bool, appointments: Bool) {
        self.questionnaires = questionnaires
        self.interventions = interventions
        self.appointments = appointments
    }

    public static let example = NotificationSettings(
        questionnaires: true, interventions: true, appointments: false)
}

extension Notification {
    /// As many as a device takes of what is in order of time: what is told for the first time before what is only called again.
    public static func fitting<Told>(
        _ all: [Told], most: Int, _ notification: (Told) -> Notification
    ) -> [Told] {
        if all.count <= most { return all }
        var firsts = most
        var again = max(0, most - all.count { notification($0).call == nil })
        return all.filter { one in
            let isFirst = notification(one).call == nil
            if isFirst { firsts -= 1 } else { again -= 1 }
            return (isFirst ? firsts : again) >= 0
        }
    }
}
