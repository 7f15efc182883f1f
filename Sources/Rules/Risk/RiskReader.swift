import Contributions
import Database
import Identity
import Instruments
import Questionnaires
import Records
import Therapies
import Web
import Wire
import Wording

/// The answers that have to be seen for which a reader is responsible: those of their own patients, and of patients
/// shared with them now, except for supervision (PR-11, PR-20, PR-21, PR-27).
package struct RiskReader<Proof: Sendable> {
    /// The earlier answers shown beside one.
    private static var mostEarlier: Int { 3 }

    private let c: Context<Proof>
    /// The name of a patient for the reader, and the reader's standing; nil for another's patient.
    private let place: (ID<Therapy>) throws -> Place?

    package struct Place {
        let name: PatientName
        let standing: FileStanding
    }

    /// Its words for one file.
    package static func all(
        in c: Context<Caseload>, _ connection: borrowing Connection
    ) throws -> [RiskAnswer] where Proof == Caseload {
        let place = Place(name: try c.patientName(), standing: c.proof.standing)
        let records = try ContributionStore.unseen(inTherapy: c.proof.patient.id, connection)
        return try RiskReader(c: c) { _ in place }.entries(records, connection)
    }

    /// The newest first, with those that were settled within the time in which that can be undone.
    /// - Parameter shared: the files shared with the reader now.
    package static func all(
        _ shared: [SharedTherapy], _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> [RiskAnswer] where Proof == Member {
        let watched = shared.filter(\.standing.isWatching)
        let records = try ContributionStore.unseen(
            ofTherapist: c.proof.account.id, orIn: watched.map(\.therapy.id),
            seenAfter: c.now.adding(seconds: -Undo.seconds), connection)
        if records.isEmpty { return [] }
        let lent = Dictionary(uniqueKeysWithValues: watched.map { ($0.therapy.id, $0) })
        let own = try PatientNames(c, connection)
        let reader = RiskReader(c: c) { id in
            if let name = try own[id] { return Place(name: name, standing: .owner) }
            return try lent[id].map {
                Place(name: try $0.name(for: c.proof.account, c.keys), standing: $0.standing)
            }
        }
        return try reader.entries(records, connection)
    }

    /// The number of waiting sheets, for the navigation.
    package static func waiting(
        for reader: ID<Account>, now: Instant, _ connection: borrowing Connection
    ) throws -> Int where Proof == Member {
        let shared = try SharingStore.all(with: reader, now: now, connection).filter(\.standing.isWatching)
        return try ContributionStore.unseenCount(
            ofTherapist: reader, orIn: shared.map(\.therapy.id), connection)
    }

    private init(c: Context<Proof>, place: @escaping (ID<Therapy>) throws -> Place?) {
        self.c = c
        self.place = place
    }

    private func entries(
        _ records: [ContributionRecord], _ connection: borrowing Connection
    ) throws -> [RiskAnswer] {
        if records.isEmpty { return [] }
        let words = try RuleFormatter(c, connection)
        let firings = Dictionary(
            grouping: try FiringStore.all(by: records.map(\.id), connection), by: \.contributionID)
        let contacts = try EmergencyContactStore.existing(
            in: Set(records.compactMap(\.therapyID)).sorted(), connection)
        return try OpenedContribution.all(records, c.services, connection).compactMap { own in
            guard let id = own.record.therapyID, let place = try place(id),
                let therapy = try TherapyStore.find(id, connection)
            else { return nil }
            let key = try therapy.key(c.keys)
            let own = Own(
                sheet: own, therapy: therapy, key: key, place: place,
                firings: try (firings[own.record.id] ?? []).filter { $0.therapyID == id }.map {
                    try $0.record(key)
                })
            return try entry(own, hasContact: contacts.contains(id), words, connection)
        }
    }

    private struct Own {
        let sheet: OpenedContribution
        let therapy: Therapy
        let key: PersonKey
        let place: Place
        let firings: [FiringRecord]
    }

    private func entry(
        _ own: Own, hasContact: Bool, _ words: RuleFormatter, _ connection: borrowing Connection
    ) throws -> RiskAnswer {
        let record = own.sheet.record
        let seconds = c.now.seconds - record.receivedAt.seconds
        let days = Int(seconds / 86_400)
        let settled = try settled(own, connection)
        let reasons = own.firings.map(words.reason)
        let entries = 1 + own.firings.count { $0.rule.actions.alert != nil }
        let isOwner = own.place.standing.isOwner
        let contact = "\(own.therapy.path)/emergency-contact"
        return RiskAnswer(
            sheet: record.id, patient: own.therapy.id, name: own.place.name,
            title: own.sheet.questionnaire.written(on: c.language),
            when: c.local(record.completedAt, in: record.timezone) { $0.short(record.completedAt) },
            standing: isOwner ? nil : c.texts["risk.as_\(own.place.standing.name.rawValue)"],
            age: days > 0
                ? c.texts.count("risk.days", days)
                : c.texts.count("risk.hours", max(1, Int(seconds / 3600))),
            tone: days >= 3 ? "overdue" : days >= 1 ? "late" : "new",
            asked: try asked(own, connection), reasons: reasons, hasReasons: !reasons.isEmpty,
            steps: own.firings.compactMap(\.rule.actions.advice),
            unseenSince: record.receivedAt, settled: settled,
            emergency: EmergencyOffer(
                page: isOwner ? contact : nil, isThere: hasContact,
                opening: isOwner || !hasContact ? nil : "\(contact)/opening"),
            field: settled == nil && own.place.standing.isWatching ? field(record.id) : nil,
            settles: entries > 1 ? c.texts.count("risk.settles", entries) : nil,
            path: "\(own.therapy.path)/contributions/\(record.id)")
    }

    private func field(_ sheet: ID<ContributionRecord>) -> FieldView {
        var field = FormState(c.texts).field(
            "comment-\(sheet)", .area, label: "risk.word", hint: "risk.word_hint")
        field.sends = "comment"
        return field
    }

    private func settled(_ own: Own, _ connection: borrowing Connection) throws -> RiskAnswer.Settled? {
        let record = own.sheet.record
        guard let at = record.seenAt else { return nil }
        let by = try record.seenBy.flatMap { try AccountStore.find($0, connection)?.name(c.keys) }
        let comment = try record.seenComment(own.key)
        let words = c.texts["risk.settled", ["when": c.dates.short(at), "by": by ?? "–"]]
        return RiskAnswer.Settled(
            words: [words, comment].compactMap(\.self).joined(separator: ": "), at: at, by: by)
    }

    // MARK: Question and answers

    private func asked(_ own: Own, _ connection: borrowing Connection) throws -> [RiskAnswer.Asked] {
        let definition = own.sheet.questionnaire.definition
        let language = definition.language(asked: c.language.rawValue)
        let earlier = try OpenedContribution.all(
            try ContributionStore.earlier(
                of: own.sheet.questionnaire.key, inTherapy: own.therapy.id,
                before: own.sheet.record.completedAt,
                limit: Self.mostEarlier, connection), c.services, connection)
        return definition.questionsToBeSeen(own.sheet.answers).compactMap { question in
            guard let answer = own.sheet.answers[question.key] else { return nil }
            let before = earlier.compactMap { sheet -> RiskAnswer.Earlier? in
                guard let question = sheet.questionnaire.definition.question(question.key),
                    let answer = sheet.answers[question.key]
                else { return nil }
                return RiskAnswer.Earlier(
                    at: sheet.record.completedAt, answer: self.words(answer, question, language))
            }
            let lines = before.map { "\($0.answer) (\(c.dates.day($0.at)))" }
            let text = question.text[language] ?? question.key
            return RiskAnswer.Asked(
                key: question.key, question: text, quoted: c.texts["rules.quoted", ["text": text]],
                answer: words(answer, question, language), trigger: trigger(question, language),
                before: lines.isEmpty
                    ? nil : c.texts["risk.before", ["answers": lines.joined(separator: " · ")]],
                earlier: before)
        }
    }

    private func words(
        _ answer: Answer, _ question: QuestionnaireDefinition.Question, _ language: String
    ) -> String { ContributionPages.words(answer, question, language, c.texts, c.dates) }

    private func trigger(_ question: QuestionnaireDefinition.Question, _ language: String) -> String {
        let name = { (value: Double) in
            question.options.first { $0.value == value }?.text[language] ?? c.texts.number(value, digits: 2)
        }
        switch question.mustBeSeen {
        case .atLeast(let value): return c.texts["risk.from", ["answer": name(value)]]
        case .anyOf(let values):
            return c.texts["risk.any_of", ["answers": values.map(name).joined(separator: ", ")]]
        case nil: return ""
        }
    }
}

extension RiskAnswer {
    /// A row for each question.
    package var wire: [Today.RiskAnswer] {
        asked.map { asked in
            Today.RiskAnswer(
                contributionID: sheet.text, patientID: patient.text, questionKey: asked.key,
                question: asked.question, answer: asked.answer,
                earlier: asked.earlier.map { Today.EarlierAnswer(at: $0.at, answer: $0.answer) },
                reasons: reasons, unseenSince: unseenSince, acknowledgedAt: settled?.at,
                acknowledgedBy: settled?.by)
        }
    }
}
