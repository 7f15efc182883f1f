import Contributions
import Database
import Delivery
import HTTP
import Instruments
import Pairing
import Records
import Rules
import Templates
import Therapies
import Web
import Wire
import Wording

/// A patient at a glance: state and profile, scores with their change, open items.
package struct PatientShow: Page {
    package static let template = "patients/show"
    package static let section: NavigationItem? = .patients

    /// A questionnaire with the newest values of its scales, which share a card.
    package struct Questionnaire: Encodable, Sendable {
        package let title: WrittenText
        package let scales: [Card]
    }

    package struct Card: Encodable, Sendable {
        package let scale: String
        package let path: String
        package let value: String
        /// `von 4`; nil where it is unknown.
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
        let note: String?
        let fields: [FieldView]
    }

    /// What has come in since the last session, in figures.
    struct Interval: Encodable, Sendable {
        let heading: String
        let figures: [Fact]
    }

    package struct Briefing: Encodable, Sendable {
        let lines: [SessionReminder]
    }

    package let head: PatientHead
    package let state: String
    package let tone: String
    package let profile: [Fact]
    /// Nil when no rule has left a line.
    package let briefing: Briefing?
    package let cards: [Questionnaire]
    /// Nil while nothing has come in.
    let interval: Interval?
    package let open: [Open]
    /// The patient's own measurements of the last four weeks, as shared.
    let bands: [SharedBandView]
    /// Whether the reader is the first therapist: with private words, dates, access log and end.
    let isOwner: Bool
    /// The therapist's private words; nil while they are hidden.
    let own: Own?
    let dateFields: [FieldView]
    /// Whether a form is shown again: it stands open.
    let isEditing: Bool
    /// Whether undoing the pairing stays in sight.
    package let canUndo: Bool
    /// Nil for a reader who may only read.
    package let ways: FootWays?
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
        let words = try therapy.note(c.keys)
        let note = filled.field(
            "note", .area, label: "patients.note", first: words ?? "", hint: "patients.note_hint")
        let alias = PatientPages.alias(filled, first: try therapy.alias(c.keys) ?? "")
        return PatientShow(
            head: try PatientHead.make(c, tab: .overview, sessions, connection),
            state: texts["patients.state_\(state.rawValue)"], tone: tones[state] ?? "plain",
            profile: try PatientProfile.facts(c, code, connection),
            briefing: try briefing(c, sessions, connection),
            cards: try ScoreCards.make(c, sessions, connection),
            interval: try interval(c, sessions, connection), open: try open(c, connection),
            bands: try SharedBandView.all(c, from: c.now.adding(days: -28), until: c.now, connection),
            isOwner: c.proof.standing.isOwner,
            own: c.proof.mayName ? Own(note: words, fields: [alias, note]) : nil,
            dateFields: PatientPages.therapyDates(filled, of: therapy),
            isEditing: !filled.form.fields.isEmpty,
            canUndo: c.proof.standing.isOwner && state == .paired
                && PatientHead.isNewlyPaired(therapy, now: c.now),
            ways: ways(c),
            errors: filled.summary)
    }

    private static func briefing(
        _ c: Context<Caseload>, _ sessions: SessionList, _ connection: borrowing Connection
    ) throws -> Briefing? {
        let since = sessions.last?.session.endsAt ?? .distantPast
        let words = try RuleFormatter(c, connection)
        let lines = try SessionReminder.all(in: c.proof.patient, since: since, words, c.keys, connection)
        return lines.isEmpty ? nil : Briefing(lines: lines)
    }

    private static func interval(
        _ c: Context<Caseload>, _ sessions: SessionList, _ connection: borrowing Connection
    ) throws -> Interval? {
        let stretch = Stretch(begin: sessions.held.last, end: nil)
        let facts = try IntervalFacts(stretch, in: c.proof.patient.id, now: c.now, connection)
        let figures = facts.sums.figures(c.texts)
        guard !figures.isEmpty else { return nil }
        return Interval(
            heading: c.texts[stretch.begin == nil ? "briefing.since_begin" : "patients.since_last"],
            figures: figures)
    }

    /// A reader who acts writes letters; all else of the file is the first therapist's.
    private static func ways(_ c: Context<Caseload>) -> FootWays? {
        let therapy = c.proof.patient
        let standing = c.proof.standing
        guard standing.mayAct || standing.isOwner else { return nil }
        let link = { (way: String, label: String) in
            PageLink(label: c.texts[label], path: "\(therapy.path)/\(way)")
        }
        var quiet = [link("letters", "letters.title")]
        var dangers: [PageLink] = []
        if standing.isOwner {
            quiet.insert(link("file", "therapy_file.title"), at: 0)
            quiet += [
                link("emergency-contact", "emergency.link"), link("members", "sharing.members_title"),
                link("audit-log", "audit.trail"),
            ]
            if therapy.endedAt == nil {
                quiet.append(link("hand-over", "handover.prepare"))
                dangers.append(link("end-therapy", "ending.title"))
            }
            if therapy.accountID == nil { dangers.append(link("erasure", "ending.erase_title")) }
        }
        return FootWays(label: c.texts["patients.ways"], quiet: quiet, dangers: dangers)
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
