import Accounts
import Clinic
import Database
import Foundation
import HTTP
import Identity
import Instruments
import Intake
import JSON
import Questionnaires
import Records
import Responses
import Rules
import Scheduling
import Studies
import Therapies
import Tinnitus
import Web
import Wire
import Wording

/// What belongs to a therapy.
extension OwnDataReader {
    struct Course: Encodable, Sendable {
        let codename: String
        let paired_at: Instant?
        let therapy_started_on: LocalDate?
        let therapy_ends_on: LocalDate?
        let therapy_ended_on: LocalDate?
        let birth_date: LocalDate?
        let gender: String?
        let assignments: [Given]
        let sessions: [Session]
        let interventions: [GivenIntervention]
    }
    struct Given: Encodable, Sendable {
        let title: String
        let source: String
        let available_from: Instant
        let due_at: Instant
        let assigned_at: Instant
        let withdrawn_at: Instant?
    }
    struct Session: Encodable, Sendable {
        let number: Int?
        let starts_at: Instant
        let ends_at: Instant
        let state: String
    }

    /// The runs of matching, the newest first.
    func matches(_ connection: borrowing Connection) throws -> [TinnitusMatch] {
        try MatchStore.all(of: account.id, connection).map { try $0.match(key) }
    }

    func therapy(_ therapy: Therapy, _ connection: borrowing Connection) throws -> Course {
        let own = try therapy.key(c.keys)
        // What comes at random stands in it once it has come.
        let assignments = try AssignmentStore.everything(in: therapy.id, connection).filter {
            $0.opens.isTold(at: c.now)
        }
        return Course(
            codename: therapy.codename, paired_at: therapy.pairedAt, therapy_started_on: therapy.startedOn,
            therapy_ends_on: therapy.endsOn, therapy_ended_on: therapy.endedOn,
            birth_date: try therapy.birthDate(c.keys), gender: therapy.gender?.rawValue,
            assignments: try assignments.compactMap { record in
                let cache = c.services.questionnaires
                return try QuestionnaireStore.find(record.questionnaireID, cache, connection).map {
                    Given(
                        title: $0.title(c.languages), source: record.source.rawValue,
                        available_from: record.availableFrom, due_at: record.dueAt,
                        assigned_at: record.assignedAt, withdrawn_at: record.withdrawnAt)
                }
            },
            sessions: try SessionStore.list(of: therapy, c.dates.zone, now: c.now, connection).all.map {
                Session(
                    number: $0.number, starts_at: $0.session.startsAt, ends_at: $0.session.endsAt,
                    state: $0.state.rawValue)
            },
            interventions: try InterventionStore.all(in: therapy.id, withWithdrawn: true, connection).map {
                try $0.wire(own, c.languages)
            })
    }
}
