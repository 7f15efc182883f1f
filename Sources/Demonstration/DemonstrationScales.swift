import Database
import Delivery
import Identity
import Instruments
import Questionnaires
import Records
import Scheduling
import Therapies
import Web
import Wire

/// Measurements beside the sessions: the strain of a week with its invented figures, and the tinnitus of two years.
extension DemonstrationLife {
    /// Asked on the evening before each session, so that it is there in time.
    func strain(
        _ therapy: NewTherapy, before session: Instant, at done: Instant, share: Double,
        _ connection: borrowing Connection
    ) throws {
        guard let course = patient.strain else { return }
        let opens = strainOpens(before: session)
        guard opens <= now else { return }
        let sum = course.first + (course.last - course.first) * share
        var answers = AnswerModel.items(questionnaires[4].definition.questions.map(\.key), sum: sum, dice)
        answers["weary"] = .number(patient.isWeary && share == 1 ? 1 : 0)
        let completed = done <= now ? done : nil
        // The rule made the one before the next session.
        let made = try DeliveryRuleStore.made(in: therapy.id, connection).first {
            $0.key == "strain-week" && $0.due == session
        }
        if let made {
            try answer(
                made.id, of: therapy, questionnaires[4], fetched: min(now, strainOpens(before: session)),
                completed: completed, seconds: 70, answers,
                connection)
        } else {
            try add(
                therapy, questionnaires[4], source: .appointment,
                window: window(from: session.adding(days: -1), until: session), completed: completed,
                seconds: 70, answers, connection)
        }
    }

    /// The earliest time of an answer.
    func strainOpens(before session: Instant) -> Instant {
        zone.instant(LocalTime(session, zone).date.adding(days: -1), hour: 17, minute: 0)
    }

    /// Every other day at some moment of it (TYT-1): louder in winter, and less bothering from month to month.
    func tinnitus(
        _ therapy: NewTherapy, from first: LocalDate, until last: LocalDate, diligence: Double,
        _ connection: borrowing Connection
    ) throws {
        let days = Int(last.daysSince1970 - first.daysSince1970)
        for number in stride(from: 1, through: days, by: 2) {
            let day = first.adding(days: number)
            let opens = zone.instant(day, hour: dice.number(8...20), minute: dice.number(0...59))
            let done = opens.adding(seconds: Int64(dice.number(40...5000)))
            let isAnswered = dice.share() < diligence
            guard opens <= now else { continue }
            let share = Double(number) / Double(days)
            let answers = AnswerModel.tinnitus(
                share: share, isWinter: [11, 12, 1, 2].contains(day.month), dice)
            try add(
                therapy, questionnaires[3], source: .rule,
                window: window(from: opens, until: opens.adding(seconds: 7200)),
                completed: isAnswered && done <= now ? done : nil, seconds: 44, answers, connection)
        }
    }
}

extension AnswerModel {
    /// Items from 0 to 4 that add up to about the sum.
    static func items(_ questions: [String], sum: Double, _ dice: SeededRandom) -> Answers {
        let base = sum / Double(questions.count - 1)
        return questions.reduce(into: [:]) { answers, question in
            answers[question] = .number(
                min(4, max(0, (base + (dice.share() - 0.5) * 1.3).rounded())))
        }
    }

    /// - Parameter share: the elapsed part of the two years.
    static func tinnitus(share: Double, isWinter: Bool, _ dice: SeededRandom) -> Answers {
        let within = { (value: Double, top: Double) in
            Answer.number(min(top, max(0, value.rounded())))
        }
        let noise = { (width: Double) in (dice.share() - 0.5) * width }
        let day = noise(18)
        var answers: Answers = [
            "heard": .number(dice.share() < 0.88 - 0.12 * share ? 1 : 0),
            "tense": within(4.2 - 1.8 * share + day / 9 + noise(1.6), 7),
            "focused": within(3.2 + 1.6 * share - day / 9 + noise(1.6), 7),
            "low": within(3.4 - 1.6 * share + day / 12 + noise(1.6), 7),
            "noisy": within(38 + noise(60), 100), "alone": .number(dice.share() < 0.55 ? 1 : 0),
        ]
        if answers["heard"] == .number(1) {
            answers["loudness"] = within(64 - 10 * share + (isWinter ? 6 : 0) + day + noise(10), 100)
            answers["distress"] = within(61 - 27 * share + (isWinter ? 4 : 0) + day + noise(12), 100)
        }
        return answers
    }
}
