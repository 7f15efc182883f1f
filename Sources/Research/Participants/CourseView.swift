import Contributions
import Instruments
import Questionnaires
import Studies
import Web
import Wire
import Wording

/// The same on a participant's page.
package struct CourseView: Encodable, Sendable {
    package struct Score: Encodable, Sendable {
        package let title: String
        package let count: String
        /// `12 am 20.11.2026`.
        package let first: String
        package let last: String
        /// Nil for fewer than two values.
        package let drawn: Drawn?
    }

    package struct Drawn: Encodable, Sendable {
        package let course: String
        package let end: String
    }

    package struct Week: Encodable, Sendable {
        package let title: String
        package let begin: String
        package let answered: String
        /// A dash for none.
        package let unseen: String
    }

    package struct Intervention: Encodable, Sendable {
        package let given: String
        package let kind: String
        package let source: String
        package let state: String
        /// `good` for a completed one; nil for all others.
        package let tone: String?
        package let opened: String
        package let completed: String
    }

    package struct Session: Encodable, Sendable {
        /// `3. Sitzung`; a dash for one that was not held.
        package let number: String
        package let day: String
        package let state: String
        /// `warn` for a missed one; nil for all others.
        package let tone: String?
    }

    package struct Therapy: Encodable, Sendable {
        package let weeks: [Week]
        package let hasWeeks: Bool
        /// `12 gegeben, 9 geöffnet, 7 abgeschlossen`; nil without any.
        package let summary: String?
        /// The latest first.
        package let interventions: [Intervention]
        package let sessions: [Session]
        package let hasSessions: Bool
        /// Whether there are sessions whose days the consent text does not name.
        package let lacksDays: Bool
    }

    package let scores: [Score]
    package let hasScores: Bool
    /// Nil without consent to research.
    package let therapy: Therapy?

    private static let most = 30

    init(_ course: ToldCourse, _ c: Context<StudyLead>) {
        scores = course.scores.map { Self.score($0, c) }
        hasScores = !scores.isEmpty
        therapy = course.therapy.map { Self.view($0, c) }
    }

    private static func score(_ series: ToldCourse.Series, _ c: Context<StudyLead>) -> Score {
        let scale = series.scale.title.text(in: c.languages) ?? series.scale.key
        let title = "\(series.questionnaire.title(c.languages)) · \(scale)"
        let values = series.values.map(\.value)
        let drawn = Sparkline.drawn(values, in: series.scale.range)
        let words = { (value: (at: Instant, value: Double)?) -> String in
            value.map {
                c.texts["studies.score_on", ["n": c.texts.number($0.value), "day": c.dates.day($0.at)]]
            } ?? "–"
        }
        return Score(
            title: series.isOfTherapy ? c.texts["studies.score_of_therapy", ["title": title]] : title,
            count: String(values.count), first: words(series.values.first),
            last: values.count > 1 ? words(series.values.last) : "–",
            drawn: drawn.path.isEmpty ? nil : Drawn(course: drawn.path, end: drawn.end))
    }

    private static func view(_ told: ToldCourse.Therapy, _ c: Context<StudyLead>) -> Therapy {
        let all = told.interventions
        let counts = [
            "n": String(all.count), "opened": String(all.count { $0.openedAt != nil }),
            "completed": String(all.count { $0.completedAt != nil }),
        ]
        return Therapy(
            weeks: told.weeks.map { week($0, c) }, hasWeeks: !told.weeks.isEmpty,
            summary: all.isEmpty ? nil : c.texts["studies.interventions_line", counts],
            interventions: all.suffix(most).reversed().map { intervention($0, c) },
            sessions: told.sessions.map { session($0, c) }, hasSessions: !told.sessions.isEmpty,
            lacksDays: told.sessions.contains { $0.day == nil })
    }

    private static func week(_ week: ToldCourse.Week, _ c: Context<StudyLead>) -> Week {
        Week(
            title: c.texts["studies.week", ["n": String(week.number)]], begin: c.dates.day(week.begin),
            answered: c.texts.count("timeline.n_of", week.answered, of: week.planned - week.unseen),
            unseen: week.unseen == 0 ? "–" : String(week.unseen))
    }

    private static func intervention(
        _ one: ToldCourse.Intervention, _ c: Context<StudyLead>
    ) -> Intervention {
        let when = { (moment: Instant?) in moment.map { c.dates.dayAndTime($0) } ?? "–" }
        return Intervention(
            given: c.dates.dayAndTime(one.givenAt), kind: c.texts["interventions.kind_\(one.kind)"],
            source: c.texts["studies.given_\(one.source)"],
            state: c.texts["interventions.state_\(one.state)"],
            tone: one.state == "completed" ? "good" : nil, opened: when(one.openedAt),
            completed: when(one.completedAt))
    }

    private static func session(_ one: ToldCourse.Session, _ c: Context<StudyLead>) -> Session {
        Session(
            number: one.number.map { c.texts["timeline.session", ["n": String($0)]] } ?? "–",
            day: one.day.map { c.dates.day($0) } ?? "–", state: c.texts["sessions.state_\(one.state)"],
            tone: one.state == "missed" ? "warn" : nil)
    }
}
