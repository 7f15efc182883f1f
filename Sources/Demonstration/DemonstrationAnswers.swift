import Accounts
import Contributions
import Database
import Delivery
import Foundation
import HTTP
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Scheduling
import Therapies
import Web
import Wire

/// The answers of the demonstration's people.
extension DemonstrationLife {
    func dailies(
        _ therapy: NewTherapy, from first: LocalDate, until last: LocalDate, trend: Double, diligence: Double,
        _ connection: borrowing Connection
    ) throws {
        var day = first
        while day <= last {
            if isHoliday(day) {
                day = day.adding(days: 1)
                continue
            }
            let week = Double(day.daysSince1970 - first.daysSince1970) / 7
            for period in 0..<DailyPlan.periods {
                let start = zone.instant(day, hour: 8 + period * 4, minute: dice.number(0...209))
                let isQuiet = today.daysSince1970 - day.daysSince1970 < Int64(patient.quietDays)
                let isAnswered = dice.share() < diligence && !isQuiet
                let delay = Int64(dice.number(30...1500))
                guard start <= now else { continue }
                let answers = AnswerModel(trend: trend, diligence: diligence).daily(week: week, dice)
                let completed = start.adding(seconds: delay)
                try add(
                    therapy, questionnaires[1], source: .daily,
                    window: DailyPlan.Window(
                        day: day, period: period, opens: start,
                        closes: start.adding(seconds: DailyPlan.openSeconds)),
                    completed: isAnswered && completed <= now ? completed : nil, seconds: 14, answers,
                    connection)
            }
            day = day.adding(days: 1)
        }
    }

    /// Rules for the short form a day before every session, and for strain where it is asked for.
    func rules(_ therapy: NewTherapy, _ connection: borrowing Connection) throws {
        for key in ["between-sessions"] + (patient.strain == nil ? [] : ["strain-week"]) {
            let form: Form = ["occasion": "before_session", "questionnaire_key": key]
            let draft = try DeliveryRuleDraft.read(InputReader(form: form), today: today)
            try DeliveryRuleStore.insert(draft, id: id(), in: therapy.id, at: now, connection)
        }
        try DeliveryPlanner.reconcile(therapy.id, services, now: now, connection)
    }

    func beforeSession(
        _ therapy: NewTherapy, _ session: Instant, _ completed: Instant, week: Double, trend: Double,
        _ connection: borrowing Connection
    ) throws {
        let answers = AnswerModel(trend: trend, diligence: 1).betweenSessions(
            questionnaires[0].definition.questions.map(\.key), week: week, dice)
        try add(
            therapy, questionnaires[0], source: .appointment,
            window: window(from: session.adding(days: -1), until: session),
            completed: completed <= now ? completed : nil, seconds: 95, answers, connection)
    }

    func wellbeing(
        _ therapy: NewTherapy, on day: LocalDate, week: Double, trend: Double,
        _ connection: borrowing Connection
    ) throws {
        let answers = AnswerModel(trend: trend, diligence: 1).wellbeing(
            questionnaires[2].definition.questions.map(\.key), week: week, dice)
        let from = zone.instant(day, hour: 8, minute: 0)
        let completed = WakingHours(zone: zone, dice: dice).awake(
            from.adding(seconds: Int64(dice.number(3600...200_000))))
        try add(
            therapy, questionnaires[2], source: .therapist,
            window: window(from: from, until: from.adding(days: 7)),
            completed: completed <= now ? completed : nil, seconds: 50, answers, connection)
    }

    func window(from: Instant, until: Instant) -> DailyPlan.Window {
        DailyPlan.Window(day: LocalTime(from, zone).date, period: 0, opens: from, closes: until)
    }

    /// An assignment and, where it was answered, its sheet.
    func add(
        _ therapy: NewTherapy, _ questionnaire: QuestionnaireRecord, source: AssignmentRecord.Source,
        window: DailyPlan.Window, completed: Instant?, seconds: Int64, _ answers: Answers,
        _ connection: borrowing Connection
    ) throws {
        let assignment: ID<Assignment> = id()
        let assigned = min(window.opens, now)
        if source == .daily {
            try DailyStore.insert(
                window, id: assignment, therapy: therapy.id, questionnaire: questionnaire.id,
                zone: zone.identifier, at: assigned, connection)
        } else {
            try AssignmentStore.insert(
                assignment, questionnaire: questionnaire.id, therapy: therapy.id, source: source,
                from: window.opens, due: window.closes, at: assigned, connection)
        }
        try answer(
            assignment, of: therapy, questionnaire, fetched: assigned, completed: completed, seconds: seconds,
            answers, connection)
    }

    /// - Parameter completed: nil for an unanswered one, which a phone may have fetched all the same.
    func answer(
        _ assignment: ID<Assignment>, of therapy: NewTherapy, _ questionnaire: QuestionnaireRecord,
        fetched: Instant, completed: Instant?, seconds: Int64, _ answers: Answers,
        _ connection: borrowing Connection
    ) throws {
        // Phones that are rarely answered are rarely on: some prompts never arrive.
        if completed != nil || patient.quietDays > 0 || dice.share() < 0.9 {
            try AssignmentStore.noteFetched([assignment], at: fetched, connection)
        }
        guard let completed, let person,
            let stored = try TherapyStore.find(therapy.id, of: therapist, connection),
            let record = try AssignmentStore.find(assignment, inTherapy: therapy.id, connection)
        else { return }
        let submission = Submission(
            reason: .assignment(assignment), startedAt: completed.adding(seconds: -seconds),
            completedAt: completed, timezone: zone.identifier, answers: nil, details: nil)
        let sheet = try NewContribution(
            submission, id: id(), account: person.record.id,
            target: TherapyTarget(record, stored, questionnaire), answers: answers,
            receivedAt: completed.adding(seconds: 2))
        try ContributionStore.insert(sheet, sheet.sealed(person.key), connection)
        try TherapyStore.noteActivity(in: therapy.id, at: completed, connection)
    }
}
