import Contributions
import Database
import Delivery
import Instruments
import Psychometrics
import Questionnaires
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Reads the first page of the file (PR-39), and the daily prompts by weeks.
struct TherapyFileOverviewReader {
    let services: Services
    let texts: Texts
    let dates: DateFormat
    let now: Instant

    func overview(
        _ therapy: Therapy, of file: TherapyFile, _ sessions: SessionList, _ connection: borrowing Connection
    ) throws -> TherapyFile.Overview {
        let held = sessions.held
        let day = { (entry: SessionList.Numbered) in LocalTime(entry.session.startsAt, dates.zone).date }
        return TherapyFile.Overview(
            sessions: .init(
                held: held.count, missed: sessions.all.count { $0.state == .missed },
                cancelled: sessions.all.count { $0.state == .cancelled }, firstHeldOn: held.first.map(day),
                lastHeldOn: held.last.map(day), nextAt: sessions.next(after: now)?.session.startsAt),
            scales: try CourseReader(services: services, texts: texts, zone: dates.zone).all(
                of: therapy, sessions, connection),
            open: try open(therapy, file, connection))
    }

    /// After the end of a therapy, only what was not seen is open.
    private func open(
        _ therapy: Therapy, _ file: TherapyFile, _ connection: borrowing Connection
    ) throws -> [TherapyFile.Overview.Open] {
        typealias Open = TherapyFile.Overview.Open
        let title = { (id: ID<QuestionnaireVersion>, connection: borrowing Connection) in
            try QuestionnaireStore.find(id, services.questionnaires, connection)?.title(texts.language) ?? ""
        }
        let unseen = try ContributionStore.unseen(inTherapy: therapy.id, connection).map {
            Open(
                kind: "answers", title: try title($0.questionnaireID, connection), since: $0.completedAt,
                until: nil)
        }
        let alerts = file.alerts.filter { $0.seenAt == nil }.map {
            Open(kind: "alert", title: $0.title, since: $0.raisedAt, until: nil)
        }
        if therapy.endedAt != nil { return unseen + alerts }
        let given = try AssignmentStore.unanswered(
            in: therapy.id, dueAfter: now.adding(seconds: -1), limit: TimelineReader.givenLimit, connection
        ).filter { $0.state(at: now) == .open }.map {
            Open(
                kind: "assignment", title: try title($0.questionnaireID, connection),
                since: $0.availableFrom, until: $0.dueAt)
        }
        let interventions = file.interventions.filter { $0.completedAt == nil && $0.withdrawnAt == nil }.map {
            Open(kind: "intervention", title: $0.text, since: $0.assignedAt, until: nil)
        }
        let plan = file.plan.filter { $0.stoppedAt == nil }.map {
            Open(
                kind: "plan", title: "\($0.title) · \(texts["delivery.occasion_\($0.occasion)"])",
                since: $0.madeAt, until: nil)
        }
        return unseen + alerts + given + interventions + plan
    }

    /// Weeks with a delivered prompt or an answer, the earliest first.
    func weeks(_ therapy: Therapy, _ connection: borrowing Connection) throws -> [TherapyFile.DailyWeek] {
        let monday = { (at: Instant) in
            let day = LocalTime(at, dates.zone).date
            return day.adding(days: 1 - day.weekday)
        }
        let slots = try DailyStore.slots(in: therapy.id, from: .distantPast, until: now, connection)
            .filter(\.isDelivered)
        // A phone's clock may be five minutes fast.
        let answers = try ContributionStore.dailies(
            inTherapy: therapy.id, from: .distantPast, until: now.adding(seconds: 301), connection)
        let delivered = Dictionary(grouping: slots) { monday($0.at) }
        let answered = Dictionary(grouping: answers) { monday($0.at) }
        return Set(delivered.keys).union(answered.keys).sorted().map { start in
            let slots = delivered[start] ?? []
            let answers = answered[start] ?? []
            let moods = answers.compactMap(\.feeling)
            return TherapyFile.DailyWeek(
                startsOn: start, delivered: slots.count, answered: slots.count(where: \.isAnswered),
                answers: answers.count, thoughts: answers.count { $0.thought > 0 }, mood: moods.mean,
                moodCount: moods.count)
        }
    }
}

/// The courses of all scales of a therapy, with the verdict on the change since the begin.
struct CourseReader {
    let services: Services
    let texts: Texts
    let zone: Zone

    func all(
        of therapy: Therapy, _ sessions: SessionList, _ connection: borrowing Connection
    ) throws -> [TherapyFile.Overview.Course] {
        let cache = services.questionnaires
        let points = Dictionary(
            grouping: try ContributionStore.series(
                exceptKey: DailyPlan.questionnaireKey, inTherapy: therapy.id, connection), by: \.key)
        // Answers stay readable after their questionnaire was retired.
        let known =
            try QuestionnaireStore.newest(cache, connection) + QuestionnaireStore.retired(cache, connection)
        return known.filter { $0.key != DailyPlan.questionnaireKey }.flatMap { questionnaire in
            questionnaire.definition.scales.compactMap { scale in
                let own = (points[questionnaire.key] ?? []).filter {
                    $0.score.scale == scale.key && $0.score.value != nil
                }
                return course(
                    ScaleSeries(questionnaire: questionnaire, scale: scale, points: own), therapy, sessions)
            }
        }
    }

    /// Nil without a value.
    private func course(
        _ series: ScaleSeries, _ therapy: Therapy, _ sessions: SessionList
    ) -> TherapyFile.Overview.Course? {
        let change = ScoreChange(series, startedOn: therapy.startedOn, since: sessions.last, zone: zone)
        guard let change else { return nil }
        let words = ScoreFormatter(texts: texts)
        let value = { (point: ScorePoint) in
            TherapyFile.Overview.Value(
                at: point.at, value: point.score.value ?? 0, answered: point.score.answered,
                items: point.score.items)
        }
        let begin = change.begin.map(value)
        return TherapyFile.Overview.Course(
            questionnaireKey: series.questionnaire.key, scale: series.scale.key,
            title: series.name(texts.language), reading: words.reading(series.scale),
            lowest: series.scale.range?.lowerBound, highest: series.scale.range?.upperBound,
            cutoff: series.scale.cutoff, values: series.points.map(value), begin: begin,
            change: begin.map { value(change.last).value - $0.value },
            verdict: words.verdict(change, series.scale)?.rawValue,
            basis: words.formula(series.scale, series.questionnaire.definition))
    }
}
