import Database
import Pairing
import Records
import Studies
import Therapies
import Web
import Wire
import Wording

/// What a patient's overview tells of the person: birth date, pairing, dates of the therapy, the offered study and the pause.
enum PatientProfile {
    static func facts(
        _ c: Context<Caseload>, _ code: PairingCodeRecord?, _ connection: borrowing Connection
    ) throws -> [Fact] {
        try profile(c, code) + study(c, connection) + pause(c, connection)
    }

    private static func profile(_ c: Context<Caseload>, _ code: PairingCodeRecord?) throws -> [Fact] {
        let therapy = c.proof.patient
        let texts = c.texts
        let dates = c.dates
        var facts: [Fact] = []
        if let date = try therapy.birthDate(c.keys) {
            facts.append(Fact(label: texts["patients.birth_date"], value: dates.day(date)))
        }
        if let gender = therapy.gender {
            facts.append(
                Fact(label: texts["profile.gender"], value: texts["profile.gender_\(gender.rawValue)"]))
        }
        if let at = therapy.pairedAt {
            facts.append(Fact(label: texts["patients.paired_at"], value: dates.dayAndTime(at)))
        }
        if let code, code.isLive(at: c.now) {
            facts.append(Fact(label: texts["patients.code_expires"], value: dates.dayAndTime(code.expiresAt)))
        }
        if let day = therapy.startedOn {
            facts.append(Fact(label: texts["patients.starts_on"], value: dates.day(day)))
        }
        if let day = therapy.endsOn {
            facts.append(Fact(label: texts["patients.ends_on"], value: dates.day(day)))
        }
        return facts
    }

    /// The study offered by the therapist, and the patient's answer. Other studies are the patient's private matter.
    private static func study(_ c: Context<Caseload>, _ connection: borrowing Connection) throws -> [Fact] {
        let therapy = c.proof.patient
        let texts = c.texts
        guard
            let study = try OfferStore.study(ofTherapy: therapy.id, connection).flatMap({
                try StudyStore.find($0, connection)
            })
        else { return [] }
        // An ended therapy gets no further news.
        let account = therapy.endedAt == nil ? therapy.accountID : nil
        let enrolment = try account.flatMap { try EnrolmentStore.find(in: study.id, of: $0, connection) }
        var words = [study.title.text(in: c.languages) ?? study.name]
        words.append(
            enrolment.map { texts["studies.is_\($0.state.rawValue)"] }
                ?? texts[therapy.accountID == nil ? "patients.study_offered" : "patients.study_suggested"])
        if let arm = enrolment?.arm, enrolment?.therapyID == therapy.id {
            words.append(try ArmWords(of: study.id, in: c.languages, texts, connection).name(arm))
        }
        return [Fact(label: texts["studies.study"], value: words.joined(separator: " · "))]
    }

    /// The present pause, with the substitute.
    private static func pause(_ c: Context<Caseload>, _ connection: borrowing Connection) throws -> [Fact] {
        let today = c.dates.today
        let pauses = try PauseStore.all(for: c.proof.patient, connection).filter {
            $0.startsOn <= today && $0.endsOn >= today
        }
        return try pauses.map { pause in
            let cover = try PauseReader.cover(of: pause, c.proof.patient, c.keys, connection)
            let words = [
                c.texts["pauses.now", ["until": c.dates.day(pause.endsOn)]],
                cover.map { c.texts["pauses.cover_is", ["name": $0]] },
            ]
            return Fact(
                label: c.texts["pauses.title"], value: words.compactMap(\.self).joined(separator: " · "))
        }
    }
}
