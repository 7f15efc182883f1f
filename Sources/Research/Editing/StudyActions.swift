import Database
import HTTP
import Identity
import Records
import Studies
import Web
import Wire
import Wording

/// Changing studies, for pages and calls alike.
enum StudyActions {
    /// - Returns: the new study's id.
    static func begin<P>(_ draft: StudyDraft, by lead: ID<Account>, _ c: Context<P>) throws -> ID<Study> {
        let draft = try told(draft, over: nil, c.services)
        let hash = try draft.password.map { try c.services.gate.hash($0) }
        let id: ID<Study> = c.newID()
        let code = c.services.chance.digits(8)
        try c.write(.studyChanged, object: id) { [now = c.now] connection in
            try StudyStore.insert(
                draft, id: id, code: code, passwordHash: hash, lead: lead, at: now, connection)
        }
        return id
    }

    /// What a study tells of therapies stands in its consent text.
    /// - Throws: `Problem.invalid` for a time point that is counted from a therapy without it, and without any text.
    static func told(
        _ draft: StudyDraft, over stored: StudyRecord?, _ services: Services
    ) throws -> StudyDraft {
        let isCounted = draft.timePoints.contains { $0.window.anchor.isOfTherapy }
        if isCounted, !draft.tellsSessionDates {
            throw Problem.invalid("tells_session_dates", "studies.consent_line_missing")
        }
        var draft = draft
        SessionDatesLine.set(in: &draft, over: stored, services)
        if draft.consent.isEmpty, draft.tellsSessionDates || draft.isStarted {
            throw Problem.invalid("consent_text", "studies.consent_needed")
        }
        return draft
    }

    /// Starts, stops, archives a study, or takes it out of the archive; nothing else of it changes.
    /// - Throws: `Problem.conflict` when it lacks what it needs to start; `.preconditionFailed` when it was changed
    ///   since it was read.
    static func turn(_ id: ID<Study>, _ action: StudySwitch, _ c: Context<StudyLead>) throws {
        try c.write(.studyChanged, object: id) { [now = c.now, request = c.request] connection in
            guard let study = try StudyStore.find(id, connection) else { throw Problem.notFound }
            try Conditional.requireRevision(request, current: study.revision)
            var draft = StudyDraft(study)
            switch action {
            case .start: draft.isStarted = true
            case .stop: draft.isStarted = false
            case .archive:
                draft.isStarted = false
                draft.isArchived = true
            case .restore: draft.isArchived = false
            }
            if draft.isStarted {
                let hasItems = try !StudyItemStore.all(in: id, connection).isEmpty
                guard hasItems, !study.consent.isEmpty, study.archivedAt == nil else {
                    throw Problem.conflict(Message("studies.not_ready"))
                }
            }
            try update(draft, id: id, passwordHash: study.passwordHash, at: now, connection)
        }
    }

    /// Groups that ended with the study go on with it.
    /// - Returns: whether the consent text is new.
    @discardableResult
    private static func update(
        _ draft: StudyDraft, id: ID<Study>, passwordHash: String?, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> Bool {
        var isConsentNew = false
        try CheckedChange.make(in: id, connection) {
            isConsentNew = try StudyStore.update(
                draft, id: id, passwordHash: passwordHash, at: now, connection)
            try StudyItemStore.plan(draft.timePoints, in: id, since: now, connection)
            try TherapyDates.follow(in: id, at: now, connection)
        }
        if !draft.isArchived, now < (draft.endsAt ?? .distantFuture) {
            try GroupStore.restore(id, connection)
        }
        return isConsentNew
    }

    /// - Throws: `Problem.preconditionFailed` when it was changed since it was read.
    static func change(_ study: StudyRecord, to draft: StudyDraft, _ c: Context<StudyLead>) throws {
        let draft = try told(draft, over: study, c.services)
        let hash = try draft.password.map { try c.services.gate.hash($0) } ?? study.passwordHash
        try c.write(.studyChanged, object: study.id) {
            [now = c.now, request = c.request, services = c.services] connection in
            try Conditional.requireRevision(
                request, current: try StudyStore.revision(of: study.id, connection), base: study.revision)
            if draft.access == .request, try GroupStore.find(study.id, connection) != nil {
                throw Problem.invalid("access", "studies.groups_no_request")
            }
            let strata = try GroupStore.find(study.id, connection)?.groups.strata ?? []
            var draft = draft
            if strata.contains(.gender), draft.consent != study.consent {
                ConsentLine.set(tellsGender: true, in: &draft.consent, services)
            }
            let isConsentNew = try update(
                draft, id: study.id, passwordHash: hash, at: now, connection)
            if isConsentNew { try StudyNotices.tellOfConsent(study.id, services, at: now, connection) }
        }
    }

    static func remove(_ study: StudyRecord, _ c: Context<StudyLead>) throws {
        try c.write(.studyRemoved, object: study.id) { [request = c.request] connection in
            try Conditional.requireRevision(
                request, current: try StudyStore.revision(of: study.id, connection), isRequired: false)
            try StudyStore.remove(study.id, connection)
        }
    }

    /// A study of the same questionnaires under a new name; not started, and without participants.
    static func copy(_ study: StudyRecord, _ c: Context<StudyLead>) throws -> ID<Study> {
        var draft = StudyDraft(study)
        draft.isStarted = false
        draft.isArchived = false
        draft.startsAt = nil
        draft.endsAt = nil
        draft.name = "\(study.name)-\(c.services.chance.digits(4))"
        // Groups are not copied.
        ConsentLine.set(tellsGender: false, in: &draft.consent, c.services)
        let id: ID<Study> = c.newID()
        let code = c.services.chance.digits(8)
        let lead = c.proof.lead.id
        let hash = study.passwordHash
        let copied = draft
        let items = try c.read { try StudyItemStore.all(in: study.id, $0) }
        let ids: [ID<StudyItem>] = items.map { _ in c.newID() }
        try c.write(.studyChanged, object: id) { [now = c.now] connection in
            try StudyStore.insert(
                copied, id: id, code: code, passwordHash: hash, lead: lead, at: now, connection)
            for (item, new) in zip(items, ids) {
                var draft = StudyItemDraft(item)
                draft.arms = []
                try StudyItemStore.insert(
                    draft, id: new, key: item.key, in: id, at: now, connection)
            }
        }
        return id
    }
}
