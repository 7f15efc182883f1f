import Database
import HTTP
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Responses
import Therapies
import Web
import Wire
import Wording

/// Keeps up profiles (SN-4): the only way into a sheet that goes on. Of each question the later answer counts, and what
/// was changed is noted with its time.
package enum ProfileKeeping {
    /// What somebody says of a profile.
    struct Saying: Sendable {
        /// What a device calls it; the same again is harmless.
        let id: ID<ContributionRecord>
        let changes: [String: DraftAnswers.Change]
        let startedAt: Instant
        let completedAt: Instant
        let timezone: String
        let arrival: Arrival
        /// What a device sent, to know the same again by.
        var said = JSON.null
        var proof: (@Sendable (borrowing Connection) throws -> Void)?
        /// Whether `If-Match` is honoured.
        var isMatched = false
    }

    /// Takes answers of a page or of `PATCH`: now.
    /// - Parameter changes: question by question; nil takes an answer back.
    package static func keep(
        _ changes: [String: DraftAnswers.Change], in target: ProfileTarget, _ c: Context<Member>
    ) throws {
        let id: ID<ContributionRecord> = c.newID()
        let quarantine = Quarantine(id: id, json: .null, account: target.account, place: .browser)
        let arrival = Arrival.device(
            quarantine, credential: c.actor.signedIn?.credential.id, known: nil)
        let second = Instant(milliseconds: c.now.seconds * 1000)
        _ = try take(
            Saying(
                id: id, changes: changes, startedAt: second, completedAt: second,
                timezone: target.account.timezone, arrival: arrival,
                isMatched: c.request.headers["If-Match"] != nil), in: target, c)
    }

    /// Takes a sheet of a device: what it says counts like single answers, each at the time it was given.
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
            .init("timezone", .string(submission.timezone)), .init("profile", .string(target.id)),
        ])
        let saying = Saying(
            id: id, changes: changes, startedAt: submission.startedAt, completedAt: submission.completedAt,
            timezone: submission.timezone, arrival: arrival, said: said, proof: proof)
        return Intake.Taken(id: id, isNew: try take(saying, in: target, c))
    }

    /// What a device says, question by question; null takes an answer back, what it does not name stays as it is.
    /// - Throws: `FieldErrors` for what cannot be an answer, and for times that are none.
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
            // The same again changes nothing, and is no sentence in the audit log.
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
        }
    }

    /// - Throws: `Contradiction` when something else was sent under its id.
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
            ProfileChange(
                id: saying.id, sheet: final.id, account: account, questionnaire: target.questionnaire.id,
                at: now, from: known, to: state, said: saying.said), key, connection)
        try answered.eraseDraft(of: account, until: nil, connection)
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
            timezone: saying.timezone, answers: nil, details: try LivingSheet.details(state))
        return try target.occasion.sheet(
            submission, id: before?.id ?? saying.id, answers: state.answers, of: target.account.id,
            from: saying.arrival, at: now)
    }

    /// Whether it may be kept up now: pairing, enrolment, study and therapy as they stand. The window of an assignment
    /// only opens a profile; nothing ends it but the therapy.
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
        try TherapyRule.requireRunning(therapy, completed: saying.completedAt, now: now)
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
