/// What waits for a patient, at a glance.
public struct Overview: Documented, Decodable {
    public static let type = "overview"
    public var paired: Bool
    /// That can be answered now.
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

    enum CodingKeys: String, CodingKey {
        case paired
        case openQuestionnaires = "open_questionnaires"
        case newInterventions = "new_interventions"
        case appointmentsDue = "appointments_due"
        case nextAppointment = "next_appointment"
        case therapistName = "therapist_name"
    }

    public static let schema = Schema.object([
        Schema.property("paired", .boolean), Schema.property("open_questionnaires", .integer),
        Schema.property("new_interventions", .integer), Schema.property("appointments_due", .integer),
        Schema.property("next_appointment", .time.orNull), Schema.property("therapist_name", .string.orNull),
    ])
    public static let example = Overview(
        paired: true, openQuestionnaires: 1, newInterventions: 0, appointmentsDue: 1,
        nextAppointment: Instant(milliseconds: 1_795_086_000_000), therapistName: "Dr. Ada Lindner")
}
