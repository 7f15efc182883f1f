import Contributions
import Database
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Scheduling
import Studies
import Web
import Wire

/// The one private study of the demonstration clinic: a baseline, then two moments a day for three weeks.
package struct DemonstrationStudy {
    let services: Services
    let dice: SeededRandom
    let now: Instant
    package let zone: Zone

    private static let days: Int64 = 21
    static let draft = """
        {"name": "alltag", "title": {"de": "Tinnitus im Alltag", "en": "Tinnitus in everyday life"},
         "description": {"de": "Zwei kurze Abfragen am Tag, solange Sie möchten. Zur Vorführung.",
                         "en": "Two short prompts a day, for as long as you like. For demonstration."},
         "consent_text": {"de": "Ich nehme freiwillig teil und kann jederzeit ohne Angabe von Gründen aufhören.",
                          "en": "I take part of my own free will and may stop at any time without giving reasons."},
         "access": "request", "is_private": true, "running": true}
        """

    /// - Parameter people: the participants; the last one has only asked.
    func write(
        lead: ID<Account>, _ people: [DemonstrationClinic.Person], _ questionnaires: [QuestionnaireRecord],
        _ connection: borrowing Connection
    ) throws {
        let day = LocalTime(now, zone).date.adding(days: -Int(Self.days) - 1)
        let begin = zone.instant(day, hour: 7, minute: 20)
        let draft = try StudyDraft.read(InputReader(json: JSON.parse(Array(Self.draft.utf8))), over: nil)
        let study: ID<Study> = id()
        try StudyStore.insert(
            draft, id: study, code: dice.chance.digits(8), passwordHash: nil, lead: lead, at: begin,
            connection)
        var first = StudyItemDraft(nil)
        var daily = StudyItemDraft(nil)
        first.isOnetime = true
        first.baseline = .required
        daily.schedules = [
            Schedule(
                moment: .between(ClockTime(minutes: 9 * 60), ClockTime(minutes: 21 * 60)), amount: 2,
                every: 1,
                unit: .day, startDay: 0)
        ]
        for (draft, key) in [(first, "wellbeing-5"), (daily, "tinnitus-moment")] {
            try StudyItemStore.insert(draft, id: id(), key: key, in: study, at: begin, connection)
        }
        for (index, person) in people.enumerated() {
            let enrolment: ID<Enrolment> = id()
            let asked = begin.adding(seconds: Int64(3600 * (index + 2)))
            let isPending = index == people.count - 1
            _ = try EnrolmentStore.insert(
                id: enrolment, in: study, account: person.record.id, codename: "S" + dice.chance.digits(6),
                isPending: isPending, consent: 1, way: .app, timezone: zone.identifier,
                at: isPending ? now : asked,
                connection)
            guard !isPending,
                let record = try EnrolmentStore.find(in: study, of: person.record.id, connection)
            else { continue }
            guard let stored = try StudyStore.find(study, connection) else { continue }
            try answer(
                try StudyPrompts(stored, connection), record, person, questionnaires,
                diligence: max(0.3, 0.9 - 0.15 * Double(index)),
                connection)
        }
    }

    private func answer(
        _ all: StudyPrompts, _ enrolment: EnrolmentRecord, _ person: DemonstrationClinic.Person,
        _ questionnaires: [QuestionnaireRecord], diligence: Double, _ connection: borrowing Connection
    ) throws {
        for item in all.items {
            guard let questionnaire = questionnaires.first(where: { $0.key == item.key }) else { continue }
            // Later questions depend on the answered baseline.
            let asked = try all.of(enrolment, connection)
            let prompts = asked.prompts(of: item, until: now.adding(seconds: -1800)).map(\.at)
            let baseline = [enrolment.askedAt.adding(seconds: 300)]
            for prompt in item.isOnetime ? baseline : prompts where item.isOnetime || dice.share() < diligence
            {
                let completed = prompt.adding(seconds: Int64(dice.number(60...1500)))
                let submission = Submission(
                    reason: .study(item.studyID, questionnaire: questionnaire.id),
                    startedAt: completed.adding(seconds: -40), completedAt: completed,
                    timezone: zone.identifier,
                    answers: nil, details: nil)
                var sheet = try NewContribution(
                    submission, id: id(), account: person.record.id, study: item.studyID,
                    enrolment: enrolment.id, item: item.id.text, questionnaire,
                    answers: answers(to: questionnaire.definition), receivedAt: completed.adding(seconds: 2),
                    device: nil)
                sheet.consentVersion = enrolment.consentVersion
                if !item.isOnetime {
                    sheet.prompt = AnsweredPrompt(
                        id: PromptMatch.id(prompt, of: item, as: enrolment), at: prompt)
                }
                try ContributionStore.insert(sheet, sheet.sealed(person.key), connection)
                try EnrolmentStore.noteActivity(enrolment.id, at: completed, connection)
            }
        }
    }

    /// A possible answer to every question.
    /// - Parameter all: answers yes to everything, so that everything is asked.
    func answers(to definition: QuestionnaireDefinition, all: Bool = false) -> Answers {
        var answers: Answers = [:]
        for question in definition.questions {
            switch question.type {
            case .single:
                let options = question.options
                if !options.isEmpty {
                    answers[question.key] = .number(options[dice.number(0...options.count - 1)].value)
                }
            case .slider(let low, let high, let step):
                answers[question.key] = .number(
                    low + step * Double(dice.number(0...Int((high - low) / step))))
            case .sam(_, let low, let high):
                answers[question.key] = .number(Double(dice.number(Int(low)...Int(high))))
            case .yesNo: answers[question.key] = .number(all ? 1 : Double(dice.number(0...1)))
            case .multiple, .text, .number, .date: break
            }
        }
        let visible = Set(definition.visibleSections(answers).flatMap(\.questions).map(\.key))
        return answers.filter { visible.contains($0.key) }
    }

    func id<Entity>() -> ID<Entity> { dice.chance.id() }
}
