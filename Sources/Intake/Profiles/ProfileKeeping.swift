import Contributions
import Database
import Delivery
import HTTP
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Therapies
import Web
import Wire
import Wording

/// Changes profiles (SN-4): the later answer to each question counts. No other code changes a continued sheet.
package enum ProfileKeeping {
    /// New answers for a profile.
    struct Saying: Sendable {
        /// The device's id of it; sending it again is harmless.
        let id: ID<ContributionRecord>
        let changes: [String: DraftAnswers.Change]
        let startedAt: Instant
        let completedAt: Instant
        let zone: DeviceZone
        let arrival: Arrival
        /// The device's statement, to recognise it when sent again.
        var said = JSON.null
        var proof: (@Sendable (borrowing Connection) throws -> Void)?
        /// Whether `If-Match` is checked.
        var isMatched = false
    }

    /// Takes answers of a page or of `PATCH`, as of now.
    /// - Parameters:
    ///   - changes: by question; nil takes an answer back.
    ///   - zone: of the device; nil where it is not known.
    package static func keep(
        _ changes: [String: DraftAnswers.Change], in target: ProfileTarget, zone: DeviceZone? = nil,
        _ c: Context<Member>
    ) throws {
        let id: ID<ContributionRecord> = c.newID()
        let quarantine = Quarantine(id: id, json: .null, account: target.account, place: .browser)
        let arrival = Arrival.device(
            quarantine, credential: c.actor.signedIn?.credential.id, known: nil)
        let second = Instant(milliseconds: c.now.seconds * 1000)
        _ = try take(
            Saying(
                id: id, changes: changes, startedAt: second, completedAt: second,
                zone: zone ?? DeviceZone(name: target.account.timezone), arrival: arrival,
                isMatched: c.request.headers["If-Match"] != nil), in: target, c)
    }

    /// Takes a sheet of a device as single answers, each with its own time.
    static func take(
        _ submission: Submission, _ occasion: Occasion, of account: AccountRecord, _ arrival: Arrival,
        id: ID<ContributionRecord>, _ c: Context<some Sendable>,
        proof: (@Sendable (borrowing Connection) throws -> Void)?
    ) throws -> Intake.Taken {
        let target = try c.read {
            try ProfileTarget(occasion, of: account, c.services.questionnaires, $0)
        }
        let details = try submission.details.map { try JSON.parse($0) }
        let times = details?["answered_at"].flatMap { $0 == .null ? nil : $0 }
        let changes = try Self.changes(
            submission.answers, times, occasion.questionnaire.definition, latest: submission.completedAt)
        let said = JSON.object([
            .init("answers", submission.answers ?? .null), .init("answered_at", times ?? .null),
            .init("started_at", .string(submission.startedAt.text)),
            .init("completed_at", .string(submission.completedAt.text)),
            .init("timezone", .string(submission.zone.told)), .init("profile", .string(target.id)),
        ])
        let saying = Saying(
            id: id, changes: changes, startedAt: submission.startedAt, completedAt: submission.completedAt,
            zone: submission.zone, arrival: arrival, said: said, proof: proof)
        return Intake.Taken(id: id, isNew: try take(saying, in: target, c))
    }

    /// A device's changes by question; null takes an answer back, unnamed questions keep theirs.
    /// - Throws: `FieldErrors` for values that cannot be answers, and for invalid times.
    static func changes(
        _ json: JSON?, _ times: JSON?, _ definition: QuestionnaireDefinition, latest: Instant? = nil
    ) throws -> [String: DraftAnswers.Change] {
        let answers = try definition.readAnswers(json, isHalf: true)
        guard case .object(let members)? = json else { return [:] }
        let named = Set(members.map(\.key))
        var errors = FieldErrors()
        var at: [String: Instant] = [:]
        if let times, case .object(let members) = times {
            for member in members where member.value != .null {
                let place = "answered_at." + member.key.prefix(60)
                if !named.contains(member.key) { errors.add(place, "answers.unknown") }
                at[member.key] = member.value.string.flatMap { Instant($0) }
                if at[member.key] == nil { errors.add(place, "errors.time") }
            }
        } else if times != nil {
            errors.add("answered_at", "errors.object")
        }
        if !errors.isEmpty { throw Problem.invalid(errors) }
        return Dictionary(
            uniqueKeysWithValues: named.map { ($0, .init(answers[$0], at: at[$0] ?? latest)) })
    }

    /// - Returns: whether anything was new.
    static func take(
        _ saying: Saying, in target: ProfileTarget, _ c: Context<some Sendable>
    ) throws -> Bool {
        let account = target.account.id
        let key = try target.account.key(c.keys)
        do {
            // A repeated one changes nothing, and needs no line in the audit log.
            if try c.read({ try isKnown(saying, of: account, key, $0) }) { return false }
            return try c.write(
                .profileChanged, by: saying.arrival.isByLink ? .nobody : .caller,
                about: target.occasion.therapy?.id ?? account, object: saying.id
            ) { [now = c.now, services = c.services, request = c.request] connection in
                if try isKnown(saying, of: account, key, connection) { return false }
                try saying.proof?(connection)
                let before = try target.sheet(connection)
                if saying.isMatched {
                    let current = try before.map { try LivingSheetStore.revision(of: $0, connection) }
                    try Conditional.requireRevision(request, current: current ?? 0, isRequired: false)
                }
                return try keep(saying, target, before, key, services, now: now, connection)
            }
        } catch let clock as WrongClock {
            throw Problem.invalid("completed_at", clock.key)
        } catch let contradiction as Contradiction {
            throw Problem.conflict(Message(contradiction.key))
        } catch let ended as AfterEnd {
            throw ended.problem
        }
    }

    /// - Throws: `Contradiction` when another one was sent under its id.
    private static func isKnown(
        _ saying: Saying, of account: ID<Account>, _ key: PersonKey, _ connection: borrowing Connection
    ) throws -> Bool {
        guard let known = try LivingSheetStore.change(saying.id, of: account, connection) else {
            if try ContributionStore.find(saying.id, of: account, connection) != nil {
                throw Contradiction("answers.changed")
            }
            return false
        }
        let isSame = try known.opened(key).said == saying.said
        if !isSame { throw Contradiction("answers.changed") }
        return true
    }

    /// In the transaction.
    private static func keep(
        _ saying: Saying, _ target: ProfileTarget, _ before: ContributionRecord?, _ key: PersonKey,
        _ services: Services, now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        let account = target.account.id
        var sheet = try made(saying, target, target.fitting(DraftAnswers()), before: nil, now)
        let answered = try prove(&sheet, saying, target, services, now: now, connection)
        let known = try before.map { target.fitting(try LivingSheet.state(of: $0, key)) } ?? DraftAnswers()
        var state = known
        LivingSheet.merge(saying.changes, into: &state, target.definition, at: now)
        state = target.fitting(state)
        if state == known, before != nil || state.items.isEmpty { return false }
        var final = try made(saying, target, state, before: before, now)
        final.prompt = sheet.prompt
        final.consentVersion = sheet.consentVersion
        final.isOnSite = saying.arrival.isByLink
        let sealed = final.sealed(key)
        if before == nil {
            try Intake.insert(final, sealed, connection)
            _ = try answered.react(to: final, services, now: now, connection)
        } else {
            try LivingSheetStore.update(final, sealed, connection)
        }
        try LivingSheetStore.insert(
            LivingChange(
                id: saying.id, sheet: final.id, account: account, questionnaire: target.questionnaire.id,
                at: now, from: known, to: state, said: saying.said), key, connection)
        try answered.eraseDraft(of: final, until: nil, connection)
        try answered.noteActivity(at: now, connection)
        return true
    }

    private static func made(
        _ saying: Saying, _ target: ProfileTarget, _ state: DraftAnswers, before: ContributionRecord?,
        _ now: Instant
    ) throws -> NewContribution {
        let started = before?.startedAt ?? saying.startedAt
        let submission = Submission(
            reason: .paper, startedAt: started,
            completedAt: max(before?.completedAt ?? started, saying.completedAt),
            zone: saying.zone, answers: nil, details: try LivingSheet.details(state))
        return try target.occasion.sheet(
            submission, id: before?.id ?? saying.id, answers: state.answers, of: target.account.id,
            from: saying.arrival, at: now)
    }

    /// Whether it may be changed now: pairing, enrolment, study and therapy at present. The window of an assignment
    /// only opens a profile; only the end of the therapy ends it.
    private static func prove(
        _ sheet: inout NewContribution, _ saying: Saying, _ target: ProfileTarget, _ services: Services,
        now: Instant, _ connection: borrowing Connection
    ) throws -> Occasion {
        guard case .assignment(let known, let place) = target.occasion else {
            return try target.occasion.prove(&sheet, from: saying.arrival, services, now: now, connection)
        }
        guard let therapy = try TherapyStore.find(place.therapy.id, connection),
            therapy.takesSheets(of: target.account.id)
        else { throw Problem.forbidden(Message("problems.not_paired")) }
        try therapy.requireRunning(completed: saying.completedAt, now: now)
        guard let assignment = try AssignmentStore.find(known.id, inTherapy: therapy.id, connection) else {
            throw Problem.notFound
        }
        if saying.completedAt.seconds > now.adding(seconds: Submission.clockSlackSeconds).seconds {
            throw WrongClock("errors.future")
        }
        if saying.completedAt.seconds < assignment.availableFrom.seconds {
            throw WrongClock("answers.too_early")
        }
        if assignment.withdrawnAt != nil { throw Problem.conflict(Message("answers.withdrawn")) }
        return .assignment(assignment, place.with(therapy))
    }
}

extension AuditAction {
    package static let profileChanged = AuditAction(name: "profile_answers.changed")
}
