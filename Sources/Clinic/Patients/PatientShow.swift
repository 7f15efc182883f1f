import Contributions
import Database
import Delivery
import Instruments
import Pairing
import Records
import Rules
import Studies
import Templates
import Therapies
import Web
import Wire
import Wording

/// A patient at a glance: state and profile, scores with their change, open items.
package struct PatientShow: Page {
    package static let template = "patients/show"
    package static let section: NavigationItem? = .patients

    package struct Card: Encodable, Sendable {
        package let title: WrittenText
        package let scale: String
        package let path: String
        package let value: String
        /// `von 4`; nil where the scale does not run from 0 to a known end.
        package let range: String?
        /// The better end; nil for a scale without one.
        package let direction: String?
        package let basis: String
        /// The course over the scale's own range, a hundred wide and thirty-two high, and its end; empty for a single value.
        package let course: String
        package let end: String
        package let changes: [JudgedChange]
        /// How the verdict is reached and the source of the figures, or why there is none.
        package let formula: String
    }
    package struct Open: Encodable, Sendable {
        let id: ID<Assignment>
        /// Of the questionnaire.
        let key: String
        let title: WrittenText
        let window: String
        let state: String
        let tone: String
        let canWithdraw: Bool
    }

    struct Own: Encodable, Sendable {
        let fields: [FieldView]
    }

    package struct Briefing: Encodable, Sendable {
        let lines: [SessionReminder]
    }

    package let head: PatientHead
    package let state: String
    package let tone: String
    /// Whether the sheet can be printed.
    let hasCode: Bool
    let needsCode: Bool
    package let profile: [Fact]
    /// Nil when no rule has left a line.
    package let briefing: Briefing?
    package let cards: [Card]
    package let open: [Open]
    /// The patient's own measurements of the last four weeks, as shared.
    let bands: [SharedBandView]
    /// Whether the reader is the first therapist: with private words, dates, access log and end.
    let isOwner: Bool
    /// The therapist's private words; nil while they are hidden.
    let own: Own?
    let dateFields: [FieldView]
    /// Whether it can be ended, and whether a wrong pairing can be undone.
    let canEnd: Bool
    package let canUndo: Bool
    /// Whether the therapist can erase an unpaired patient.
    package let canErase: Bool
    package let errors: ErrorSummary?

    static func make(_ c: Context<Caseload>, _ filled: FormState, _ connection: borrowing Connection) throws
        -> PatientShow
    {
        let therapy = c.proof.patient
        let texts = c.texts
        let sessions = try SessionStore.list(of: therapy, c.dates.zone, now: c.now, connection)
        let code = try PairingStore.current(of: therapy.id, connection)
        let state = PatientState(therapy, code, now: c.now)
        let tones = [PatientState.paired: "good", .codeOpen: "accent", .codeExpired: "warn", .ended: "plain"]
        let note = filled.field(
            "note", .area, label: "patients.note", first: try therapy.note(c.keys) ?? "",
            hint: "patients.note_hint")
        let alias = PatientPages.alias(filled, first: try therapy.alias(c.keys) ?? "")
        return PatientShow(
            head: PatientHead.make(c, tab: .overview, sessions),
            state: texts["patients.state_\(state.rawValue)"], tone: tones[state] ?? "plain",
            hasCode: state == .codeOpen, needsCode: state == .codeExpired,
            profile: try profile(c, code) + study(c, connection) + pause(c, connection),
            briefing: try briefing(c, sessions, connection),
            cards: try ScoreCards.make(c, sessions, connection), open: try open(c, connection),
            bands: try SharedBandView.all(c, from: c.now.adding(days: -28), until: c.now, connection),
            isOwner: c.proof.standing.isOwner,
            own: c.proof.mayName ? Own(fields: [alias, note]) : nil,
            dateFields: PatientPages.therapyDates(filled, of: therapy),
            canEnd: therapy.endedAt == nil, canUndo: state == .paired,
            canErase: therapy.accountID == nil,
            errors: filled.summary)
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
            words.append(texts["studies.arm_\(arm.rawValue)"])
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

    private static func briefing(
        _ c: Context<Caseload>, _ sessions: SessionList, _ connection: borrowing Connection
    ) throws -> Briefing? {
        let since = sessions.last?.session.endsAt ?? .distantPast
        let words = try RuleFormatter(c, connection)
        let lines = try SessionReminder.all(in: c.proof.patient, since: since, words, c.keys, connection)
        return lines.isEmpty ? nil : Briefing(lines: lines)
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
        if let day = therapy.endsOn {
            facts.append(Fact(label: texts["patients.ends_on"], value: dates.day(day)))
        }
        return facts
    }

    static func open(_ c: Context<Caseload>, _ connection: borrowing Connection) throws -> [Open] {
        let shownFrom = c.now.adding(days: -14)
        let records = try AssignmentStore.unanswered(
            in: c.proof.patient.id, dueAfter: shownFrom, limit: TimelineReader.givenLimit, connection)
        let texts = c.texts
        var rows: [Open] = []
        for record in records {
            let state = record.state(at: c.now)
            let cache = c.services.questionnaires
            guard
                let questionnaire = try QuestionnaireStore.find(record.questionnaireID, cache, connection)
            else { continue }
            let window = [
                "from": texts.when(record.opens, c.dates), "until": texts.when(record.closes, c.dates),
            ]
            rows.append(
                Open(
                    id: record.id, key: questionnaire.key, title: questionnaire.written(on: c.language),
                    window: record.isUnreached(at: c.now)
                        ? c.texts["timeline.window", window] + " · " + c.texts["delivery.unreached"]
                        : c.texts["timeline.window", window],
                    state: c.texts["assignments.state_\(state.rawValue)"],
                    tone: state == .missed ? "warn" : "accent",
                    canWithdraw: state != .missed))
        }
        return rows
    }
}
