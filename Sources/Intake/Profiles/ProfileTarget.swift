import Database
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Responses
import Studies
import Therapies
import Web
import Wire
import Wording

/// A profile that somebody keeps up (SN-4): the one sheet of a questionnaire of mode `living` in a therapy or in a study.
/// It is named by what offers it: an assignment, or a questionnaire of a study.
package struct ProfileTarget: Sendable {
    /// What its address says.
    package let id: String
    package let account: AccountRecord
    /// The version that is filled in now.
    package let questionnaire: QuestionnaireRecord
    let occasion: Occasion
    /// Whether it can be filled in now.
    package let isOpen: Bool

    package var definition: QuestionnaireDefinition { questionnaire.definition }
    /// Whether it belongs to a study; else to a therapy.
    package var isOfStudy: Bool { occasion.therapy == nil }
    package var path: String { "/my/profiles/\(id)" }

    /// - Returns: nil for what is not theirs, and for what is no profile.
    package static func find(
        _ id: String, of account: AccountRecord, _ cache: QuestionnaireCache, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> ProfileTarget? {
        let assignment = try AssignmentStore.find(ID<Assignment>(id), of: account.id, connection)
        if let assignment { return try target(assignment, account, cache, at: now, connection) }
        let own = try OwnStudyItem.all(of: account.id, cache, at: now, connection)
        let named = own.first {
            $0.item.id.text == id || StudyAssignment.once($0.item.id, $0.enrolment.id).text == id
        }
        return named.flatMap { target($0, account) }
    }

    /// Every profile of somebody: what therapies gave them, and what their studies ask.
    package static func all(
        of account: AccountRecord, _ cache: QuestionnaireCache, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> [ProfileTarget] {
        var all: [ProfileTarget] = []
        for therapy in try TherapyStore.all(of: account.id, connection) {
            var keys: Set<String> = []
            // The newest stands for all that were given of one questionnaire.
            for assignment in try AssignmentStore.all(in: therapy.id, connection)
            where assignment.withdrawnAt == nil && assignment.availableFrom <= now {
                guard let found = try target(assignment, account, cache, at: now, connection),
                    keys.insert(found.questionnaire.key).inserted
                else { continue }
                all.append(found)
            }
        }
        let own = try OwnStudyItem.all(of: account.id, cache, at: now, connection)
        return all + own.compactMap { target($0, account) }
    }

    private static func target(
        _ assignment: AssignmentRecord, _ account: AccountRecord, _ cache: QuestionnaireCache,
        at now: Instant, _ connection: borrowing Connection
    ) throws -> ProfileTarget? {
        // Most assignments are none, and questionnaires are looked up in memory.
        guard let asked = try QuestionnaireStore.find(assignment.questionnaireID, cache, connection),
            asked.definition.mode == .living,
            let therapy = try TherapyStore.find(assignment.therapyID, connection),
            therapy.accountID == account.id
        else { return nil }
        let newest = try QuestionnaireStore.newest(asked.key, cache, connection)
        let record = newest.flatMap { $0.definition.mode == .living ? $0 : nil } ?? asked
        let isOpen =
            therapy.endedAt == nil && therapy.arm != .noApp && assignment.withdrawnAt == nil
            && assignment.availableFrom.seconds <= now.seconds
        return ProfileTarget(
            id: assignment.id.text, account: account, questionnaire: record,
            occasion: .assignment(assignment, TherapyTarget(assignment, therapy, record)), isOpen: isOpen)
    }

    private static func target(_ own: OwnStudyItem, _ account: AccountRecord) -> ProfileTarget? {
        guard let record = own.questionnaire, record.definition.mode == .living else { return nil }
        let place = StudyTarget(
            study: own.study, enrolment: own.enrolment, item: own.item, questionnaire: record)
        return ProfileTarget(
            id: own.item.id.text, account: account, questionnaire: record,
            occasion: .unasked(.study(place)), isOpen: own.state == .open)
    }

    // MARK: What is there

    /// The sheet as it is by now; nil before anything was answered.
    package func sheet(_ connection: borrowing Connection) throws -> ContributionRecord? {
        switch occasion.owner {
        case .therapy(let target):
            try LivingSheetStore.find(
                questionnaire.key, of: account.id, inTherapy: target.therapy.id, connection)
        case .study(let place):
            try LivingSheetStore.find(
                questionnaire.key, of: account.id, as: place.enrolment.id, connection)
        }
    }

    /// The latest answers that the version of today can take, and what was taken back.
    package func state(_ keys: Keyring, _ connection: borrowing Connection) throws -> DraftAnswers {
        guard let sheet = try sheet(connection) else { return DraftAnswers() }
        return try fitting(LivingSheet.state(of: sheet, try account.key(keys)))
    }

    func fitting(_ state: DraftAnswers) -> DraftAnswers {
        state.fitting { key, answer in
            guard definition.question(key) != nil else { return false }
            guard let answer else { return true }
            let json = JSON.object([JSON.Member(key, JSON(answer))])
            return (try? definition.readAnswers(json, isHalf: true)) != nil
        }
    }
}

extension ProfileTarget {
    /// What a sheet that came in names, in the version of today.
    init(
        _ occasion: Occasion, of account: AccountRecord, _ cache: QuestionnaireCache,
        _ connection: borrowing Connection
    ) throws {
        let sent = occasion.questionnaire
        let newest = try QuestionnaireStore.newest(sent.key, cache, connection)
        let record = newest.flatMap { $0.definition.mode == .living ? $0 : nil } ?? sent
        switch occasion {
        case .assignment(let assignment, let target):
            self.init(
                id: assignment.id.text, account: account, questionnaire: record,
                occasion: .assignment(assignment, TherapyTarget(assignment, target.therapy, record)),
                isOpen: true)
        // A prompt's window does not hold for what goes on.
        case .prompt(_, let place), .unasked(.study(let place)):
            let place = StudyTarget(
                study: place.study, enrolment: place.enrolment, item: place.item, questionnaire: record)
            self.init(
                id: place.item.id.text, account: account, questionnaire: record,
                occasion: .unasked(.study(place)), isOpen: true)
        case .ownDaily, .unasked(.therapy): throw Problem.notFound
        }
    }
}
