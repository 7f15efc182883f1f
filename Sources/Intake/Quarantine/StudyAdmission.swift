import Contributions
import Database
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Studies
import Web
import Wire
import Wording

/// Decides about a refused sheet of a study, by codename. An admitted one becomes a sheet like any other, marked as
/// admitted; its content stays as sent, except for an impossible time and for sensors that were off.
package struct StudyAdmission: RefusedContribution {
    package let record: QuarantinedRecord
    package let json: JSON
    package let submission: Submission?
    package let answers: Answers
    package private(set) var obstacle: Message?
    package private(set) var isArrivalLate = false
    private let enrolment: EnrolmentRecord
    /// The target; nil with the obstacle when it cannot be admitted.
    private let place: StudyTarget?
    /// The prompt that it names.
    private let asked: StudyAssignment?

    package var questionnaire: QuestionnaireRecord? { place?.questionnaire }
    package var codename: String? { enrolment.codename }

    private init(
        _ found: Reader, place: StudyTarget? = nil, asked: StudyAssignment? = nil, answers: Answers = [:],
        obstacle: Message?
    ) {
        self.record = found.record
        self.json = found.json
        self.submission = found.submission
        self.enrolment = found.enrolment
        self.place = place
        self.asked = asked
        self.answers = answers
        self.obstacle = obstacle
    }

    /// The common inputs of reading.
    private struct Reader {
        let record: QuarantinedRecord
        let json: JSON
        let submission: Submission?
        let enrolment: EnrolmentRecord
    }

    /// - Throws: `Problem.notFound` for a participant whose data may no longer be disclosed.
    static func read(
        _ record: QuarantinedRecord, in study: ID<Study>, _ services: Services,
        _ connection: borrowing Connection
    ) throws -> StudyAdmission {
        guard let id = record.enrolmentID, let enrolment = try EnrolmentStore.consenting(id, connection),
            enrolment.studyID == study, let account = try AccountStore.find(record.accountID, connection)
        else { throw Problem.notFound }
        if record.isEmptied { throw Problem.conflict(Message("quarantine.decided")) }
        let json = try record.json(try account.key(services.keys))
        let submission = try? Submission.read(InputReader(json: json), zone: account.timezone)
        let found = Reader(record: record, json: json, submission: submission, enrolment: enrolment)
        guard let submission else {
            return StudyAdmission(found, obstacle: Message("quarantine.unreadable"))
        }
        let (asked, version) = try target(of: submission, found, services.questionnaires, connection)
        let event = try submission.event.flatMap {
            try StudyEventStore.find($0, of: record.accountID, connection)
        }
        let item = asked?.item.id.text ?? event?.itemID.text ?? submission.item
        guard let version, let place = try place(version, item, found, services.questionnaires, connection)
        else {
            return StudyAdmission(found, obstacle: Message("quarantine.no_version"))
        }
        if record.reason == .clock, let asked, record.receivedAt.seconds < asked.availableFrom.seconds {
            return StudyAdmission(
                found, place: place, asked: asked, obstacle: Message("quarantine.not_begun"))
        }
        do {
            let answers = try place.questionnaire.definition.readAnswers(submission.answers)
            return try StudyAdmission(
                found, place: place, asked: asked, answers: answers, obstacle: nil
            ).looked(services.questionnaires, connection)
        } catch {
            return StudyAdmission(
                found, place: place, asked: asked, obstacle: Message("quarantine.other_questions"))
        }
    }

    /// The prompt that it names, and the version it answers. For an unknown version it is the questionnaire in use
    /// with these questions, if there is exactly one.
    private static func target(
        of submission: Submission, _ found: Reader, _ cache: QuestionnaireCache,
        _ connection: borrowing Connection
    ) throws -> (asked: StudyAssignment?, version: ID<QuestionnaireVersion>?) {
        switch submission.reason {
        case .daily, .paper: return (nil, nil)
        case .assignment(let id):
            let all = StudyAssignments(
                account: found.record.accountID, cache: cache, now: found.record.receivedAt)
            let asked =
                try all.find(id, at: submission.completedAt, connection)
                ?? all.find(id, at: found.record.receivedAt, connection)
            return (asked, asked?.questionnaire.id)
        case .study(_, let version):
            if try QuestionnaireStore.find(version, cache, connection) != nil { return (nil, version) }
            let fitting = try StudyItemStore.all(in: found.enrolment.studyID, connection).distinct.compactMap
            {
                try QuestionnaireStore.newest($0.key, cache, connection)
            }.filter { (try? $0.definition.readAnswers(submission.answers)) != nil }
            return (nil, fitting.count == 1 ? fitting.first?.id : nil)
        }
    }

    private static func place(
        _ version: ID<QuestionnaireVersion>, _ named: String?, _ found: Reader, _ cache: QuestionnaireCache,
        _ connection: borrowing Connection
    ) throws -> StudyTarget? {
        guard let study = try StudyStore.find(found.enrolment.studyID, connection),
            let questionnaire = try QuestionnaireStore.find(version, cache, connection)
        else { return nil }
        let all = try StudyItemStore.all(of: questionnaire.key, in: study.id, connection)
        let prompts = try StudyPrompts(study, connection).of(found.enrolment, connection)
        let received = found.record.receivedAt
        let completed = min(found.submission?.completedAt ?? received, received)
        guard let item = Self.item(named, among: all, at: completed, prompts) else { return nil }
        return StudyTarget(
            study: study, enrolment: found.enrolment, item: item, questionnaire: questionnaire)
    }

    /// The one that it names. Without a name the one on the days of whose time point it was completed, else the one without a time
    /// point, else the one whose days were over last.
    private static func item(
        _ named: String?, among all: [StudyItem], at completed: Instant, _ prompts: ParticipantPrompts
    ) -> StudyItem? {
        if let named { return all.first { $0.id.text == named } }
        if all.count < 2 { return all.first }
        let open = all.filter { $0.timePoint != nil && prompts.isOpen($0, at: completed) }
        if open.count == 1 { return open[0] }
        let ended = all.compactMap { item in
            prompts.windowEnd(item, at: completed).map { (item: item, end: $0) }
        }
        return all.first { $0.timePoint == nil } ?? ended.max { $0.end < $1.end }?.item
    }

    /// The time of completion that counts: the one sent, unless the clock was wrong. Then the moment of arrival, or
    /// the end of its prompt's day if that was earlier.
    package var completedAt: Instant? {
        guard record.reason == .clock else {
            let opens = asked?.availableFrom ?? enrolment.enrolledAt
            return submission?.counted(from: opens ?? .distantPast).completedAt
        }
        return min(record.receivedAt, asked?.takenUntil ?? .distantFuture)
    }

    /// The same, with the obstacle of a sheet of that time.
    private func looked(
        _ cache: QuestionnaireCache, _ connection: borrowing Connection
    ) throws -> StudyAdmission {
        guard obstacle == nil, let place, let completedAt else { return self }
        let rule = StudyRule(
            place: place, arrival: .quarantine(record, by: ""), cache: cache, now: record.receivedAt)
        var looked = self
        looked.obstacle = try rule.obstacle(at: completedAt, enrolment, connection)
        if record.reason == .ended {
            let prompts = try StudyPrompts(place.study, connection)
            let last =
                try asked?.arrivesUntil
                ?? PromptMatch.find(
                    for: place.item, at: completedAt,
                    prompts.of(enrolment, connection), connection)?.arrivesUntil
            let isInTime =
                asked.map { completedAt.seconds <= $0.takenUntil.seconds }
                ?? (prompts.runs.hold(completedAt)
                    && completedAt.seconds <= (place.item.deactivatedAt ?? .distantFuture).seconds)
            looked.isArrivalLate = isInTime && last.map { record.receivedAt.seconds > $0.seconds } ?? false
        }
        return looked
    }

    /// Stores it and notes the decision, in one transaction.
    /// - Throws: `Problem.conflict` when it cannot be admitted, or was decided already.
    func admit(_ c: Context<StudyLead>) throws {
        if let obstacle { throw Problem.conflict(obstacle) }
        guard let place else { throw Problem.notFound }
        let occasion = asked.map { Occasion.prompt($0, place) } ?? .unasked(.study(place))
        try admit(for: occasion, by: c.proof.lead.id, asks: place.item.asks, c)
    }

    /// It can be brought back for 30 days.
    func discard(_ c: Context<StudyLead>) throws {
        let id = record.id
        let study = c.proof.study.id
        let by = c.proof.lead.id
        try c.write(.quarantineDiscarded, about: record.accountID, object: id) { [now = c.now] connection in
            try QuarantineStore.decide(.discarded, id, at: .study(study), by: by, now: now, connection)
        }
    }

    /// Undoes a discarding: the sheet waits for a decision again.
    static func bringBack(_ c: Context<StudyLead>) throws {
        let id: ID<QuarantinedRecord> = try c.id("sheet")
        let study = c.proof.study.id
        let record = try c.read { try QuarantineStore.find(id, at: .study(study), $0) }
        guard let record else { throw Problem.notFound }
        try c.write(.quarantineReturned, about: record.accountID, object: id) { [now = c.now] connection in
            try QuarantineStore.bringBack(id, at: .study(study), now: now, connection)
        }
    }
}
