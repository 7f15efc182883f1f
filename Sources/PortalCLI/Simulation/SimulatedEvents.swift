import Demonstration
import Foundation
import PortalClient
import Scheduling
import Wire

/// A button of the study, with what is asked about it (ST-2).
struct SimulatedButton: Sendable {
    let item: String
    let study: String
    let isSpan: Bool
    let version: String
    let questionnaire: Questionnaire
}

extension Simulation {
    /// Everybody takes part in the study.
    func takePart(_ client: Client) async throws -> [SimulatedButton] {
        guard let study = try await client.studies().first else { return [] }
        _ = try await client.enrol(in: study.id)
        var buttons: [SimulatedButton] = []
        for item in try await client.studyQuestionnaires() {
            guard let event = item.attributes.event, let version = item.attributes.questionnaireID else {
                continue
            }
            buttons.append(
                SimulatedButton(
                    item: item.id, study: study.id, isSpan: event == "span", version: version,
                    questionnaire: try await client.questionnaire(version)))
        }
        return buttons
    }
}

// Moments and spans, with a network and without; some are pressed twice, some corrected, some answered.
extension SimulatedPerson {
    func learn(_ buttons: [SimulatedButton]) { self.buttons = buttons }

    func press(_ app: SimulatedPhone.App, on number: Int) throws {
        let now = app.phone.now.whole
        for (id, button) in open(on: number) {
            guard var event = diary.events[id] else { continue }
            if !event.isOver {
                guard chance(0.6) else { continue }
                event.endedAt = max(now, event.startedAt)
                try note(event, id, app)
            } else if !event.isSpan, chance(0.05) {
                event.startedAt = event.startedAt.adding(seconds: -60)
                try note(event, id, app)
            }
            guard chance(0.6), let answers = answers(button.questionnaire) else { continue }
            let sheet = try app.store.submit(
                about: id, in: button.study, version: button.version, of: button.questionnaire, answers,
                started: now, at: now, zone: app.phone.zone)
            note(sheet, of: button, answers, at: now, about: id)
        }
        for button in pressed() {
            let event = Diary.NotedEvent(
                item: button.item, isSpan: button.isSpan, phone: number, startedAt: now)
            let id = UUID().uuidString.lowercased()
            try note(event, id, app)
            // A finger that slips presses twice.
            if chance(0.2) { try note(event, id, app) }
        }
    }

    /// The same on the pages, with forms that lie on the device.
    func press(in browser: SimulatedBrowser) async {
        let now = await browser.now.whole
        for (id, button) in open(on: nil) {
            guard var event = diary.events[id] else { continue }
            if !event.isOver {
                guard chance(0.6) else { continue }
                event.endedAt = max(now, event.startedAt)
                await browser.end(id, at: event.endedAt ?? now)
                diary.events[id] = event
            }
            guard chance(0.6), let answers = answers(button.questionnaire),
                let sheet = await browser.fillIn(
                    about: id, button.version, button.questionnaire.sendable(answers))
            else { continue }
            note(sheet, of: button, answers, at: now, about: id)
        }
        for button in pressed() {
            guard let id = await browser.begin(button.item, at: now) else { continue }
            diary.events[id] = Diary.NotedEvent(
                item: button.item, isSpan: button.isSpan, phone: nil, startedAt: now)
        }
    }

    /// What goes on or waits for its answers on a phone, or in the browser.
    private func open(on phone: Int?) -> [(id: String, button: SimulatedButton)] {
        diary.events.filter { $0.value.phone == phone && $0.value.sheet == nil }.sorted { $0.key < $1.key }
            .compactMap { id, event in
                buttons.first { $0.item == event.item }.map { (id, $0) }
            }
    }

    /// What happens this evening: of what goes on already nothing begins.
    private func pressed() -> [SimulatedButton] {
        buttons.filter { button in
            let goesOn = diary.events.values.contains { $0.item == button.item && !$0.isOver }
            return !goesOn && chance(0.3)
        }
    }

    private func note(_ event: Diary.NotedEvent, _ id: String, _ app: SimulatedPhone.App) throws {
        let noted = Client.NotedEvent(
            itemID: event.item, startedAt: event.startedAt, endedAt: event.endedAt,
            timezone: app.phone.zone.identifier)
        try app.store.noted(noted, id: id)
        diary.events[id] = event
    }

    private func note(
        _ sheet: String, of button: SimulatedButton, _ answers: Answers, at now: Instant, about event: String
    ) {
        diary.events[event]?.sheet = sheet
        diary.sheets.append(
            Diary.Contribution(
                id: sheet, phone: diary.events[event]?.phone, assignment: event,
                answers: button.questionnaire.sendable(answers), completedAt: now))
    }
}

extension SimulatedBrowser {
    /// - Returns: the event's id; nil where the page has no such button.
    func begin(_ item: String, at start: Instant) -> String? {
        guard let plan, plan.buttons.contains(where: { $0.item == item }) else { return nil }
        let id = UUID().uuidString.lowercased()
        outbox.append(
            Unsent(
                id: id, path: "/my/offline/events",
                fields: [
                    ("id", id), ("item_id", item), ("started_at", start.text), ("timezone", plan.zone),
                ]))
        return id
    }

    func end(_ event: String, at end: Instant) {
        let fields = [("action", "end"), ("id", event), ("ended_at", end.text)]
        outbox.append(Unsent(id: event + ".end", path: "/my/offline/events", fields: fields))
    }

    /// - Returns: the sheet's id; nil where its form does not lie here.
    func fillIn(about event: String, _ version: String, _ answers: Answers) -> String? {
        guard forms[version] != nil else { return nil }
        let entry = Entry(
            key: event, version: version, from: 0, due: nil, target: ["event": event], isAsked: false)
        return fillIn(entry, answers)
    }
}

/// An event in a person's copy of their own data, which has all of them.
struct PortalEvent: Decodable, Sendable {
    let id: String
    let started_at: Instant
    let ended_at: Instant?
    let contribution_id: String?

    private struct Copy: Decodable {
        struct Document: Decodable {
            struct Sections: Decodable {
                struct Study: Decodable { let events: [PortalEvent] }
                let studies: [Study]
            }
            let attributes: Sections
        }
        let data: Document
    }

    static func all(_ client: Client) async throws -> [PortalEvent] {
        let copy = try JSONDecoder().decode(Copy.self, from: try await client.export())
        return copy.data.attributes.studies.flatMap(\.events)
    }
}

extension Agreement {
    /// Every event was stored once, with its times and its sheet.
    mutating func events(
        _ diary: Diary, on phones: [PhoneState], in browser: BrowserState?, _ portal: PortalState
    ) -> [String] {
        let there = Dictionary(portal.events.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var lines = there.count == portal.events.count ? [] : ["an event is there twice"]
        for (id, mine) in diary.events.sorted(by: { $0.key < $1.key }) {
            guard let theirs = there[id] else {
                let isRefused =
                    phones.contains { $0.refusedRecords.contains(id) } || browser?.refusals[id] != nil
                lines.append("event \(id) is \(isRefused ? "refused" : "lost")")
                continue
            }
            noteEvent(isAnswered: theirs.contribution_id != nil)
            if mine.startedAt.seconds != theirs.started_at.seconds
                || mine.endedAt?.seconds != theirs.ended_at?.seconds || mine.sheet != theirs.contribution_id
            {
                lines.append("event \(id) says something else")
            }
        }
        for id in Set(there.keys).subtracting(diary.events.keys).sorted() {
            lines.append("event \(id) was never pressed")
        }
        return lines
    }
}
