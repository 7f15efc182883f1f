import Database
import Identity
import Instruments
import Records
import Scheduling
import Studies
import Templates
import Web
import Wire
import Wording

/// What a participant notes when it happens: a button for each such questionnaire, and what goes on or waits for its answers (ST-2).
package struct OwnEventRows: Encodable, Sendable {
    package struct Button: Encodable, Sendable {
        package let item: ID<StudyItem>
        /// Of the event to come: a form that is sent twice notes one.
        package let id: ID<StudyEvent>
        package let title: WrittenText
        /// The study, where the page does not say it.
        package let study: WrittenText?
        package let press: String
        package let isSpan: Bool
        package let from: String
    }
    package struct Row: Encodable, Sendable {
        package let event: ID<StudyEvent>
        package let item: ID<StudyItem>
        package let title: WrittenText
        package let state: String
        /// Where its end is told; nil where it has one.
        package let end: String?
        /// Nil once it was filled in.
        package let fill: String?
        package let removal: String?
        package let from: String
    }
    /// Sets one section of a page apart from the others.
    package let name: String
    /// The page that they stand on.
    package let place: String
    package let rows: [Row]
    package let buttons: [Button]

    /// Where a form leads back to.
    package enum Place: String, CaseIterable, Sendable {
        case today, studies

        var path: String { self == .today ? "/my" : OwnEventPages.studies }
    }
}

extension OwnEventRows {
    /// What an account can note, and has noted lately: read once for a page.
    struct Known {
        fileprivate let own: [OwnStudyItem]
        fileprivate let noted: [OwnEvent]

        init(_ c: Context<Member>, _ connection: borrowing Connection) throws {
            let account = c.proof.account.id
            let items = try StudyItemStore.all(of: account, connection).filter { $0.event != nil }
            own =
                items.isEmpty
                ? []
                : try OwnStudyItem.all(of: account, c.services.questionnaires, at: c.now, connection).filter {
                    $0.item.event != nil
                }
            noted = try OwnEvents.recent(of: account, among: items, at: c.now, connection)
        }
    }

    /// - Parameter study: nil for all studies.
    /// - Returns: nil where nothing is noted with a button.
    static func rows(
        _ known: Known, in study: ID<Study>? = nil, on place: Place, _ c: Context<Member>
    ) -> OwnEventRows? {
        let account = c.proof.account
        let own = known.own.filter { $0.study.id == study ?? $0.study.id }
        if own.isEmpty { return nil }
        let noted = known.noted
        let dates = c.dates(in: Zone(account.timezone))
        let rows = noted.compactMap { event -> Row? in
            guard let item = own.first(where: { $0.item.id == event.item.id }) else { return nil }
            return row(event, of: item, on: place, dates, c)
        }
        let buttons = own.filter { item in
            item.state == .open && !noted.contains { $0.item.id == item.item.id && $0.goesOn }
        }.map { item in
            Button(
                item: item.item.id, id: c.newID(), title: title(of: item, c),
                study: study == nil ? item.study.title.written(in: c.languages, on: c.language) : nil,
                press: item.item.event.map { c.texts[$0.press] } ?? "", isSpan: item.item.event == .span,
                from: place.rawValue)
        }
        if rows.isEmpty, buttons.isEmpty { return nil }
        return OwnEventRows(
            name: study?.text ?? "all", place: place.rawValue, rows: rows, buttons: buttons)
    }

    private static func title(of own: OwnStudyItem, _ c: Context<Member>) -> WrittenText {
        own.questionnaire?.written(c.languages, on: c.language) ?? WrittenText(own.item.key)
    }

    /// Nil for one that is filled in and over, or cannot be ended any more.
    private static func row(
        _ event: OwnEvent, of own: OwnStudyItem, on place: Place, _ dates: DateFormat, _ c: Context<Member>
    ) -> Row? {
        let record = event.record
        // Once the study is over nothing can be told of its end.
        let mayEnd = event.goesOn && own.state != .notRunning
        if record.sheet != nil, !mayEnd { return nil }
        let isToday = LocalTime(record.startedAt, dates.zone).date == dates.today
        let begin = isToday ? dates.time(record.startedAt) : dates.short(record.startedAt)
        let state =
            if event.goesOn {
                c.texts["own_studies.event_goes_on", ["when": begin]]
            } else if let end = record.endedAt {
                c.texts["own_studies.event_was", ["from": begin, "to": dates.time(end)]]
            } else {
                begin
            }
        let path = OwnEventPages.path(of: record.id)
        return Row(
            event: record.id, item: record.itemID, title: title(of: own, c), state: state,
            end: mayEnd ? path + "/end" : nil,
            fill: record.sheet == nil && own.questionnaire != nil ? path : nil,
            removal: record.sheet == nil ? path + "/removal" : nil, from: place.rawValue)
    }
}

extension OwnEvent {
    /// Whether it is a span without an end.
    var goesOn: Bool { item.event == .span && record.endedAt == nil }
}

extension StudyItem.Event {
    /// The name of the sentence on its button.
    var press: String { self == .span ? "own_studies.event_begins" : "own_studies.event_now" }
}
