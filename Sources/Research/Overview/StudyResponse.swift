import Database
import Psychometrics
import Records
import Scheduling
import Studies
import Wire
import Wording

/// How the participants of a study have answered in the last seven days in which it ran: by a few statements, however
/// many participants there are.
struct StudyResponse: Sendable {
    struct Person: Sendable {
        let enrolment: EnrolmentRecord
        let prompted: Int
        let answered: Int
        /// Since when a required baseline waits for its answer; nil for none.
        let baselineSince: Instant?
        /// Days since enrolling.
        let day: Int
    }

    static let days: Int64 = 7

    /// All whose data may be disclosed, by codename.
    let people: [Person]
    let prompted: Int
    let answered: Int

    /// - Parameter enrolments: those whose data may be disclosed.
    init(
        _ study: StudyRecord, of enrolments: [EnrolmentRecord], at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let prompts = try StudyPrompts(study, connection)
        let end = prompts.runs.hold(now) ? now : prompts.runs.end(before: now) ?? now
        let since = end.adding(days: -Self.days)
        let all = try StudyWide(prompts, enrolments, since: since, connection)
        people = all.people.map { person in
            let own = Compliance.counts(person, since: since, now: now)
            let enrolment = person.prompts.enrolment
            let awaits = prompts.items.contains { $0.deactivatedAt == nil && person.prompts.isAwaited($0) }
            let today = LocalTime(end, enrolment.zone).date.daysSince1970
            return Person(
                enrolment: enrolment, prompted: own.prompted, answered: own.answered,
                baselineSince: awaits && !enrolment.isOnPaper ? enrolment.enrolledAt : nil,
                day: enrolment.day.map { Int(today - $0.daysSince1970) } ?? 0)
        }
        prompted = people.reduce(0) { $0 + $1.prompted }
        answered = people.reduce(0) { $0 + $1.answered }
    }

    /// `78 % (124 von 159)`; a dash where nothing was asked.
    static func words(_ answered: Int, of prompted: Int, _ texts: Texts) -> String {
        if prompted == 0 { return "–" }
        return texts[
            "studies.share",
            [
                "share": String(Share.percent(answered, of: prompted)), "n": String(answered),
                "of": String(prompted),
            ]]
    }

    /// `78 % (124 von 159)` of the whole study.
    func words(_ texts: Texts) -> String { Self.words(answered, of: prompted, texts) }
}
