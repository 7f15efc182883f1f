import Contributions
import Database
import Delivery
import Identity
import Records
import Studies
import Web
import Wire
import Wording

/// Noting events and taking them away, for pages and calls alike (ST-2).
package enum EventNoting {
    /// - Throws: `Problem.invalid`.
    package static func read(
        _ fields: InputReader, as id: ID<StudyEvent>, of account: AccountRecord, at now: Instant
    ) throws(Problem) -> NewStudyEvent {
        let item: ID<StudyItem>? = fields.id("item_id", required: true)
        let start = fields.time("started_at", required: true)
        let end = fields.time("ended_at")
        let zone = fields.deviceZone("timezone", or: account.timezone)
        if let start, let end, end < start { fields.refuse("ended_at", "errors.ends_before_start") }
        let latest = now.adding(seconds: Submission.clockSlackSeconds).seconds
        for (name, moment) in [("started_at", start), ("ended_at", end)] where moment?.seconds ?? 0 > latest {
            fields.refuse(name, "errors.future")
        }
        try fields.finish()
        guard let item, let start else { throw .invalid(fields.errors) }
        return NewStudyEvent(id: id, item: item, startedAt: start, endedAt: end, zone: zone)
    }

    /// The same again changes nothing.
    /// - Returns: whether it is new.
    @discardableResult
    package static func note(_ event: NewStudyEvent, _ c: Context<Member>) throws -> Bool {
        let account = c.proof.account
        let id = account.id
        // A repeated event needs no line in the audit log.
        let known = try c.read { try StudyEventStore.find(event.id, of: id, $0) }
        if let known, event.saysNothingNew(of: known) { return false }
        return try c.write(.studyEventNoted, about: id, object: event.id) { [now = c.now] connection in
            let known = try StudyEventStore.find(event.id, of: id, connection)
            if let known, event.saysNothingNew(of: known) { return false }
            let rule = EventRule(event: event, account: id, now: now)
            let enrolment = try rule.prove(over: known, connection)
            if let known {
                try StudyEventStore.update(event, isAnswered: known.sheet != nil, of: id, connection)
            } else {
                try StudyEventStore.insert(event, of: enrolment, zone: account.timezone, at: now, connection)
            }
            try EnrolmentStore.noteActivity(enrolment.id, at: now, connection)
            return known == nil
        }
    }

    /// Tells that a span is over. An end that is known stays, and one before its begin, by a clock that is slow, is its begin.
    /// - Throws: `Problem.invalid`, `Problem.conflict`.
    package static func end(_ id: ID<StudyEvent>, at moment: Instant, _ c: Context<Member>) throws {
        let account = c.proof.account.id
        let latest = c.now.adding(seconds: Submission.clockSlackSeconds).seconds
        if moment.seconds > latest { throw Problem.invalid("ended_at", "errors.future") }
        if let known = try c.read({ try StudyEventStore.find(id, of: account, $0) }), known.endedAt != nil {
            return
        }
        try c.write(.studyEventNoted, about: account, object: id) { [now = c.now] connection in
            guard let known = try StudyEventStore.find(id, of: account, connection) else {
                throw Problem.invalid("event_id", "answers.unknown_event")
            }
            if known.endedAt != nil { return }
            let event = NewStudyEvent(
                id: id, item: known.itemID, startedAt: known.startedAt, endedAt: max(moment, known.startedAt),
                zone: nil)
            let enrolment = try EventRule(event: event, account: account, now: now).prove(
                over: known, connection)
            try StudyEventStore.update(event, isAnswered: known.sheet != nil, of: account, connection)
            try EnrolmentStore.noteActivity(enrolment.id, at: now, connection)
        }
    }

    /// Takes away what was noted by mistake, with what is half filled in about it.
    /// - Throws: `Problem.notFound`, `Problem.conflict` for one that a sheet names.
    package static func remove(_ event: ID<StudyEvent>, _ c: Context<Member>) throws {
        let account = c.proof.account.id
        try c.write(.studyEventRemoved, about: account, object: event) { connection in
            guard let known = try StudyEventStore.find(event, of: account, connection) else {
                throw Problem.notFound
            }
            // Answers that wait for the leads are about it, too.
            if try known.sheet != nil || HeldEventStore.isHeld(event, of: account, connection) {
                throw Problem.conflict(Message("studies.event_answered"))
            }
            try DraftStore.erase(ID(event.text), of: account, connection)
            try StudyEventStore.remove(event, of: account, connection)
        }
    }
}

extension AuditAction {
    static let studyEventNoted = AuditAction(name: "event.noted")
    static let studyEventRemoved = AuditAction(name: "event.removed")
}
