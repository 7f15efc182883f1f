import Wire

/// An invented patient of the demonstration clinic.
struct DemonstrationPatient: Sendable {
    enum Course: Sendable {
        case codeOpen, codeExpired
        /// Weeks of therapy so far; the trend of the scores; the share of answered prompts.
        case running(weeks: Int, trend: Double, diligence: Double)
        case ended(weeks: Int, trend: Double, diligence: Double)
    }

    let codename: String
    /// The therapist's name for them (PR-6).
    var alias: String?
    var gender = Gender.female
    let note: String?
    /// Index into the clinic's staff: 0 Ada, 1 Ben.
    let therapist: Int
    let email: String?
    let course: Course
    /// The weekly session is so many days after today's weekday, so that there is one today on any date; and its hour.
    var daysAhead = 0
    var hour = 9
    /// A holiday, from so many days ago to so many.
    var pause: ClosedRange<Int>?
    /// The number of recent days without answers.
    var quietDays = 0
    /// The strain of a week, from the first to the last one; nil for patients who are not asked.
    var strain: (first: Double, last: Double)?
    /// The newest sheet on strain has an answer that must be seen (PR-11).
    var isWeary = false
    /// Asked about tinnitus every other day (TYT-1), and about the therapy for a year only.
    var hasTinnitus = false
    /// Exercises are opened within ten days, and nearly all are completed.
    var keepsUp = false
    /// The therapist has looked at the file since the last answers came in.
    var isRead = false
    /// The therapist's notes on the last sessions.
    var words: [Words] = []
    /// The agenda for the next one, a line each.
    var agenda: String?

    /// The notes on a session.
    struct Words: Sendable {
        let note: String
        let done: [String]
    }
}
