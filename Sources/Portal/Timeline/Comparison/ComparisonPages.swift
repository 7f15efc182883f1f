import Database
import HTTP
import Templates
import Wire

/// Two intervals between sessions side by side.
enum ComparisonPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/comparison", .caseload, show)
    }

    struct Show: Page {
        static let template = "timeline/comparison"
        static let section: Section? = .patients
        struct Row: Encodable, Sendable {
            let label: String
            let first: String
            let second: String
            /// The second less the first; nil where that makes no sense.
            let difference: String?
        }
        let head: PatientHead
        let fields: [FieldView]
        let first: String
        let second: String
        let rows: [Row]

        static let example = Show(
            head: .example, fields: [FieldView(name: "first", label: "Erstes Intervall", isSelect: true)],
            first: "Zwischen Sitzung 10 und 11", second: "Seit Sitzung 11",
            rows: [Row(label: "Stimmung (n)", first: "3,6 (11)", second: "3,8 (6)", difference: "+0,2")])
    }

    /// The stretch from one held session to the next; the first lies before all of them, the last is not over.
    struct Stretch: Sendable {
        let begin: SessionList.Numbered?
        let end: SessionList.Numbered?

        var from: Instant { begin?.session.startsAt ?? .distantPast }
        func until(_ now: Instant) -> Instant { end?.session.startsAt ?? now.adding(seconds: 301) }

        static func all(_ sessions: SessionList) -> [Stretch] {
            let held = sessions.held
            return (0...held.count).map { index in
                Stretch(
                    begin: index > 0 ? held[index - 1] : nil, end: index < held.count ? held[index] : nil)
            }
        }
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let page = try c.read { connection -> Show in
            let sessions = try SessionStore.list(of: c.proof.patient, c.dates.zone, now: c.now, connection)
            let stretches = Stretch.all(sessions)
            let chosen = { (name: String, otherwise: Int) -> Int in
                let asked = c.request.query[name].flatMap { Int($0) } ?? otherwise
                return stretches.indices.contains(asked) ? asked : max(0, otherwise)
            }
            let (first, second) = (
                chosen("first", stretches.count - 2), chosen("second", stretches.count - 1)
            )
            let series = try LeadScales.all(
                of: c.proof.patient, c.services.questionnaires, connection)
            let facts = try [first, second].map { index in
                try IntervalFacts(stretches[index], series, c, connection)
            }
            return Show(
                head: PatientHead.make(c, tab: .timeline, sessions),
                fields: [("first", first), ("second", second)].map { field($0, $1, stretches, c) },
                first: name(stretches[first], c.texts), second: name(stretches[second], c.texts),
                rows: rows(facts[0], facts[1], c.texts))
        }
        return .page(page)
    }

    private static func field(
        _ name: String, _ chosen: Int, _ stretches: [Stretch], _ c: Context<Caseload>
    ) -> FieldView {
        var field = FieldView(name: name, label: c.texts["comparison.\(name)"])
        field.isSelect = true
        field.choices = stretches.indices.reversed().map { index in
            let day = stretches[index].begin.map { " · " + c.dates.day($0.session.startsAt) } ?? ""
            return FieldView.Choice(
                value: String(index), label: self.name(stretches[index], c.texts) + day,
                isChosen: index == chosen)
        }
        return field
    }

    private static func name(_ stretch: Stretch, _ texts: Texts) -> String {
        TimelinePages.heading(stretch.begin, stretch.end, texts)
    }

    private static func rows(
        _ first: IntervalFacts, _ second: IntervalFacts, _ texts: Texts
    ) -> [Show.Row] {
        let words = ScoreWords(texts: texts)
        let ratio = { (n: Int, of: Int) in texts.count("timeline.n_of", n, of: of) }
        let difference = { (from: Double?, to: Double?) -> String? in
            guard let from, let to else { return nil }
            return words.signed(to - from)
        }
        var rows = [
            Show.Row(
                label: texts["timeline.prompts"], first: ratio(first.answered, first.delivered),
                second: ratio(second.answered, second.delivered), difference: nil),
            Show.Row(
                label: texts["timeline.thoughts"], first: ratio(first.thoughts, first.answers),
                second: ratio(second.thoughts, second.answers), difference: nil),
            Show.Row(
                label: texts["briefing.mood"], first: texts.mean(first.mood), second: texts.mean(second.mood),
                difference: difference(first.mood?.mean, second.mood?.mean)),
            Show.Row(
                label: texts["briefing.interventions"], first: ratio(first.completed, first.given),
                second: ratio(second.completed, second.given), difference: nil),
        ]
        for (before, after) in zip(first.scales, second.scales)
        where before.value != nil || after.value != nil {
            let text = { (value: Double?) in value.map { texts.number($0) } ?? "–" }
            rows.append(
                Show.Row(
                    label: before.name, first: text(before.value), second: text(after.value),
                    difference: difference(before.value, after.value)))
        }
        return rows
    }
}

/// What an interval comes to.
struct IntervalFacts: Sendable {
    let delivered: Int
    let answered: Int
    /// Answers that count, and those with a thought of the therapy.
    let answers: Int
    let thoughts: Int
    let mood: (mean: Double, n: Int)?
    let given: Int
    let completed: Int
    /// The newest value of each lead scale in it.
    let scales: [(name: String, value: Double?)]

    init(
        _ stretch: ComparisonPages.Stretch, _ series: [ScaleSeries], _ c: Context<Caseload>,
        _ connection: borrowing Connection
    ) throws {
        let (therapy, from, until) = (c.proof.patient.id, stretch.from, stretch.until(c.now))
        let slots = try DailyStore.slots(in: therapy, from: from, until: min(until, c.now), connection)
        delivered = slots.count(where: \.isDelivered)
        answered = slots.count { $0.isDelivered && $0.isAnswered }
        let dailies = try ContributionStore.dailies(
            inTherapy: therapy, from: from, until: until, connection
        ).map { DailySeries.Answer(at: $0.at, thought: $0.thought > 0, feeling: $0.feeling) }
        (answers, thoughts) = (dailies.count, dailies.count(where: \.thought))
        mood = DailySeries.feeling(dailies)
        let interventions = try InterventionStore.all(in: therapy, withWithdrawn: false, connection).filter {
            $0.assignedAt >= from && $0.assignedAt < until
        }
        (given, completed) = (interventions.count, interventions.count { $0.completedAt != nil })
        scales = series.map { series in
            let value = series.points.last { $0.at >= from && $0.at < until }?.score.value
            return (series.name(c.language), value)
        }
    }
}
