import Contributions
import Database
import Delivery
import Instruments
import Questionnaires
import Records
import Rules
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Reads a whole therapy into one document (PR-26). It never contains the alias; the therapist's private notes on
/// sessions and calls only on request.
struct TherapyFileReader {
    let services: Services
    let texts: Texts
    let dates: DateFormat
    let now: Instant

    func read(
        _ therapy: Therapy, withNotes: Bool, withDailies: Bool, _ connection: borrowing Connection
    ) throws -> TherapyFile {
        let key = try therapy.key(services.keys)
        var file = TherapyFile(
            codename: therapy.codename, language: texts.language.rawValue, madeAt: now,
            takenInAt: therapy.createdAt, pairedAt: therapy.pairedAt, therapyStartedOn: therapy.startedOn,
            therapyEndsOn: therapy.endsOn, therapyEndedOn: therapy.endedOn, withNotes: withNotes,
            withDailies: withDailies)
        let list = try SessionStore.list(of: therapy, dates.zone, now: now, connection)
        file.sessions = try sessions(list, of: therapy, key, withNotes, connection)
        let sheets = try sheets(therapy, withDailies: withDailies, connection)
        file.questionnaires = sheets.filter { $0.key != DailyPlan.questionnaireKey }
        file.dailies = sheets.filter { $0.key == DailyPlan.questionnaireKey }
        (file.interventions, file.alerts) = try ruled(therapy, key, connection)
        file.pauses = try PauseStore.all(for: therapy, connection).filter { pause in
            // The therapist's holidays within the therapy.
            let day = { LocalTime($0, dates.zone).date }
            return pause.endsOn >= day(therapy.createdAt)
                && therapy.endedAt.map { pause.startsOn <= day($0) } ?? true
        }.map {
            Wire.Pause(
                startsOn: $0.startsOn, endsOn: $0.endsOn, cover: nil,
                whose: $0.therapyID == nil ? "therapist" : "patient")
        }
        file.plan = try plan(therapy, connection)
        file.phoneContacts = try PhoneContactStore.all(in: therapy.id, connection).reversed().map {
            TherapyFile.Call(at: $0.at, note: withNotes ? try $0.note(key) : nil)
        }
        file.letters = withNotes ? try letters(therapy, key, connection) : nil
        let summary = TherapyFileOverviewReader(services: services, texts: texts, dates: dates, now: now)
        file.dailyWeeks = try summary.weeks(therapy, connection)
        file.overview = try summary.overview(therapy, of: file, list, connection)
        return file
    }

    private func sessions(
        _ list: SessionList, of therapy: Therapy, _ key: PersonKey, _ withNotes: Bool,
        _ connection: borrowing Connection
    ) throws -> [TherapyFile.Session] {
        return try list.all.sorted { $0.session.startsAt < $1.session.startsAt }.map { entry in
            let words =
                withNotes
                ? try SessionNotes.read(
                    entry.session, of: therapy, by: therapy.therapistID, key,
                    withOpen: entry.session.id == list.next(after: now)?.session.id, connection) : nil
            return TherapyFile.Session(
                number: entry.number, startsAt: entry.session.startsAt, endsAt: entry.session.endsAt,
                state: entry.state.rawValue, note: words?.note, agenda: words?.agenda.map(\.text))
        }
    }

    /// The earliest first.
    private func letters(
        _ therapy: Therapy, _ key: PersonKey, _ connection: borrowing Connection
    ) throws -> [TherapyFile.WrittenLetter] {
        let records = try LetterStore.all(in: therapy.id, by: therapy.therapistID, connection)
        return try records.reversed().map { record in
            let draft = try record.draft(key)
            return TherapyFile.WrittenLetter(
                kind: draft.kind.rawValue, title: draft.title, writtenAt: record.changedAt, text: draft.text)
        }
    }

    /// Every sheet, the earliest first, page after page.
    private func sheets(
        _ therapy: Therapy, withDailies: Bool, _ connection: borrowing Connection
    ) throws -> [TherapyFile.Sheet] {
        let records = try ContributionStore.everything(inTherapy: therapy.id, connection).filter { record in
            guard !withDailies else { return true }
            let questionnaire = try QuestionnaireStore.find(
                record.questionnaireID, services.questionnaires, connection)
            return questionnaire?.key != DailyPlan.questionnaireKey
        }
        return try OpenedContribution.all(records, services, connection).map { sheet in
            let record = sheet.record
            let answers = sheet.answers
            let questionnaire = sheet.questionnaire
            let definition = questionnaire.definition
            let language = definition.language(asked: texts.language.rawValue)
            let questions = definition.visibleSections(answers).flatMap(\.questions)
            return TherapyFile.Sheet(
                id: record.id.text, key: questionnaire.key, version: questionnaire.version,
                title: questionnaire.title(texts.language), completedAt: record.completedAt,
                answered: record.answered, asked: record.asked,
                scores: sheet.scores.map { score in
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
                        }, value: answers[question.key].flatMap { short($0, question) })
                })
        }
    }

    /// An answer as it stands in a table; nil for what takes words.
    private func short(_ answer: Answer, _ question: QuestionnaireDefinition.Question) -> String? {
        switch answer {
        case .number(let value):
            question.type == .yesNo
                ? texts[value == 1 ? "contributions.yes" : "contributions.no"]
                : texts.number(value, digits: 2)
        case .numbers, .text: nil
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
