import Rules
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// The file in words, as it is printed.
package struct TherapyFileSheet: Encodable, Sendable {
    struct Row: Encodable, Sendable {
        let when: String
        let text: String
        let more: String?
    }
    /// A heading with its rows; nil rows are left out as a whole.
    struct Part: Encodable, Sendable {
        let title: String
        let rows: [Row]
        let none: Bool
    }
    struct Answered: Encodable, Sendable {
        let title: String
        let when: String
        let basis: String
        let scores: [Row]
        let lines: [TherapyFile.Sheet.Line]
    }
    let codename: String
    let facts: [String]
    let before: [Part]
    let sheets: [Answered]
    let after: [Part]
    let made: String

    init(_ file: TherapyFile, _ texts: Texts, _ dates: DateFormat) {
        codename = file.codename
        let day = { (key: String, date: LocalDate?) in
            date.map { texts["therapy_file.\(key)", ["day": dates.day($0)]] }
        }
        facts = [
            texts["therapy_file.taken_in", ["day": dates.day(file.takenInAt)]],
            file.pairedAt.map { texts["therapy_file.paired", ["day": dates.day($0)]] },
            day("started", file.startedOn), day("planned_end", file.endsOn), day("ended", file.endedOn),
            texts[file.withNotes ? "therapy_file.with_notes" : "therapy_file.without_notes"],
        ].compactMap(\.self)
        let words = TherapyFileWords(texts: texts, dates: dates)
        before = [
            words.part("sessions", file.sessions.map(words.session)),
            words.part("calls", file.calls.map(words.call)),
            words.part("interventions", file.interventions.map(words.intervention)),
            words.part("alerts", file.alerts.map(words.alert)),
            words.part("pauses", file.pauses.map(words.pause)),
            words.part("plan", file.plan.map(words.plan)),
        ]
        sheets = file.questionnaires.map(words.sheet)
        after = [words.part("dailies", file.dailies.map(words.daily))]
        made = texts["therapy_file.made", ["at": dates.dayAndTime(file.madeAt)]]
    }

    /// The printable page; also of a file that is kept for a while after its patient has gone.
    package struct Show: Page {
        package static let template = "file/show"
        package static let section: NavigationItem? = .patients
        let sheet: TherapyFileSheet
        let back: String
        let download: String

        init(_ sheet: TherapyFileSheet, back: String, download: String) {
            self.sheet = sheet
            self.back = back
            self.download = download
        }

        package static let example = Show(
            TherapyFileSheet(
                codename: "C020480", facts: ["Therapie seit 3.5.2026"],
                before: [
                    Part(
                        title: "Sitzungen", rows: [Row(when: "3.5.2026", text: "Sitzung 1", more: "Notiz")],
                        none: false)
                ],
                sheets: [
                    Answered(
                        title: "ISF-K", when: "3.5.2026, 10:00", basis: "6 von 6",
                        scores: [Row(when: "Intensität", text: "2,5", more: "6 von 6")],
                        lines: [.init(question: "Wie oft?", answer: "oft (3)")])
                ], after: [Part(title: "Tagesabfragen", rows: [], none: true)], made: "Erstellt am 20.11.2026"
            ),
            back: "/patients/x/file", download: "/patients/x/file/download")
    }

    private init(
        codename: String, facts: [String], before: [Part], sheets: [Answered], after: [Part], made: String
    ) {
        self.codename = codename
        self.facts = facts
        self.before = before
        self.sheets = sheets
        self.after = after
        self.made = made
    }
}

/// The rows of the file.
struct TherapyFileWords {
    typealias Row = TherapyFileSheet.Row
    let texts: Texts
    let dates: DateFormat

    func part(_ key: String, _ rows: [Row]) -> TherapyFileSheet.Part {
        TherapyFileSheet.Part(title: texts["therapy_file.\(key)"], rows: rows, none: rows.isEmpty)
    }

    func session(_ session: TherapyFile.Session) -> Row {
        let name =
            session.number.map { texts["timeline.session", ["n": String($0)]] }
            ?? texts["timeline.session_unnumbered"]
        let more = [session.note, session.agenda.flatMap { $0.isEmpty ? nil : $0.joined(separator: " · ") }]
        return Row(
            when: dates.dayAndTime(session.startsAt),
            text: "\(name) · \(texts["sessions.state_\(session.state)"])",
            more: joined(more.compactMap(\.self), "\n"))
    }

    func call(_ call: TherapyFile.Call) -> Row {
        Row(when: dates.dayAndTime(call.at), text: texts["phone.entry"], more: call.note)
    }

    func intervention(_ given: TherapyFile.Intervention) -> Row {
        let steps: [(String, Instant?)] = [
            ("opened", given.openedAt), ("completed", given.completedAt), ("withdrawn", given.withdrawnAt),
        ]
        let states = steps.compactMap { name, at in
            at.map { texts["therapy_file.step_\(name)", ["when": dates.dayAndTime($0)]] }
        }
        let state = states.isEmpty ? [texts["therapy_file.step_new"]] : states
        return Row(
            when: dates.dayAndTime(given.assignedAt),
            text: "\(texts["interventions.kind_\(given.kind)"]): \(given.text)",
            more: joined(state + [given.reason].compactMap(\.self), " · "))
    }

    func alert(_ alert: TherapyFile.Alert) -> Row {
        let seen =
            alert.seenAt.map { texts["therapy_file.seen", ["when": dates.dayAndTime($0)]] }
            ?? texts["alerts.waiting"]
        return Row(
            when: dates.dayAndTime(alert.raisedAt), text: alert.title,
            more: joined([alert.reason, seen, alert.remark ?? ""].filter { !$0.isEmpty }, " · "))
    }

    func pause(_ pause: Wire.Pause) -> Row {
        let key = pause.whose == "therapist" ? "therapy_file.pause_therapist" : "therapy_file.pause_patient"
        return Row(
            when: "\(dates.day(pause.startsOn)) – \(dates.day(pause.endsOn))", text: texts[key], more: nil)
    }

    func plan(_ plan: TherapyFile.Plan) -> Row {
        Row(
            when: dates.day(plan.madeAt),
            text: "\(plan.title) · \(texts["delivery.occasion_\(plan.occasion)"])",
            more: plan.stoppedAt.map { texts["therapy_file.stopped", ["day": dates.day($0)]] })
    }

    func sheet(_ sheet: TherapyFile.Sheet) -> TherapyFileSheet.Answered {
        TherapyFileSheet.Answered(
            title: sheet.title, when: dates.dayAndTime(sheet.completedAt),
            basis: texts[
                "contributions.answered", ["n": String(sheet.answered), "of": String(sheet.asked)]],
            scores: sheet.scores.map {
                Row(
                    when: $0.title, text: $0.value.map { texts.number($0, digits: 2) } ?? "–",
                    more: texts.count("contributions.items", $0.answered, of: $0.items))
            }, lines: sheet.answers)
    }

    /// One line each: a year of them are a thousand.
    func daily(_ sheet: TherapyFile.Sheet) -> Row {
        let answers = sheet.answers.compactMap(\.answer)
        return Row(
            when: dates.dayAndTime(sheet.completedAt), text: answers.joined(separator: " · "), more: nil)
    }

    private func joined(_ words: [String], _ separator: String) -> String? {
        words.isEmpty ? nil : words.joined(separator: separator)
    }
}
