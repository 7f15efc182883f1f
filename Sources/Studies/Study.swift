import Database
import HTTP
import Records
import Scheduling
import Web
import Wire
import Wording

/// Who gets in, and how.
package enum StudyAccess: String, Sendable, CaseIterable, SQLConvertible { case open, password, request }

/// What is done with a study as a whole.
enum StudySwitch: String, Sendable, CaseIterable { case start, stop, archive, restore }

/// A study as it is stored.
package struct StudyRecord: Sendable, FromRow {
    package let id: ID<Study>
    /// A short name, for files and commands.
    package let name: String
    package let title: LocalizedText
    package let description: LocalizedText
    package let text: LocalizedText
    package let access: StudyAccess
    let passwordHash: String?
    package let isPrivate: Bool
    package let isHidden: Bool
    package let code: String
    let isStarted: Bool
    package let startsAt: Instant?
    package let endsAt: Instant?
    let createdAt: Instant
    package let archivedAt: Instant?
    /// What is agreed to now.
    package let consent: LocalizedText
    package let consentVersion: Int
    /// Of its picture; nil when it has none.
    package let pictureVersion: String?
    /// Counts the changes, so that two leads do not overwrite each other unseen.
    let revision: Int
    /// Kinds of people's own measurements that it asks for.
    package let measurements: [StudyMeasures.Measure]
    /// Why it records the position, in the leads' words; empty for ours.
    package let locationReason: LocalizedText

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
    }

    /// Started by a lead, begun and not over.
    package func isRunning(at now: Instant) -> Bool {
        isStarted && archivedAt == nil && (startsAt ?? .distantPast) <= now
            && now < (endsAt ?? .distantFuture)
    }

    /// Ran until its end came: neither stopped by a lead nor archived.
    package func hasEnded(at now: Instant) -> Bool {
        isStarted && archivedAt == nil && (endsAt ?? .distantFuture) <= now
    }

    /// - Parameters:
    ///   - readers: the caller's languages, the best first.
    ///   - own: as whom the caller is in it.
    func wire(
        _ readers: [Language], _ own: EnrolmentRecord?, lead: Study.Lead?, now: Instant
    ) -> Study {
        var study = Study(
            name: name, title: title.text(in: readers) ?? name, description: description.text(in: readers),
            text: text.text(in: readers), isPrivate: isPrivate, access: access.rawValue, startsAt: startsAt,
            endsAt: endsAt, running: isRunning(at: now), consentText: consent.text(in: readers),
            enrolled: own?.state == .enrolled, lead: lead)
        study.enrolmentState = own?.state.rawValue
        study.codename = own?.codename
        study.measurements = measurements.map(\.rawValue)
        study.locationReason = locationReason.text(in: readers)
        study.consentVersion = consentVersion
        study.pictureURL = pictureVersion.map { "/api/v1/studies/\(id)/picture?version=\($0)" }
        return study
    }
}

/// What a lead has filled in. Made only by reading.
package struct StudyDraft: Sendable {
    package var name: String
    package var title: LocalizedText
    package var description: LocalizedText
    package var text: LocalizedText
    package var consent: LocalizedText
    package var access: StudyAccess
    /// A new one; nil leaves the old one.
    package var password: String?
    package var isPrivate: Bool
    package var isHidden: Bool
    var isStarted: Bool
    var isArchived: Bool
    package var startsAt: Instant?
    package var endsAt: Instant?
    package var picture = PictureChange.keep
    package var measurements: [StudyMeasures.Measure] = []
    package var locationReason = LocalizedText()

    private static let textLimit = 20_000

    /// A study as it is, to be changed or copied.
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

    /// From the API: what is not sent stays as it is.
    /// - Throws: `Problem.invalid`.
    package static func read(json fields: InputReader, over existing: StudyRecord?) throws(Problem)
        -> StudyDraft
    {
        var draft = existing.map(StudyDraft.init) ?? StudyDraft()
        let needed = existing == nil
        draft.readName(fields, required: needed || fields.has("name"))
        let texts: [(String, WritableKeyPath<StudyDraft, LocalizedText>, Int)] = [
            ("title", \.title, 200), ("description", \.description, 2000), ("text", \.text, textLimit),
            ("consent_text", \.consent, textLimit), ("location_reason", \.locationReason, 1000),
        ]
        for (name, path, limit) in texts where fields.has(name) {
            draft[keyPath: path] = fields.localized(name, limit: limit, lines: limit > 200) ?? LocalizedText()
        }
        if let access = fields.choice("access", from: Study.accesses).flatMap(StudyAccess.init) {
            draft.access = access
        }
        if let value = fields.bool("is_private") { draft.isPrivate = value }
        if let value = fields.bool("is_hidden") { draft.isHidden = value }
        if let value = fields.bool("running") { draft.isStarted = value }
        if let value = fields.bool("archived") { draft.isArchived = value }
        if fields.has("starts_at") { draft.startsAt = fields.time("starts_at") }
        if fields.has("ends_at") { draft.endsAt = fields.time("ends_at") }
        draft.password = fields.secret("password", required: false)
        draft.picture = PictureChange.read(json: fields)
        if let measures = StudyMeasures.read(fields) { draft.measurements = measures }
        return try draft.checked(fields, existing)
    }

    /// From the portal's form.
    /// - Throws: `Problem.invalid`.
    package static func read(form: Form, zone: Zone, over existing: StudyRecord?) throws(Problem)
        -> StudyDraft
    {
        let fields = InputReader(form: form)
        var draft = existing.map(StudyDraft.init) ?? StudyDraft()
        draft.readName(fields, required: true)
        let read = { (name: String, limit: Int, existing: LocalizedText) in
            fields.localizedFields(name, limit: limit, lines: limit > 200, over: existing)
        }
        draft.title = read("title", 200, draft.title)
        draft.description = read("description", 2000, draft.description)
        draft.text = read("text", textLimit, draft.text)
        draft.consent = read("consent_text", textLimit, draft.consent)
        draft.locationReason = read("location_reason", 1000, draft.locationReason)
        let access = fields.choice("access", from: Study.accesses, required: true)
        draft.access = access.flatMap(StudyAccess.init) ?? .open
        draft.isPrivate = fields.bool("is_private") ?? false
        draft.isHidden = fields.bool("is_hidden") ?? false
        draft.startsAt = fields.moment("starts_at", zone)
        draft.endsAt = fields.moment("ends_at", zone)
        draft.password = fields.secret("password", required: false)
        draft.picture = PictureChange.read(form: form, fields)
        draft.measurements = StudyMeasures.ticked(fields)
        return try draft.checked(fields, existing)
    }

    private mutating func readName(_ fields: InputReader, required: Bool) {
        guard let text = fields.text("name", required: required, limit: 60) else { return }
        let isPlain = text.utf8.allSatisfy {
            (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-")
        }
        // Below /studies stand ids and the page for a new one, too.
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
        if let password, password.count < 6 { fields.refuse("password", "studies.password_short") }
        if isStarted, consent.isEmpty { fields.refuse("consent_text", "studies.consent_needed") }
        if isArchived { draft.isStarted = false }
        try fields.finish()
        return draft
    }
}

extension AuditAction {
    static let studyChanged = AuditAction(name: "study.changed")
    static let studyRemoved = AuditAction(name: "study.removed")
    static let studyQuestionnaireChanged = AuditAction(name: "study.questionnaire_changed")
    static let studyExported = AuditAction(name: "study.exported")
    static let enrolmentAsked = AuditAction(name: "enrolment.asked")
    static let enrolmentDecided = AuditAction(name: "enrolment.decided")
    static let consentRenewed = AuditAction(name: "enrolment.consent_renewed")
    static let studyOfferDeclined = AuditAction(name: "enrolment.offer_declined")
    static let enrolmentLeft = AuditAction(name: "enrolment.left", endsConsent: true)
}
