import Database
import Identity
import Records
import Scheduling
import Web
import Wire
import Wording

/// Studies in the copy of own data.
enum OwnStudyData {
    @Sendable static func sections(
        _ owner: DataOwner, _ connection: borrowing Connection
    ) throws -> Feature.OwnSections {
        let enrolments = try EnrolmentStore.all(of: owner.account.id, connection)
        return [.studies: try enrolments.map { try facts($0, owner, connection) }]
    }

    private static func facts(
        _ enrolment: EnrolmentRecord, _ owner: DataOwner, _ connection: borrowing Connection
    ) throws -> Facts {
        let languages = owner.c.languages
        let study = try StudyStore.find(enrolment.studyID, connection)
        let items = try StudyItemStore.all(in: enrolment.studyID, connection)
        let times = try NotificationTimesStore.all(of: enrolment.id, connection)
        let allocation = try AllocationStore.find(enrolment.id, connection)
        let agreed = try AgreedConsentStore.all(of: owner.account.id, in: enrolment.studyID, connection)
        return [
            "study": study?.title.text(in: languages) ?? enrolment.studyID.text,
            "codename": enrolment.codename, "state": enrolment.state.rawValue,
            "asked_at": enrolment.askedAt, "enrolled_at": enrolment.enrolledAt, "left_at": enrolment.leftAt,
            "consent_version": enrolment.consentVersion, "consented_at": enrolment.consentedAt,
            // The way is null for older consents.
            "consents": agreed.filter { $0.enrolment == enrolment.id }.map { consent -> Facts in
                [
                    "version": consent.version, "agreed_at": consent.agreedAt,
                    "way": consent.way?.rawValue, "version_told": consent.isVersionTold,
                    "text": consent.text?.text(in: languages),
                ]
            },
            "receipt": try ReceiptStore.number(of: enrolment.id, owner.key, connection)?.text,
            // Of the first participation alone: a returned participant stays in the group. The gender is there where groups are balanced by it.
            "allocation": allocation.map { drawn -> Facts in
                [
                    "arm": drawn.arm.rawValue, "site": drawn.site, "gender": drawn.gender?.rawValue,
                    "allocated_at": drawn.at,
                ]
            },
            // When leads learned the group in an emergency.
            "unmaskings": try UnmaskingStore.all(of: enrolment.id, connection).map { unmasking -> Facts in
                [
                    "unmasked_at": unmasking.at,
                    "reason": try unmasking.reason.map {
                        try owner.key.open($0, from: UnmaskingStore.place(unmasking.id))
                    },
                ]
            },
            // Null where allocation was not waited for.
            "allocation_state": enrolment.allocationState?.rawValue, "baseline_at": enrolment.baselineAt,
            "crossed_at": enrolment.crossedAt,
            "location": enrolment.location?.rawValue, "location_at": enrolment.locationAt,
            "measurements": enrolment.measurements.map(\.rawValue),
            // Null for choices from before it was noted.
            "measurements_at": enrolment.tickedAt,
            "measurements_version": enrolment.chosenSentence,
            "measurements_sentence": enrolment.chosenSentence.map {
                StudyMeasures.words(ofSentence: $0, owner.c.texts)
            },
            // Each with its moment; what was chosen before moments were kept stands above alone.
            "choices": try ItemChoiceStore.all(of: enrolment.id, connection).map { choice -> Facts in
                [
                    "kind": choice.kind.name, "agreed": choice.isGiven, "at": choice.at,
                    "sentence": choice.sentence,
                ]
            },
            // The dates that leads entered, from which days of time points are counted; null takes one back.
            "anchors": try AnchorStore.all(of: enrolment.id, connection).sorted { $0.key < $1.key }.flatMap {
                key, dates in
                dates.map { ["time_point": key, "since": $0.since, "date": $0.date] as Facts }
            },
            "events": try StudyEventStore.all(of: enrolment.id, connection).map { event -> Facts in
                [
                    "id": event.id.text,
                    "questionnaire_key": items.first { $0.id == event.itemID }?.key,
                    "started_at": event.startedAt,
                    "ended_at": event.endedAt, "timezone": event.zone.name, "zone_word": event.zone.word,
                    "received_at": event.receivedAt, "contribution_id": event.sheet?.text,
                ]
            },
            // The days of sessions that its leads learn.
            "session_days": try AnchorStore.sessions(of: enrolment.id, connection).sorted {
                $0.key < $1.key
            }.flatMap { key, sessions in
                sessions.flatMap(\.dates).map {
                    ["time_point": key, "since": $0.since, "date": $0.date] as Facts
                }
            },
            // Without a plan the study's times apply.
            "own_times": items.flatMap { item in
                (times[item.id] ?? []).map { chosen -> Facts in
                    ["questionnaire_key": item.key, "since": chosen.since, "plan": chosen.times?.wire]
                }
            },
        ]
    }
}
