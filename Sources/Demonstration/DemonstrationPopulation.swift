import Accounts
import Contributions
import Database
import Foundation
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

/// A large study beside the demonstration clinic, for load tests: two groups, two prompts a day, nine of ten answered.
package struct DemonstrationPopulation {
    package let services: Services
    package let people: Int
    package let days: Int

    private static let answered = 9
    private static let peopleATime = 50
    private static let draft = """
        {"name": "grosse-studie", "title": {"de": "Eine große Studie", "en": "A large study"},
         "consent_text": {"de": "Ich nehme freiwillig teil.", "en": "I take part of my own free will."},
         "is_hidden": true, "running": true}
        """

    /// Adds the study to a seeded clinic.
    /// - Returns: the number of sheets.
    package func build(lead email: String) throws -> Int {
        let now = services.clock.now
        let dice = SeededRandom(2)
        let begin = now.adding(days: -Int64(days))
        let life = DemonstrationStudy(
            services: services, dice: dice, now: now, zone: Zone(services.timezone))
        let draft = try StudyDraft.read(InputReader(json: JSON.parse(Array(Self.draft.utf8))), over: nil)
        let hash = try services.gate.hash(DemonstrationClinic.password)
        let study: ID<Study> = dice.chance.id()
        let (prompts, questionnaire) = try services.records.writeUnaudited(.madeUp) { [services] connection in
            guard let lead = try AccountStore.find(lookup: services.keys.lookup(email: email), connection),
                let record = try QuestionnaireStore.newest(
                    "tinnitus-moment", services.questionnaires, connection)
            else { throw StartError("seed the demonstration clinic first") }
            try StudyStore.insert(
                draft, id: study, code: dice.chance.digits(8), passwordHash: nil, lead: lead.id, at: begin,
                connection)
            var item = StudyItemDraft(nil)
            item.schedules = [
                Schedule(
                    moment: .between(ClockTime(minutes: 9 * 60), ClockTime(minutes: 21 * 60)), amount: 2,
                    every: 1, unit: .day, startDay: 0)
            ]
            try StudyItemStore.insert(
                item, id: dice.chance.id(), key: record.key, in: study, at: begin, connection)
            let outcome = record.definition.scales.first.map {
                TrialDesign.Outcome(isPrimary: true, key: record.key, scale: $0.key, day: max(1, days - 7))
            }
            let groups = TrialDesign(
                allocation: .randomised, arms: [.full, .noInterventions], size: 8, sampleSize: people,
                outcomes: outcome.map { [$0] } ?? [])
            try GroupStore.set(groups, of: study, seed: dice.next(), at: begin, connection)
            guard let stored = try StudyStore.find(study, connection) else { throw Problem.notFound }
            return (try StudyPrompts(stored, connection), record)
        }
        var count = 0
        for first in stride(from: 0, to: people, by: Self.peopleATime) {
            count += try services.records.writeUnaudited(.madeUp) { [self] connection in
                try (first..<min(people, first + Self.peopleATime)).reduce(0) { sum, number in
                    let email = "person-\(number)@example.org"
                    return sum
                        + (try add(email, hash, prompts, questionnaire, life, at: begin, connection))
                }
            }
        }
        return count
    }

    private func add(
        _ email: String, _ hash: String, _ prompts: StudyPrompts, _ questionnaire: QuestionnaireRecord,
        _ life: DemonstrationStudy, at begin: Instant, _ connection: borrowing Connection
    ) throws -> Int {
        let chance = life.dice.chance
        let keys = services.keys
        let study = prompts.study.id
        let account = NewAccount(
            verifiedPatient: email, passwordHash: hash, language: .german,
            timezone: services.timezone, id: chance.id(), keys: keys, now: begin)
        try PrivacyStore.insert(account, connection)
        let key = try keys.unwrap(account.wrappedKey, owner: account.id)
        let enrolment: ID<Enrolment> = chance.id()
        while try !EnrolmentStore.insert(
            id: enrolment, in: study, account: account.id, codename: "S" + chance.digits(6), isPending: false,
            consent: 1, way: .app, timezone: services.timezone, at: begin, connection)
        {}
        try ArmAllocation.allocate(enrolment, of: account.id, in: study, at: begin, connection)
        guard let record = try EnrolmentStore.find(in: study, of: account.id, connection),
            let item = prompts.items.first
        else { return 0 }
        let moments = try prompts.of(record, connection).prompts(of: item, until: life.now)
            .map(\.at)
        var count = 0
        for moment in moments where life.dice.number(1...10) <= Self.answered {
            let completed = min(life.now, moment.adding(seconds: Int64(life.dice.number(60...900))))
            let submission = Submission(
                reason: .study(study, questionnaire: questionnaire.id),
                startedAt: completed.adding(seconds: -40), completedAt: completed,
                timezone: services.timezone, answers: nil, details: nil)
            var sheet = try NewContribution(
                submission, id: chance.id(), account: account.id, study: study, enrolment: enrolment,
                item: item.id.text,
                questionnaire, answers: life.answers(to: questionnaire.definition, all: true),
                receivedAt: completed, device: nil)
            sheet.consentVersion = record.consentVersion
            sheet.prompt = AnsweredPrompt(id: PromptMatch.id(moment, of: item, as: record), at: moment)
            try ContributionStore.insert(sheet, sheet.sealed(key), connection)
            count += 1
        }
        if let last = moments.last { try EnrolmentStore.noteActivity(enrolment, at: last, connection) }
        return count
    }
}
