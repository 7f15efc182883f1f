import Database
import Delivery
import Identity
import Instruments
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Therapies and the vault in the copy of own data.
enum OwnTherapyData {
    @Sendable static func sections(
        _ owner: DataOwner, _ connection: borrowing Connection
    ) throws -> Feature.OwnSections {
        let vault = try VaultStore.find(owner.account.id, connection)
        let therapies = try TherapyStore.all(of: owner.account.id, connection)
        return [
            .vault: try VaultAPI.wire(vault, owner.key),
            .therapies: try therapies.map { try facts($0, owner.c, connection) },
        ]
    }

    private static func facts(
        _ therapy: Therapy, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> Facts {
        let key = try therapy.key(c.keys)
        // A random one is included once it has come.
        let given = try AssignmentStore.everything(in: therapy.id, connection).filter {
            $0.opens.isTold(at: c.now)
        }
        let sessions = try SessionStore.list(of: therapy, c.dates.zone, now: c.now, connection).all
        let interventions = try InterventionStore.all(in: therapy.id, withWithdrawn: true, connection)
        return [
            "codename": therapy.codename, "paired_at": therapy.pairedAt,
            "therapy_started_on": therapy.startedOn, "therapy_ends_on": therapy.endsOn,
            "therapy_ended_on": therapy.endedOn, "birth_date": try therapy.birthDate(c.keys),
            "gender": therapy.gender?.rawValue,
            "assignments": try given.compactMap { record -> Facts? in
                let cache = c.services.questionnaires
                return try QuestionnaireStore.find(record.questionnaireID, cache, connection).map {
                    [
                        "title": $0.title(c.languages), "source": record.source.rawValue,
                        "available_from": record.availableFrom, "due_at": record.dueAt,
                        "assigned_at": record.assignedAt, "withdrawn_at": record.withdrawnAt,
                    ]
                }
            },
            "sessions": sessions.map { entry -> Facts in
                [
                    "number": entry.number, "starts_at": entry.session.startsAt,
                    "ends_at": entry.session.endsAt, "state": entry.state.rawValue,
                ]
            },
            "emergency_contact": try EmergencyContactStore.find(in: therapy.id, connection)?.contact(key),
            "emergency_contact_openings": try EmergencyContactStore.openings(in: therapy.id, connection).map {
                opening -> Facts in
                [
                    "opened_at": opening.openedAt, "reason": opening.reason.rawValue,
                    "words": try opening.words(key),
                ]
            },
            "interventions": try interventions.map { try $0.wire(key, c.languages) },
        ]
    }
}
