import Contributions
import Database
import Records
import Web
import Wire

/// What a participant has noted with the button of a questionnaire, as stored (ST-2).
package struct StudyEventRecord: Sendable, FromRow {
    package let id: ID<StudyEvent>
    package let enrolmentID: ID<Enrolment>
    package let itemID: ID<StudyItem>
    package let startedAt: Instant
    /// Nil for a moment, and for a span that goes on.
    package let endedAt: Instant?
    package let receivedAt: Instant
    package let zone: DeviceZone
    /// The sheet that names it; nil before it was filled in.
    package let sheet: ID<ContributionRecord>?

    package init(row: borrowing Row) throws {
        id = try row["id"]
        enrolmentID = try row["enrolment_id"]
        itemID = try row["item_id"]
        startedAt = try row["started_at"]
        endedAt = try row["ended_at"]
        receivedAt = try row["received_at"]
        zone = DeviceZone(name: try row["timezone"], word: try row["zone_word"])
        sheet = try row["sheet"]
    }

    package func wire(of item: StudyItem) -> StudyEvent {
        StudyEvent(
            studyID: item.studyID.text, itemID: itemID.text, questionnaireKey: item.key,
            event: item.event?.rawValue ?? StudyItem.Event.moment.rawValue, startedAt: startedAt,
            endedAt: endedAt, timezone: zone.name, receivedAt: receivedAt, contributionID: sheet?.text)
    }
}

/// An event as a device tells it.
package struct NewStudyEvent: Sendable {
    package let id: ID<StudyEvent>
    package let item: ID<StudyItem>
    package let startedAt: Instant
    /// Nil says nothing of an end that is known.
    package let endedAt: Instant?
    /// Nil where the device tells none.
    package let zone: DeviceZone?

    package init(
        id: ID<StudyEvent>, item: ID<StudyItem>, startedAt: Instant, endedAt: Instant?, zone: DeviceZone?
    ) {
        self.id = id
        self.item = item
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.zone = zone
    }

    /// Whether a stored one has all that this one says.
    package func saysNothingNew(of known: StudyEventRecord) -> Bool {
        known.itemID == item && known.startedAt.seconds == startedAt.seconds
            && (endedAt == nil || known.endedAt?.seconds == endedAt?.seconds)
            && (zone == nil || known.zone == zone)
    }
}
