import Contributions
import Database
import HTTP
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Studies
import Web
import Wire
import Wording

/// Takes a device's sheet: finds its occasion, reads the answers and hands them to `Intake`. A refused sheet that may
/// still be of use goes into quarantine.
package enum Submitting {
    /// - Parameters:
    ///   - json: the body as received, for the quarantine.
    ///   - place: where it was filled in.
    ///   - proof: refuses, in the transaction that stores it, sheets that may not come in any more.
    package static func take(
        _ submission: Submission, _ json: JSON, id: ID<ContributionRecord>, of account: AccountRecord,
        in place: Arrival.Place = .app, _ c: Context<some Sendable>,
        proof: (@Sendable (borrowing Connection) throws -> Void)? = nil
    ) throws -> Intake.Taken {
        let quarantine = Quarantine(id: id, json: json, account: account, place: place)
        let search = OccasionSearch(
            submission: submission, id: id, account: account.id, cache: c.services.questionnaires,
            now: c.now)
        let found: OccasionSearch.Found
        do {
            found = try c.read { try search.find($0) }
        } catch let unknown as UnknownVersion {
            try quarantine.keep(.unknownVersion, for: .therapy(unknown.therapy), c)
            throw Problem.invalid("daily.questionnaire_id", "answers.unknown_version")
        } catch let unknown as UnknownStudyVersion {
            try quarantine.keep(.unknownVersion, for: .study(enrolment: unknown.enrolment), c)
            throw Problem.invalid("questionnaire_id", "studies.not_in_study")
        } catch let ended as AfterEnd {
            try quarantine.keep(.ended, for: ended.owner, c)
            throw ended.problem
        }
        let occasion = found.occasion
        let credential = place == .link ? nil : c.actor.signedIn?.credential.id
        let arrival = Arrival.device(quarantine, credential: credential, known: found.known)
        if occasion.questionnaire.definition.mode == .living {
            return try ProfileKeeping.take(
                submission, occasion, of: account, arrival, id: id, c, proof: proof)
        }
        let counted = submission.counted(from: found.opens)
        let answers = try counted.answers(to: occasion.questionnaire.definition, asks: found.asks)
        var dropped = counted.sensorsOff(by: account, found.known)
        if found.known == nil, occasion.isLocationRefused, counted.sensors.contains("gps"),
            !dropped.contains("gps")
        {
            dropped.append("gps")
        }
        var sheet = try occasion.sheet(
            try counted.without(sensors: dropped), id: id, answers: answers, of: account.id, from: arrival,
            at: c.now)
        sheet.sensorsDropped = dropped
        sheet.isOnSite = place == .link
        let isRead = counted.sensors.contains("gps") && !dropped.contains("gps")
        let isRefused = submission.refusedSensors.contains("gps")
        let position: StudyLocation.Device? = isRead ? .read : isRefused ? .refused : nil
        let new = IncomingContribution(
            sheet: sheet, key: try account.key(c.keys), position: position, proof: proof)
        return try Intake.take(new, for: occasion, from: arrival, c)
    }
}
