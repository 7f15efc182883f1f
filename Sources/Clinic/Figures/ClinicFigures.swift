import Wire

/// Safety counts over the running therapies of one therapist, without patients (PR-33).
struct ClinicFigures: Documented, Decodable {
    static let type = "clinic_figures"

    var therapist: String
    var running: Int
    /// Answers that have to be seen and were not for longer than a day.
    var unseen: Int
    /// The first day of an absence on which a running therapy has no cover; null without one.
    var uncoveredFrom: LocalDate?
    /// Therapies without a session for four weeks.
    var withoutSession: Int

    static let example = ClinicFigures(
        therapist: "Dr. Ada Lindner", running: 14, unseen: 1,
        uncoveredFrom: LocalDate(daysSince1970: 20_817), withoutSession: 2)
}

/// Figures about outcome and answers, for the whole house only (PR-33).
struct ClinicHouse: Documented, Decodable {
    static let type = "clinic_house"

    /// How many of how many.
    struct Share: Codable, Sendable, Equatable {
        var answered: Int
        var of: Int
    }
    struct Figures: Codable, Sendable, Equatable {
        /// Silent for a week.
        var silent: Int
        /// With a lead scale that is reliably worse than at the begin of the therapy.
        var worsened: Int
        /// Daily prompts of the last 28 days.
        var dailies: Share
        /// Other assignments due in the last 28 days.
        var assignments: Share
    }

    var running: Int
    /// Null below five running therapies.
    var figures: Figures?

    static let example = ClinicHouse(
        running: 14,
        figures: Figures(
            silent: 2, worsened: 1, dailies: Share(answered: 720, of: 1014),
            assignments: Share(answered: 44, of: 50)))
}
