import PortalClient
import Wire

/// Compares diary, phones and portal, entry by entry.
struct Agreement: Sendable {
    /// Sheets stored by the portal; those it refused, by status.
    private(set) var acknowledged = 0
    private(set) var refused: [Int: Int] = [:]
    /// Of the acknowledged those that came from browsers.
    private(set) var inBrowsers = 0
    /// Counts of the lives: ignored prompts, days offline, decided conflicts.
    private(set) var forgotten = 0
    private(set) var daysOffline = 0
    private(set) var conflicts = 0
    /// Listening sessions stored by the portal.
    private(set) var heard = 0
    /// Measured days and single values that the portal was told, and values that it refused.
    private(set) var measured = (days: 0, values: 0, refused: 0)
    /// Events stored by the portal; of these, answered ones.
    private(set) var events = (noted: 0, answered: 0)
    /// A line for every difference.
    private(set) var differences: [String] = []

    init() {}

    mutating func noteHeard() { heard += 1 }

    mutating func noteEvent(isAnswered: Bool) {
        events.noted += 1
        if isAnswered { events.answered += 1 }
    }

    mutating func noteMeasured(days: Int, values: Int, refused: Int) {
        measured.days += days
        measured.values += values
        measured.refused += refused
    }

    mutating func add(
        _ name: String, _ diary: Diary, _ phones: [PhoneState], _ browser: BrowserState? = nil,
        _ portal: PortalState
    ) {
        forgotten += diary.forgotten
        daysOffline += diary.daysOffline
        conflicts += diary.conflicts
        var lines = sheets(diary, phones, browser, portal) + appointments(diary, phones, portal)
        lines += interventions(diary, phones, portal) + listening(diary, phones, portal)
        lines += measurements(diary, phones, portal) + events(diary, on: phones, in: browser, portal)
        for (number, phone) in phones.enumerated() {
            if phone.waiting > 0 { lines.append("phone \(number): \(phone.waiting) things were never sent") }
            if phone.conflicts > 0 { lines.append("phone \(number): \(phone.conflicts) conflicts are left") }
        }
        if let browser, browser.waiting > 0 {
            lines.append("browser: \(browser.waiting) things were never sent")
        }
        differences += lines.map { "\(name): \($0)" }
    }

    // MARK: Sheets

    private mutating func sheets(
        _ diary: Diary, _ phones: [PhoneState], _ browser: BrowserState?, _ portal: PortalState
    ) -> [String] {
        var lines: [String] = []
        var there: [String: SentSheet] = [:]
        for item in portal.contributions {
            if there.updateValue(item.attributes, forKey: item.id) != nil {
                lines.append("sheet \(item.id) is there twice")
            }
        }
        let answered = portal.contributions.compactMap(\.attributes.assignmentID)
        if Set(answered).count < answered.count { lines.append("an assignment is answered twice") }
        for sheet in diary.sheets {
            if let sent = there[sheet.id] {
                acknowledged += 1
                if sheet.phone == nil { inBrowsers += 1 }
                if Self.answers(of: sent) != sheet.answers
                    || sent.completedAt.seconds != sheet.completedAt.seconds
                {
                    lines.append("sheet \(sheet.id) says something else")
                }
                continue
            }
            let onPhone = sheet.phone.flatMap { number in
                phones[number].sheets.first { $0.id == sheet.id }?.refusal?.status
            }
            if let status = onPhone ?? browser?.refusals[sheet.id] {
                refused[status, default: 0] += 1
            } else {
                lines.append("sheet \(sheet.id) is lost")
            }
        }
        for id in Set(there.keys).subtracting(diary.sheets.map(\.id)).sorted() {
            lines.append("sheet \(id) was never filled in")
        }
        for (number, phone) in phones.enumerated() {
            for id in Set(there.keys).symmetricDifference(phone.contributions.keys).sorted() {
                lines.append("phone \(number): sheet \(id) is on one side only")
            }
        }
        return lines
    }

    private static func answers(of sheet: SentSheet) -> Answers {
        var answers: Answers = [:]
        for pair in sheet.answers.pairs { answers[pair.key] = pair.value }
        return answers
    }

    // MARK: Appointments and interventions

    private func appointments(
        _ diary: Diary, _ phones: [PhoneState], _ portal: PortalState
    ) -> [String] {
        let there = Dictionary(
            portal.appointments.map { ($0.id, $0.attributes) }, uniquingKeysWith: { first, _ in first })
        var lines = there.count == portal.appointments.count ? [] : ["an appointment is there twice"]
        lines += Self.unlike(diary.appointments, there, "appointment", in: "the diary")
        for (number, phone) in phones.enumerated() {
            lines += Self.unlike(phone.appointments, there, "appointment", in: "phone \(number)")
        }
        return lines
    }

    private static func unlike(
        _ here: [String: Appointment], _ there: [String: Appointment], _ what: String, in place: String
    ) -> [String] {
        Set(here.keys).union(there.keys).sorted().compactMap { id in
            guard let mine = here[id] else { return "\(what) \(id) is not in \(place)" }
            guard let theirs = there[id] else { return "\(what) \(id) is in \(place) only" }
            let isSame =
                mine.title == theirs.title && mine.startsAt == theirs.startsAt
                && mine.endsAt == theirs.endsAt && mine.comment == theirs.comment
            return isSame ? nil : "\(what) \(id) is different in \(place)"
        }
    }

    private func interventions(
        _ diary: Diary, _ phones: [PhoneState], _ portal: PortalState
    ) -> [String] {
        var lines: [String] = []
        let there = Dictionary(
            portal.interventions.map { ($0.id, $0.attributes) }, uniquingKeysWith: { first, _ in first })
        for (id, it) in there where diary.completed.contains(id) && it.completedAt == nil {
            lines.append("intervention \(id) was finished, and the portal does not know")
        }
        for (number, phone) in phones.enumerated() {
            for id in Set(there.keys).symmetricDifference(phone.interventions.keys).sorted() {
                lines.append("phone \(number): intervention \(id) is on one side only")
            }
            for (id, mine) in phone.interventions {
                guard let theirs = there[id] else { continue }
                if mine.openedAt != theirs.openedAt || mine.completedAt != theirs.completedAt
                    || mine.text != theirs.text
                {
                    lines.append("phone \(number): intervention \(id) is different")
                }
            }
        }
        return lines
    }
}
