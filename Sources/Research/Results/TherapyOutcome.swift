import Database
import Records
import Studies
import Wire

/// What an outcome of the therapy is computed from (ST-4): sheets of one questionnaire that participants completed in their therapy while
/// they took part, on the days of a time point. Of participants without consent to research there is nothing, and never a text.
struct TherapyOutcome: Sendable {
    private let outcome: TrialDesign.Outcome
    private let point: TimePoint
    private let study: ID<Study>
    private let people: [EnrolmentRecord]
    private let days: TimePointDays

    /// Nil for one that the study asks, and where there is no such time point.
    init?(
        _ outcome: TrialDesign.Outcome, in study: StudyRecord, of people: [EnrolmentRecord],
        _ connection: borrowing Connection
    ) throws {
        guard outcome.source == .therapy, let point = outcome.timePoint.flatMap({ study.timePoints[$0] })
        else { return nil }
        self.outcome = outcome
        self.point = point
        self.study = study.id
        self.people = people
        days = try TimePointDays(point, of: people, in: study.id, connection)
    }

    /// The value of each participant that has one.
    func values(_ connection: borrowing Connection) throws -> [ID<Enrolment>: Double] {
        let all = try TherapyValueStore.all(
            of: outcome.scale, on: outcome.key, in: study, connection)
        let held = all.filter { days.hold($0.at, of: $0.enrolment) }
        let value = TrialDesign.value(of: outcome, at: point)
        return Dictionary(grouping: held, by: \.enrolment).compactMapValues { value.of($0.map(\.value)) }
    }

    /// The participants to whom it does not apply: those without consent to research, without a therapy, and without the date of it
    /// from which the days are counted. Of the last two leads learn nothing else here.
    func excluded(_ connection: borrowing Connection) throws -> Set<ID<Enrolment>> {
        let told = try ParticipationStore.withTherapy(in: study, connection)
        let needsDate = point.window.anchor.isOfTherapy
        return Set(
            people.map(\.id).filter { !told.contains($0) || (needsDate && !days.areKnown(of: $0)) })
    }
}
