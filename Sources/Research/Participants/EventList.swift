import Database
import Instruments
import Questionnaires
import Records
import Scheduling
import Studies
import Web
import Wire
import Wording

/// What a participant has noted with buttons: when, for how long, and whether something was filled in about it (ST-2). What that says is
/// told nowhere here.
package struct EventList: Encodable, Sendable {
    package struct Row: Encodable, Sendable {
        package let title: String
        package let began: String
        /// `10:31, 30 min`; a dash for a moment.
        package let ended: String
        package let state: String
        /// `good` for an answered one; nil for all others.
        package let tone: String?
    }

    /// How many there are of one questionnaire.
    package struct Count: Encodable, Sendable {
        package let title: String
        /// `12 notiert, 9 ausgefüllt`.
        package let number: String
    }

    package let counts: [Count]
    /// The latest first.
    package let rows: [Row]

    private static let most = 30

    /// Nil where the study has no buttons.
    static func list(
        of enrolment: EnrolmentRecord, _ c: Context<StudyLead>, _ connection: borrowing Connection
    ) throws -> EventList? {
        let items = try StudyItemStore.all(in: c.proof.study.id, connection).filter { $0.event != nil }
        if items.isEmpty { return nil }
        let titles = try Dictionary(
            uniqueKeysWithValues: items.map { item in
                let record = try QuestionnaireStore.newest(item.key, c.services.questionnaires, connection)
                return (item.id, title(of: item, record?.title(c.language) ?? item.key, c))
            })
        let numbers = try StudyEventStore.counts(of: enrolment.id, connection)
        let events = try StudyEventStore.newest(of: enrolment.id, limit: most, connection)
        return EventList(
            counts: items.map { item in
                let (noted, answered) = numbers[item.id] ?? (0, 0)
                return Count(
                    title: titles[item.id] ?? item.key,
                    number: c.texts[
                        "studies.events_noted", ["n": String(noted), "answered": String(answered)]])
            },
            rows: events.compactMap { event in
                items.first { $0.id == event.itemID }.map { item in
                    Row(
                        title: titles[item.id] ?? item.key, began: c.dates.dayAndTime(event.startedAt),
                        ended: end(of: event, item, c),
                        state: c.texts[
                            event.sheet == nil ? "studies.event_unanswered" : "studies.prompt_answered"],
                        tone: event.sheet == nil ? nil : "good")
                }
            })
    }

    private static func title(of item: StudyItem, _ title: String, _ c: Context<StudyLead>) -> String {
        let point = item.timePoint.flatMap { c.proof.study.timePoints[$0] }
        return point.map { "\(title) · \(TimePointPages.title($0, c))" } ?? title
    }

    private static func end(
        of event: StudyEventRecord, _ item: StudyItem, _ c: Context<StudyLead>
    ) -> String {
        guard item.event == .span else { return "–" }
        guard let end = event.endedAt else { return c.texts["studies.event_goes_on"] }
        let isSame =
            LocalTime(end, c.dates.zone).date == LocalTime(event.startedAt, c.dates.zone).date
        let minutes = (end.seconds - event.startedAt.seconds) / 60
        return c.texts[
            "studies.event_lasted",
            ["at": isSame ? c.dates.time(end) : c.dates.dayAndTime(end), "n": String(minutes)]]
    }
}
