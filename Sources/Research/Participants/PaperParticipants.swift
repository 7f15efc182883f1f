import Accounts
import Database
import Identity
import Records
import Scheduling
import Studies
import Therapies
import Web
import Wire
import Wording

/// A participant on paper as entered by a lead (ST-5). Made only by reading.
struct PaperParticipantDraft: Sendable {
    /// The lead's own; nil for a random one.
    let codename: String?
    let consentedOn: LocalDate
    let consentVersion: Int
    let site: String?

    /// The same fields from a call and from the form.
    /// - Throws: `Problem.invalid`.
    static func read(_ fields: InputReader, today: LocalDate) throws(Problem) -> PaperParticipantDraft {
        let codename = fields.text("codename", limit: 20)
        if let codename, !Codename.isValid(codename) { fields.refuse("codename", "studies.codename_wrong") }
        let day = fields.date("consented_on", required: true)
        if let day, day > today { fields.refuse("consented_on", "studies.consent_ahead") }
        if fields.value("consent_version") == nil { fields.refuse("consent_version", "errors.required") }
        let version = fields.whole("consent_version", 1...10_000, first: 1)
        let site = fields.text("site", limit: 60)
        try fields.finish()
        guard let day, let version else { throw .invalid(fields.errors) }
        return PaperParticipantDraft(
            codename: codename, consentedOn: day, consentVersion: version, site: site)
    }
}

/// Participants without an account: leads enter them under a codename, with their sheets, and erase them.
enum PaperParticipants {
    /// - Returns: the codename.
    /// - Throws: `Problem.invalid` for an unknown consent or site; `Problem.conflict` for a codename that is taken, a
    ///   study that does not run, or one whose groups all use the app.
    static func enter(_ draft: PaperParticipantDraft, _ c: Context<StudyLead>) throws -> String {
        for _ in 0..<20 {
            let codename = draft.codename ?? "S" + c.services.chance.digits(6)
            if try enter(draft, as: codename, c) { return codename }
            if draft.codename != nil { throw Problem.conflict(Message("errors.codename_taken")) }
        }
        throw Problem.unavailable(retryAfter: 1)
    }

    /// - Returns: false when the codename is taken.
    private static func enter(
        _ draft: PaperParticipantDraft, as codename: String, _ c: Context<StudyLead>
    ) throws -> Bool {
        let zone = c.dates.zone
        let holder = NewAccount(
            paper: c.newID(), language: c.language, timezone: zone.identifier, keys: c.keys, now: c.now)
        let id: ID<Enrolment> = c.newID()
        let study = c.proof.study.id
        return try c.write(.participantEntered, about: holder.id, object: study) { [now = c.now] connection in
            guard let study = try StudyStore.find(study, connection), study.isRunning(at: now) else {
                throw Problem.conflict(Message("studies.not_running"))
            }
            try check(draft, study, connection)
            guard try EnrolmentStore.isFree(codename, connection) else { return false }
            // Paper filled in on the day of the consent counts.
            let signed = zone.instant(draft.consentedOn, hour: 12, minute: 0)
            let began = try StudyStore.runs(study, connection).ranges.first?.lowerBound ?? now
            try AccountStore.insert(holder, connection)
            let isIn = try EnrolmentStore.insert(
                id: id, in: study.id, account: holder.id, codename: codename, isPending: false,
                consent: draft.consentVersion, way: .paper, isTold: true, timezone: zone.identifier,
                at: min(now, max(signed, began)), connection)
            guard isIn else { throw Problem.conflict(Message("errors.codename_taken")) }
            try EnrolmentStore.note(signedOn: draft.consentedOn, of: id, connection)
            try ArmAllocation.allocate(
                id, of: holder.id, in: study.id, site: draft.site, needsPaper: true, at: now, connection)
            return true
        }
    }

    private static func check(
        _ draft: PaperParticipantDraft, _ study: StudyRecord, _ connection: borrowing Connection
    ) throws {
        let isKnown = try StudyStore.consents(study.id, connection).contains {
            $0.version == draft.consentVersion && !$0.text.isEmpty
        }
        if !isKnown { throw Problem.invalid("consent_version", "studies.no_consent_version") }
        if let site = draft.site,
            try !GroupStore.sites(of: study.id, connection).contains(where: { $0.name == site })
        {
            throw Problem.invalid("site", "studies.unknown_site")
        }
    }

    /// The participant in the path; those with an account erase themselves.
    /// - Throws: `Problem.notFound`; `.conflict` for a participant with an account.
    static func found(_ c: Context<StudyLead>) throws -> EnrolmentRecord {
        let study = c.proof.study.id
        let codename = c.places["codename"] ?? ""
        guard let enrolment = try c.read({ try EnrolmentStore.find(codename, in: study, $0) }) else {
            throw Problem.notFound
        }
        if enrolment.signedOn == nil { throw Problem.conflict(Message("studies.has_account")) }
        return enrolment
    }

    /// Erases a participant with all sheets and their key, for good.
    static func erase(_ enrolment: EnrolmentRecord, _ c: Context<StudyLead>) throws {
        try Erasure.erase(
            enrolment.accountID, .participantErased, by: .caller, object: c.proof.study.id, c)
    }
}

extension AuditAction {
    static let participantEntered = AuditAction(name: "participant.entered")
    static let participantErased = AuditAction(name: "participant.erased")
}
