public import Wire

/// Chooses the notifications a phone hands to its system, which takes a limited number.
public enum NextNotifications {
    /// The limit of iOS.
    public static let most = 64

    /// The next ones of the kinds that are switched on, in order of time; at the same moment appointments come first,
    /// because they cannot be made up for.
    /// - Parameter answered: the assignments answered on this device, sent or not: their later calls are withdrawn.
    public static func chosen(
        from all: [Notification], settings: NotificationSettings, answered: Set<String> = [],
        after now: Instant
    ) -> [Notification] {
        let wanted = all.filter { notification in
            guard notification.firesAt > now else { return false }
            if let asked = notification.assignmentID, answered.contains(asked) { return false }
            switch notification.kind {
            case "questionnaire": return settings.questionnaires
            case "intervention": return settings.interventions
            case "appointment": return settings.appointments
            default: return false
            }
        }
        let ordered = wanted.sorted {
            ($0.firesAt, rank($0), $0.subjectID) < ($1.firesAt, rank($1), $1.subjectID)
        }
        return Notification.fitting(ordered, most: most) { $0 }
    }

    private static func rank(_ notification: Notification) -> Int {
        ["appointment", "questionnaire", "intervention"].firstIndex(of: notification.kind) ?? 3
    }
}
