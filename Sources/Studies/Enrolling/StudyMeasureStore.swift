import Database
import Records
import Wire

/// Every statement about the measurements that participants give.
enum StudyMeasureStore {
    /// Notes the ticked kinds, under the sentence shown now, and each that is another one than before with its moment.
    /// - Parameter asked: what the study asks for now; of what it does not ask, nothing was answered.
    static func set(
        _ measures: [StudyMeasures.Measure], of id: ID<Enrolment>, asked: [StudyMeasures.Measure],
        at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let enrolment = try EnrolmentStore.find(id: id, connection)
        let before = enrolment?.measurements ?? []
        let choices = try ItemChoiceStore.all(of: id, connection)
        for measure in StudyMeasures.offered where asked.contains(measure) {
            let kind = ItemChoice.Kind.measure(measure)
            let isGiven = measures.contains(measure)
            let last = choices.last { $0.kind == kind }
            // A page that is saved as it was leaves what was given by the consent to research as it was given.
            let kept =
                enrolment?.hasEarlierTicks == true
                ? [StudyMeasures.sentence] : [StudyMeasures.sentence, StudyMeasures.researchSentence]
            let isSame =
                isGiven == before.contains(measure)
                && (!isGiven || last?.isGiven == true && kept.contains(last?.sentence ?? 0))
            if isSame { continue }
            let choice = ItemChoice(kind: kind, isGiven: isGiven, at: now, sentence: StudyMeasures.sentence)
            try ItemChoiceStore.insert(choice, of: id, at: now, connection)
        }
        let present = measures + before.filter { !asked.contains($0) }
        try connection.run(
            """
            UPDATE enrolments SET measurements = \(StudyMeasures.column(present)), measurements_at = \(now),
                measurements_sentence = \(StudyMeasures.sentence)
            WHERE id = \(id)
            """)
    }

    /// Participants and applicants whose ticks are under an earlier sentence, not yet asked by a notice.
    static func unasked(limit: Int, _ connection: borrowing Connection) throws -> [EnrolmentRecord] {
        try connection.all(
            """
            SELECT * FROM enrolments WHERE measurements <> '' AND measurements_sentence < \(StudyMeasures.sentence)
            AND measurements_asked_at IS NULL AND state IN ('pending', 'enrolled') AND study_id IN
                (SELECT id FROM studies WHERE measurements <> '' AND archived_at IS NULL)
            ORDER BY id LIMIT \(limit)
            """)
    }

    static func noteAsked(_ id: ID<Enrolment>, at now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE enrolments SET measurements_asked_at = \(now) WHERE id = \(id)")
    }
}
