import Wire

/// Somebody who plays a patient in the demonstration clinic.
struct DemonstrationPatient: Sendable {
    enum Course: Sendable {
        case codeOpen, codeExpired
        /// Weeks of therapy so far; how the scores go; how many of the prompts are answered.
        case running(weeks: Int, trend: Double, diligence: Double)
        case ended(weeks: Int, trend: Double, diligence: Double)
    }

    let codename: String
    /// As their therapist calls them (PR-6).
    var alias: String?
    var gender = Gender.female
    let note: String?
    /// Index into the clinic's staff: 0 Ada, 1 Ben.
    let therapist: Int
    let email: String?
    let course: Course
    /// The weekly session lies so many days after today's weekday, so that there is one today on any date; and its hour.
    var daysAhead = 0
    var hour = 9
    /// A holiday, from so many days ago to so many.
    var pause: ClosedRange<Int>?
    /// For so many days nothing was answered.
    var quietDays = 0
    /// The strain of a week, from the first to the last one; nil for who is not asked.
    var strain: (first: Double, last: Double)?
    /// The newest sheet on strain has an answer that has to be seen (PR-11).
    var isWeary = false
    /// Asked about tinnitus every other day (TYT-1), and about the therapy for a year only.
    var hasTinnitus = false
    /// Exercises are opened within ten days, and nearly all are completed.
    var keepsUp = false
    /// The therapist has looked at the file since the last answers came in.
    var isRead = false
    /// What the therapist wrote about the last sessions.
    var words: [Words] = []
    /// What is open for the next one, a line each.
    var agenda: String?

    /// What was kept of a session.
    struct Words: Sendable {
        let note: String
        let done: [String]
    }
}
