import Database
import Instruments
import JSON
import Questionnaires
import Records
import Responses
import Rules
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Reads a whole therapy into one document (PR-26). The alias never goes in; what a therapist wrote of sessions and calls
/// for their own eyes only where they ask for it.
struct TherapyFileReader {
    let services: Services
    let texts: Texts
    let dates: DateFormat
    let now: Instant

    func read(
        _ therapy: Therapy, withNotes: Bool, _ connection: borrowing Connection
    ) throws -> TherapyFile {
        let key = try therapy.key(services.keys)
        var file = TherapyFile(
            codename: therapy.codename, language: texts.language.rawValue, madeAt: now,
            takenInAt: therapy.createdAt, pairedAt: therapy.pairedAt, startedOn: therapy.startedOn,
            endsOn: therapy.endsOn, endedOn: therapy.endedOn, withNotes: withNotes)
        file.sessions = try sessions(therapy, key, withNotes, connection)
        let sheets = try sheets(therapy, connection)
        file.questionnaires = sheets.filter { $0.key != DailyPlan.questionnaireKey }
        file.dailies = sheets.filter { $0.key == DailyPlan.questionnaireKey }
        (file.interventions, file.alerts) = try ruled(therapy, key, connection)
        file.pauses = try PauseStore.all(for: therapy, connection).filter { pause in
            // The therapist's holidays as far as they lie in the therapy.
            let day = { LocalTime($0, dates.zone).date }
            return pause.endsOn >= day(therapy.createdAt)
                && therapy.endedAt.map { pause.startsOn <= day($0) } ?? true
        }.map {
            Wire.Pause(
                startsOn: $0.startsOn, endsOn: $0.endsOn, cover: nil,
                whose: $0.therapyID == nil ? "therapist" : "patient")
        }
        file.plan = try plan(therapy, connection)
        file.calls = try PhoneContactStore.all(in: therapy.id, connection).reversed().map {
            TherapyFile.Call(at: $0.at, note: withNotes ? try $0.note(key) : nil)
        }
        return file
    }

    private func sessions(
        _ therapy: Therapy, _ key: PersonKey, _ withNotes: Bool, _ connection: borrowing Connection
    ) throws -> [TherapyFile.Session] {
        let list = try SessionStore.list(of: therapy, dates.zone, now: now, connection)
        return try list.all.sorted { $0.session.startsAt < $1.session.startsAt }.map { entry in
            let words =
                withNotes
                ? try SessionWords.read(
                    entry.session, of: therapy, by: therapy.therapistID, key,
                    withOpen: entry.session.id == list.next(after: now)?.session.id, connection) : nil
            return TherapyFile.Session(
                number: entry.number, startsAt: entry.session.startsAt, endsAt: entry.session.endsAt,
                state: entry.state.rawValue, note: words?.note, agenda: words?.agenda.map(\.text))
        }
    }

    /// Every sheet, the earliest first, page after page.
    private func sheets(
        _ therapy: Therapy, _ connection: borrowing Connection
    ) throws -> [TherapyFile.Sheet] {
        let records = try ContributionStore.everything(inTherapy: therapy.id, connection)
        let keys = try AnswerKeys(of: records, services.keys, connection)
        let scores = try ContributionStore.scores(of: records, connection)
        return try records.compactMap { record in
            guard let key = keys[record],
                let questionnaire = try QuestionnaireStore.find(
                    record.questionnaireID, services.questionnaires, connection)
            else { return nil }
            let definition = questionnaire.definition
            let language = definition.language(asked: texts.language.rawValue)
            let json = try JSON.parse(try record.answers(key).bytes)
            let answers = (try? definition.readAnswers(json)) ?? [:]
            let questions = definition.visibleSections(answers).flatMap(\.questions)
            return TherapyFile.Sheet(
                id: record.id.text, key: questionnaire.key, version: questionnaire.version,
                title: questionnaire.title(texts.language), completedAt: record.completedAt,
                answered: record.answered, asked: record.asked,
                scores: (scores[record.id] ?? []).map { score in
                    let scale = definition.scales.first { $0.key == score.scale }
                    return .init(
                        scale: score.scale, title: scale?.title[language] ?? score.scale, value: score.value,
                        answered: score.answered, items: score.items)
                },
                answers: questions.map { question in
                    .init(
                        question: question.text[language] ?? question.key,
                        answer: answers[question.key].map {
                            ContributionPages.words($0, question, language, texts, dates)
                        })
                })
        }
    }

    private func ruled(
        _ therapy: Therapy, _ key: PersonKey, _ connection: borrowing Connection
    ) throws -> ([TherapyFile.Intervention], [TherapyFile.Alert]) {
        let words = try RuleFormatter(services, texts, dates, connection)
        let alerts = Dictionary(
            grouping: try AlertStore.all(in: therapy.id, connection), by: \.firing.id)
        var reasons: [ID<Intervention>: String] = [:]
        var told: [TherapyFile.Alert] = []
        for firing in try FiringStore.all(in: therapy.id, connection) {
            let record = try firing.record(key)
            let reason = words.reason(record)
            if let id = firing.interventionID { reasons[id] = reason }
            told += try (alerts[firing.id] ?? []).map {
                TherapyFile.Alert(
                    raisedAt: $0.raisedAt, title: record.rule.actions.alert ?? "", reason: reason,
                    seenAt: $0.acknowledgedAt, remark: try $0.comment(key))
            }
        }
        let given = try InterventionStore.all(in: therapy.id, withWithdrawn: true, connection).map { record in
            TherapyFile.Intervention(
                kind: record.kind.rawValue, text: try record.words(key, [texts.language]),
                state: record.state.rawValue, assignedAt: record.assignedAt, openedAt: record.openedAt,
                completedAt: record.completedAt, withdrawnAt: record.withdrawnAt, reason: reasons[record.id])
        }
        return (given.sorted { $0.assignedAt < $1.assignedAt }, told.sorted { $0.raisedAt < $1.raisedAt })
    }

    private func plan(
        _ therapy: Therapy, _ connection: borrowing Connection
    ) throws -> [TherapyFile.Plan] {
        try DeliveryRuleStore.everything(in: therapy.id, connection).map { rule in
            let battery = try rule.batteryID.flatMap { try BatteryStore.find($0, connection)?.name }
            let title = try rule.questionnaireKey.flatMap {
                try QuestionnaireStore.newest($0, services.questionnaires, connection)?.title(texts.language)
            }
            return TherapyFile.Plan(
                title: battery ?? title ?? rule.questionnaireKey ?? "", occasion: rule.occasion.rawValue,
                madeAt: rule.createdAt, stoppedAt: rule.stoppedAt)
        }
    }
}
