import Accounts
import Contributions
import Database
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Scheduling
import Studies
import Therapies
import Web
import Wire
import Wording

/// A finished study of three groups, with leavers, and a follow-up eight weeks after its end (IO-21).
struct DemonstrationTrial {
    /// The number of participants; they have accounts of their own and no therapist here.
    static let people = 24

    private let base: DemonstrationStudy
    private let begin: Instant
    private let paperDice = SeededRandom(56)
    private var dice: SeededRandom { base.dice }
    private var zone: Zone { base.zone }

    /// The end of the eight weeks, and of the follow-up; sheets come every four weeks up to it.
    private static let treated = 56
    private static let followUp = 112
    private static let arms: [StudyArm] = [.full, .noInterventions, .noApp]
    private static let draft = """
        {"name": "zwischenzeit", "title": {"de": "Zwischen den Sitzungen begleitet", "en": "Accompanied between sessions"},
         "description": {"de": "Acht Wochen in drei Gruppen, Nachbefragung nach acht weiteren. Alle Zahlen sind erfunden.",
                         "en": "Eight weeks in three groups, a follow-up after eight more. All figures are invented."},
         "consent_text": {"de": "Ich nehme freiwillig teil und kann jederzeit ohne Angabe von Gründen aufhören.",
                          "en": "I take part of my own free will and may stop at any time without giving reasons."},
         "access": "open", "is_hidden": true, "running": true}
        """

    init(_ base: DemonstrationStudy) {
        self.base = base
        let day = LocalTime(base.now, base.zone).date.adding(days: -Self.followUp - 45)
        begin = base.zone.instant(day, hour: 9, minute: 0)
    }

    func write(
        lead: ID<Account>, password hash: String, _ questionnaires: [QuestionnaireRecord],
        _ connection: borrowing Connection
    ) throws {
        let fields = try InputReader(json: JSON.parse(Array(Self.draft.utf8)))
        let study: ID<Study> = base.id()
        var draft = try StudyDraft.read(fields, over: nil)
        // After the follow-up of the last that joined, before the next sheet of the first.
        draft.endsAt = begin.adding(days: Int64(Self.people + Self.followUp + 2))
        try StudyStore.insert(
            draft, id: study, code: dice.chance.digits(8),
            passwordHash: nil, lead: lead, at: begin, connection)
        for key in ["strain-week", "wellbeing-5"] {
            var item = StudyItemDraft(nil)
            item.schedules = [
                Schedule(
                    moment: .between(ClockTime(minutes: 17 * 60), ClockTime(minutes: 21 * 60)), amount: 1,
                    every: 4, unit: .week, startDay: 0)
            ]
            try StudyItemStore.insert(item, id: base.id(), key: key, in: study, at: begin, connection)
        }
        try GroupStore.set(
            TrialDesign(
                allocation: .randomised, arms: Self.arms, size: 6, sampleSize: Self.people,
                outcomes: Self.outcomes), of: study, seed: dice.next(),
            salt: SeededRandom(57).chance.bytes(AllocationRule.saltBytes), at: begin, connection)
        guard let stored = try StudyStore.find(study, connection) else { return }
        let prompts = try StudyPrompts(stored, connection)
        for number in 1...Self.people {
            try enrol(number, hash, lead: lead, prompts, questionnaires, connection)
        }
        try GroupStore.close(study, at: begin.adding(days: 24), connection)
    }

    private static let outcomes = [
        TrialDesign.Outcome(isPrimary: true, key: "strain-week", scale: "strain", day: treated),
        TrialDesign.Outcome(isPrimary: false, key: "wellbeing-5", scale: "wellbeing", day: treated),
        TrialDesign.Outcome(isPrimary: false, key: "strain-week", scale: "strain", day: followUp),
    ]

    private func enrol(
        _ number: Int, _ hash: String, lead: ID<Account>, _ prompts: StudyPrompts,
        _ questionnaires: [QuestionnaireRecord], _ connection: borrowing Connection
    ) throws {
        let study = prompts.study.id
        let keys = base.services.keys
        let day = LocalTime(begin, zone).date.adding(days: number - 1)
        let joined = zone.instant(day, hour: dice.number(9...16), minute: dice.number(1...58))
        let account = NewAccount(
            verifiedPatient: "teilnahme-\(number)@example.org", passwordHash: hash, language: .german,
            timezone: zone.identifier, id: base.id(), keys: keys, now: joined)
        try PrivacyStore.insert(account, connection)
        let id: ID<Enrolment> = base.id()
        _ = try EnrolmentStore.insert(
            id: id, in: study, account: account.id, codename: "Z" + dice.chance.digits(6), isPending: false,
            consent: 1, way: .app, timezone: zone.identifier, at: joined, connection)
        try ArmAllocation.allocate(id, of: account.id, in: study, at: joined, connection)
        guard let record = try EnrolmentStore.find(in: study, of: account.id, connection) else { return }
        let leaves = [3, 8, 14, 17, 22].contains(number) ? joined.adding(days: Int64(20 + number * 2)) : nil
        let person = DemonstrationClinic.Person(
            record: account, key: try keys.unwrap(account.wrappedKey, owner: account.id))
        let end = leaves ?? joined.adding(days: Int64(Self.followUp + 3))
        try answer(
            try prompts.of(record, connection), prompts, record, person, lead, questionnaires, end, connection
        )
        if let leaves { try LeavingStore.leave(record, at: leaves, connection) }
    }

    private func answer(
        _ asked: ParticipantPrompts, _ all: StudyPrompts, _ enrolment: EnrolmentRecord,
        _ person: DemonstrationClinic.Person, _ lead: ID<Account>, _ questionnaires: [QuestionnaireRecord],
        _ end: Instant, _ connection: borrowing Connection
    ) throws {
        let start = dice.share() * 6 - 3
        if enrolment.isOnPaper {
            return try enter(all, enrolment, person, lead, questionnaires, end, connection)
        }
        for item in all.items {
            guard let questionnaire = questionnaires.first(where: { $0.key == item.key }) else { continue }
            let isStrain = item.key == "strain-week"
            for (index, moment) in asked.prompts(of: item, until: end).map(\.at).enumerated()
            where index == 0 || dice.share() < 0.93 {
                let completed = moment.adding(seconds: Int64(dice.number(90...3600)))
                let change = Self.change(enrolment.treatment, weeks: index * 4)
                let answers =
                    isStrain
                    ? strain(questionnaire, 18 + start - change, dice)
                    : wellbeing(questionnaire, change / 3, dice)
                let submission = Submission(
                    reason: .study(item.studyID, questionnaire: questionnaire.id),
                    startedAt: completed.adding(seconds: -70), completedAt: completed,
                    timezone: zone.identifier, answers: nil, details: nil)
                var sheet = try NewContribution(
                    submission, id: base.id(), account: person.record.id, study: item.studyID,
                    enrolment: enrolment.id, item: item.id.text, questionnaire, answers: answers,
                    receivedAt: completed.adding(seconds: 2), device: nil)
                sheet.consentVersion = enrolment.consentVersion
                sheet.prompt = AnsweredPrompt(
                    id: PromptMatch.id(moment, of: item, as: enrolment), at: moment)
                try ContributionStore.insert(sheet, sheet.sealed(person.key), connection)
                try EnrolmentStore.noteActivity(enrolment.id, at: completed, connection)
            }
        }
    }

    /// The paper group gets no prompts on a phone: its sheets are filled in every four weeks all the same, and
    /// entered by the lead. With a seed of its own, so that everything else stays unchanged.
    private func enter(
        _ all: StudyPrompts, _ enrolment: EnrolmentRecord, _ person: DemonstrationClinic.Person,
        _ lead: ID<Account>, _ questionnaires: [QuestionnaireRecord], _ end: Instant,
        _ connection: borrowing Connection
    ) throws {
        guard let joined = enrolment.day else { return }
        let start = paperDice.share() * 6 - 3
        for week in stride(from: 0, through: Self.followUp / 7, by: 4) {
            let day = joined.adding(days: 7 * week)
            let change = Self.change(enrolment.treatment, weeks: week)
            for item in all.items {
                guard let questionnaire = questionnaires.first(where: { $0.key == item.key }) else {
                    continue
                }
                let completed = zone.instant(day, hour: 17, minute: paperDice.number(1...59))
                guard completed < end else { return }
                let answers =
                    item.key == "strain-week"
                    ? strain(questionnaire, 18 + start - change, paperDice)
                    : wellbeing(questionnaire, change / 3, paperDice)
                let submission = Submission(
                    reason: .study(item.studyID, questionnaire: questionnaire.id),
                    startedAt: completed, completedAt: completed, timezone: zone.identifier, answers: nil,
                    details: nil)
                var sheet = try NewContribution(
                    submission, id: paperDice.chance.id(), account: person.record.id, study: item.studyID,
                    enrolment: enrolment.id, item: item.id.text, questionnaire, answers: answers,
                    receivedAt: completed.adding(days: 1), device: nil)
                sheet.enteredBy = lead
                try ContributionStore.insert(sheet, sheet.sealed(person.key), connection)
                try EnrolmentStore.noteActivity(enrolment.id, at: completed, connection)
            }
        }
    }

    /// The decrease of the strain: mostly within the eight weeks, and most in the full arm.
    private static func change(_ arm: Therapy.Arm?, weeks: Int) -> Double {
        let whole =
            switch arm {
            case .full: 8.0
            case .noInterventions: 5.0
            default: 2.5
            }
        return whole * min(1, Double(weeks) / 8) - (weeks > 8 ? 0.8 : 0)
    }

    private func strain(
        _ questionnaire: QuestionnaireRecord, _ sum: Double, _ dice: SeededRandom
    ) -> Answers {
        var answers = AnswerModel.items(questionnaire.definition.questions.map(\.key), sum: sum, dice)
        answers["weary"] = .number(0)
        return answers
    }

    private func wellbeing(
        _ questionnaire: QuestionnaireRecord, _ gain: Double, _ dice: SeededRandom
    ) -> Answers {
        AnswerModel(trend: gain / 8, diligence: 1).wellbeing(
            questionnaire.definition.questions.map(\.key), week: 4, dice)
    }
}
