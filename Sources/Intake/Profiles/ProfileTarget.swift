import Contributions
import Database
import Delivery
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Studies
import Therapies
import Web
import Wire
import Wording

/// A profile that a person keeps (SN-4): the one sheet of a questionnaire of mode `living` in a therapy or in a
/// study. It is named by what offers it: an assignment, or a questionnaire of a study.
package struct ProfileTarget: Sendable {
    /// The id in its address.
    package let id: String
    package let account: AccountRecord
    /// The version to fill in now.
    package let questionnaire: QuestionnaireRecord
    let occasion: Occasion
    /// Whether it can be filled in now.
    package let isOpen: Bool

    package var definition: QuestionnaireDefinition { questionnaire.definition }
    /// Whether it belongs to a study; otherwise to a therapy.
    package var isOfStudy: Bool { occasion.therapy == nil }
    package var path: String { "/my/profiles/\(id)" }

    /// - Returns: nil for another account's, and for a questionnaire that is no profile.
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

    /// Every profile of an account: those assigned in therapies, and those of its studies.
    package static func all(
        of account: AccountRecord, _ cache: QuestionnaireCache, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> [ProfileTarget] {
        var all: [ProfileTarget] = []
        for therapy in try TherapyStore.all(of: account.id, connection) {
            var keys: Set<String> = []
            // The newest represents all assignments of one questionnaire.
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
        // Most assignments are no profiles, and questionnaires are looked up in memory.
        guard let asked = try QuestionnaireStore.find(assignment.questionnaireID, cache, connection),
            asked.definition.mode == .living,
            let therapy = try TherapyStore.find(assignment.therapyID, connection),
            therapy.accountID == account.id
        else { return nil }
        let newest = try QuestionnaireStore.newest(asked.key, cache, connection)
        let record = newest.flatMap { $0.definition.mode == .living ? $0 : nil } ?? asked
        let isOpen =
            therapy.endedAt == nil && therapy.asksByApp && assignment.withdrawnAt == nil
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

    // MARK: Present state

    /// The present sheet; nil before the first answer.
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

    /// The latest answers that the present version accepts, and those taken back.
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
    /// The profile that a received sheet names, in the present version.
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
        // A profile is not limited by the prompt's window.
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
