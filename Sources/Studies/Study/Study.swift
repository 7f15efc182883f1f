import Database
import Records
import Scheduling
import Web
import Wire
import Wording

/// How participants get in.
package enum StudyAccess: String, Sendable, CaseIterable, SQLConvertible { case open, password, request }

/// What is done with a study as a whole.
package enum StudySwitch: String, Sendable, CaseIterable { case start, stop, archive, restore }

/// A study as stored.
package struct StudyRecord: Sendable, FromRow {
    package let id: ID<Study>
    /// A short name, for files and commands.
    package let name: String
    package let title: LocalizedText
    package let description: LocalizedText
    package let text: LocalizedText
    package let access: StudyAccess
    package let passwordHash: String?
    package let isPrivate: Bool
    package let isHidden: Bool
    package let code: String
    package let isStarted: Bool
    package let startsAt: Instant?
    package let endsAt: Instant?
    package let createdAt: Instant
    package let archivedAt: Instant?
    package let consent: LocalizedText
    package let consentVersion: Int
    /// Of its picture; nil without one.
    package let pictureVersion: String?
    /// Counts the changes, so that two leads do not overwrite each other unseen.
    package let revision: Int
    /// Kinds of people's own measurements that it asks for.
    package let measurements: [StudyMeasures.Measure]
    /// Why it records the position, in the leads' words; empty for ours.
    package let locationReason: LocalizedText
    /// In their order.
    package let timePoints: [TimePoint]
    /// Whether its consent text says that leads learn dates of the participants' therapies.
    package let tellsSessionDates: Bool
    /// Whether it says so of every session.
    package let tellsEverySession: Bool

    package init(row: borrowing Row) throws {
        id = try row["id"]
        name = try row["name"]
        code = try row["code"]
        title = try LocalizedText(row: row, "title")
        description = try LocalizedText(row: row, "description")
        text = try LocalizedText(row: row, "text")
        access = try row["access"]
        passwordHash = try row["password_hash"]
        isPrivate = try row["is_private"]
        isHidden = try row["is_hidden"]
        isStarted = try row["is_running"]
        startsAt = try row["starts_at"]
        endsAt = try row["ends_at"]
        createdAt = try row["created_at"]
        archivedAt = try row["archived_at"]
        consent = try LocalizedText(row: row, "consent")
        consentVersion = try row["consent_version"]
        pictureVersion = try row["picture_version"]
        revision = try row["revision"]
        measurements = StudyMeasures.list(column: try row["measurements"])
        locationReason = try LocalizedText(row: row, "location_reason")
        timePoints = try TimePoint.list(column: try row["time_points"])
        tellsSessionDates = try row["session_dates"]
        tellsEverySession = try row["every_session"]
    }

    /// The page of those that lead the study.
    package var path: String { "/studies/\(id)" }

    /// Started by a lead, begun and not over.
    package func isRunning(at now: Instant) -> Bool {
        isStarted && archivedAt == nil && (startsAt ?? .distantPast) <= now
            && now < (endsAt ?? .distantFuture)
    }

    /// Ran until its end: neither stopped by a lead nor archived.
    package func hasEnded(at now: Instant) -> Bool {
        isStarted && archivedAt == nil && (endsAt ?? .distantFuture) <= now
    }
}

/// A study as entered by a lead. Made only by reading.
package struct StudyDraft: Sendable {
    package var name: String
    package var title: LocalizedText
    package var description: LocalizedText
    package var text: LocalizedText
    package var consent: LocalizedText
    package var access: StudyAccess
    /// A new one; nil keeps the old one.
    package var password: String?
    package var isPrivate: Bool
    package var isHidden: Bool
    package var isStarted: Bool
    package var isArchived: Bool
    package var startsAt: Instant?
    package var endsAt: Instant?
    package var picture = PictureChange.keep
    package var measurements: [StudyMeasures.Measure] = []
    package var locationReason = LocalizedText()
    package var timePoints: [TimePoint] = []
    package var tellsSessionDates = false
    package var tellsEverySession: Bool { tellsSessionDates && timePoints.hasEachSession }

    private static let textLimit = 20_000
    /// With room for the sentences of `SessionDatesLine` and `ConsentLine`.
    private static let consentLimit = 20_900

    /// A study to be changed or copied.
    package init(_ record: StudyRecord) {
        name = record.name
        title = record.title
        description = record.description
        text = record.text
        consent = record.consent
        access = record.access
        isPrivate = record.isPrivate
        isHidden = record.isHidden
        isStarted = record.isStarted
        isArchived = record.archivedAt != nil
        startsAt = record.startsAt
        endsAt = record.endsAt
        measurements = record.measurements
        locationReason = record.locationReason
        timePoints = record.timePoints
        tellsSessionDates = record.tellsSessionDates
    }

    private init() {
        name = ""
        title = LocalizedText()
        description = LocalizedText()
        text = LocalizedText()
        consent = LocalizedText()
        access = .open
        isPrivate = false
        isHidden = false
        isStarted = false
        isArchived = false
    }

    /// What a call does not send stays as it is; the portal's form is the whole of what it shows.
    /// - Parameter zone: that of the times in a form.
    /// - Throws: `Problem.invalid`.
    package static func read(_ fields: InputReader, zone: Zone = Zone("UTC"), over existing: StudyRecord?)
        throws(Problem)
        -> StudyDraft
    {
        let isForm = fields.isForm
        var draft = existing.map(StudyDraft.init) ?? StudyDraft()
        draft.readName(fields, required: isForm || existing == nil || fields.has("name"))
        let texts: [(String, WritableKeyPath<StudyDraft, LocalizedText>, Int)] = [
            ("title", \.title, 200), ("description", \.description, 2000), ("text", \.text, textLimit),
            ("consent_text", \.consent, consentLimit), ("location_reason", \.locationReason, 1000),
        ]
        for (name, path, limit) in texts {
            draft[keyPath: path] = fields.localized(
                name, limit: limit, lines: limit > 200, over: draft[keyPath: path])
        }
        let access = fields.choice("access", from: Study.accesses, required: isForm)
        draft.access = access.flatMap(StudyAccess.init) ?? draft.access
        draft.isPrivate = fields.box("is_private", over: draft.isPrivate)
        draft.isHidden = fields.box("is_hidden", over: draft.isHidden)
        if !isForm {
            draft.isStarted = fields.bool("running") ?? draft.isStarted
            draft.isArchived = fields.bool("archived") ?? draft.isArchived
        }
        if isForm || fields.has("starts_at") { draft.startsAt = fields.instant("starts_at", zone) }
        if isForm || fields.has("ends_at") { draft.endsAt = fields.instant("ends_at", zone) }
        draft.password = fields.secret("password", required: false)
        draft.picture = try PictureChange.read(fields)
        draft.measurements =
            isForm ? StudyMeasures.ticked(fields) : StudyMeasures.read(fields) ?? draft.measurements
        draft.tellsSessionDates = fields.box("tells_session_dates", over: draft.tellsSessionDates)
        if !isForm, let points = TimePoint.readList(fields) { draft.timePoints = points }
        return try draft.checked(fields, existing)
    }

    private mutating func readName(_ fields: InputReader, required: Bool) {
        guard let text = fields.text("name", required: required, limit: 60) else { return }
        let isPlain = text.utf8.allSatisfy {
            (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-")
        }
        // Names share their place below /studies with ids and the page for a new one.
        let isTaken = text == "new" || uuid(text) != nil
        if isPlain && !isTaken { name = text } else { fields.refuse("name", "studies.name_plain") }
    }

    private func checked(_ fields: InputReader, _ existing: StudyRecord?) throws(Problem) -> StudyDraft {
        var draft = self
        if title.isEmpty { fields.refuse(fields.has("title_de") ? "title_de" : "title", "errors.required") }
        if let startsAt, let endsAt, endsAt <= startsAt {
            fields.refuse("ends_at", "errors.ends_before_start")
        }
        let hasPassword = password != nil || (existing?.access == .password && existing?.passwordHash != nil)
        if access == .password, !hasPassword { fields.refuse("password", "errors.required") }
        if let password, password.unicodeScalars.count < 6 {
            fields.refuse("password", "studies.password_short")
        }
        if isStarted, consent.isEmpty { fields.refuse("consent_text", "studies.consent_needed") }
        if isArchived { draft.isStarted = false }
        try fields.finish()
        return draft
    }
}

extension AuditAction {
    package static let studyChanged = AuditAction(name: "study.changed")
    package static let studyRemoved = AuditAction(name: "study.removed")
    package static let studyQuestionnaireChanged = AuditAction(name: "study.questionnaire_changed")
    package static let studyExported = AuditAction(name: "study.exported")
    static let enrolmentAsked = AuditAction(name: "enrolment.asked")
    package static let enrolmentDecided = AuditAction(name: "enrolment.decided")
    static let consentRenewed = AuditAction(name: "enrolment.consent_renewed")
    static let consentRefused = AuditAction(name: "enrolment.consent_refused", endsConsent: true)
    static let studyOfferDeclined = AuditAction(name: "enrolment.offer_declined")
    static let enrolmentLeft = AuditAction(name: "enrolment.left", endsConsent: true)
}
