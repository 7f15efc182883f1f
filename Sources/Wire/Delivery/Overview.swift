/// A patient's waiting items at a glance.
public struct Overview: Documented, Decodable {
    public static let type = "overview"
    public var paired: Bool
    /// Those that can be answered now.
    public var openQuestionnaires: Int
    public var newInterventions: Int
    /// Still to come.
    public var appointmentsDue: Int
    public var nextAppointment: Instant?
    public var therapistName: String?

    public init(
        paired: Bool, openQuestionnaires: Int, newInterventions: Int, appointmentsDue: Int,
        nextAppointment: Instant?, therapistName: String?
    ) {
        self.paired = paired
        self.openQuestionnaires = openQuestionnaires
        self.newInterventions = newInterventions
        self.appointmentsDue = appointmentsDue
        self.nextAppointment = nextAppointment
        self.therapistName = therapistName
    }

    public static let example = Overview(
        paired: true, openQuestionnaires: 1, newInterventions: 0, appointmentsDue: 1,
        nextAppointment: Instant(milliseconds: 1_795_086_000_000), therapistName: "Dr. Ada Lindner")
}
