import Contributions
import Database
import Delivery
import Foundation
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Scheduling
import Therapies
import Tinnitus
import Wire

/// A person's data on their tinnitus beside the moments: a continued profile (SN-4), and runs of matching. With a
/// seed of its own, so that everything else stays unchanged.
extension DemonstrationLife {
    /// Begun two months ago, changed three weeks ago.
    func profile(_ therapy: NewTherapy, _ connection: borrowing Connection) throws {
        guard let person, let stored = try TherapyStore.find(therapy.id, of: therapist, connection) else {
            return
        }
        let dice = SeededRandom(1_404)
        let assignment: ID<Assignment> = dice.chance.id()
        let questionnaire = questionnaires[5]
        let begin = zone.instant(today.adding(days: -60), hour: 18, minute: 12)
        try AssignmentStore.insert(
            assignment, questionnaire: questionnaire.id, therapy: therapy.id, source: .therapist,
            from: begin.adding(days: -1), due: begin.adding(days: 6), at: begin.adding(days: -1), connection)
        try AssignmentStore.noteFetched([assignment], at: begin, connection)
        let later = zone.instant(today.adding(days: -21), hour: 20, minute: 40)
        var states = [DraftAnswers()]
        for (at, said) in [(begin, Self.atFirst), (later, Self.changed)] {
            var state = states.last ?? DraftAnswers()
            LivingSheet.merge(
                said.mapValues { .init($0) }, into: &state, questionnaire.definition, at: at)
            states.append(state)
        }
        guard let latest = states.last,
            let record = try AssignmentStore.find(assignment, inTherapy: therapy.id, connection)
        else { return }
        let sheet = try NewContribution(
            Submission(
                reason: .assignment(assignment), startedAt: begin, completedAt: later,
                timezone: zone.identifier, answers: nil, details: try LivingSheet.details(latest)),
            id: dice.chance.id(), account: person.record.id,
            target: TherapyTarget(record, stored, questionnaire), answers: latest.answers,
            receivedAt: later.adding(seconds: 1))
        try ContributionStore.insert(sheet, sheet.sealed(person.key), connection)
        for (index, at) in [begin, later].enumerated() {
            let change = LivingChange(
                id: index == 0 ? sheet.id : dice.chance.id(), sheet: sheet.id, account: person.record.id,
                questionnaire: questionnaire.id, at: at, from: states[index], to: states[index + 1],
                said: .null)
            try LivingSheetStore.insert(change, person.key, connection)
        }
    }

    private static let atFirst: [String: Answer?] = [
        "sounds_like": .numbers([1, 5]), "tone_or_noise": .number(1), "pitch": .number(3),
        "side": .number(2), "own_words": .text("Wie eine Grille, die nie Pause macht."),
        "presence": .number(4), "changes": .number(2), "loudness": .number(7), "burden": .number(8),
        "worse": .numbers([2, 3]),
    ]
    private static let changed: [String: Answer?] = [
        "presence": .number(3), "burden": .number(5), "better": .numbers([1, 2]), "own_words": nil,
        "wish": .text("Wieder mit offenem Fenster schlafen."),
    ]

    /// Six runs in six weeks, around one pitch; shared with the therapist.
    func matches(_ connection: borrowing Connection) throws {
        guard let person else { return }
        let dice = SeededRandom(6_137)
        for run in 1...6 {
            let at = zone.instant(
                today.adding(days: 7 * (run - 6) - 2), hour: 19, minute: dice.number(0...59))
            let steps = (log2(5600.0 / 125) * 24).rounded() + Double(dice.number(-6...6))
            try MatchStore.insert(
                TinnitusMatch(
                    matchedAt: at, method: run.isMultiple(of: 3) ? "2afc" : "slider", ear: "right",
                    kind: "tone", frequencyHz: 125 * exp2(steps / 24),
                    levelSlDb: Double(dice.number(6...14)), certainty: Double(dice.number(5...8)),
                    headphones: "over_ear", device: "Android", run: run),
                dice.chance.id(), of: person.record.id, person.key, at: at.adding(seconds: 2), connection)
        }
        try OwnSharingStore.set(
            MeasurementSharing(shared: [.tinnitus: nil]), of: person.record.id, connection)
    }
}
