import Rules
import Therapies
import Web
import Wire
import Wording

/// The file in words, for printing.
package struct TherapyFileView: Encodable, Sendable {
    struct Row: Encodable, Sendable {
        let when: String
        let text: String
        let more: String?
    }
    /// A heading with its rows; nil rows are left out.
    struct Part: Encodable, Sendable {
        let title: String
        let rows: [Row]
        let none: Bool
    }
    struct Week: Encodable, Sendable {
        let week: String
        let prompts: String
        let thoughts: String
        let mood: String
    }
    let codename: String
    let facts: [String]
    /// The first page; nil in a file kept before there was one.
    let front: TherapyFileFront?
    let before: [Part]
    let tables: [TherapyFileTable]
    /// Daily prompts by week, or one by one.
    let weeks: [Week]
    let hasWeeks: Bool
    let after: [Part]
    let made: String

    init(_ file: TherapyFile, _ texts: Texts, _ dates: DateFormat) {
        codename = file.codename
        front = file.overview.map { TherapyFileFront($0, of: file, texts, dates) }
        let day = { (key: String, date: LocalDate?) in
            date.map { texts["therapy_file.\(key)", ["day": dates.day($0)]] }
        }
        let notes = texts[file.withNotes ? "therapy_file.with_notes" : "therapy_file.without_notes"]
        let dailies =
            file.dailyWeeks == nil
            ? nil : texts["therapy_file.dailies_\(file.withDailies == true ? "each" : "weeks")"]
        // The first page has the dates itself.
        facts =
            front == nil
            ? [
                texts["therapy_file.taken_in", ["day": dates.day(file.takenInAt)]],
                file.pairedAt.map { texts["therapy_file.paired", ["day": dates.day($0)]] },
                day("started", file.therapyStartedOn), day("planned_end", file.therapyEndsOn),
                day("ended", file.therapyEndedOn), notes,
            ].compactMap(\.self) : [notes, dailies].compactMap(\.self)
        let words = TherapyFileFormatter(texts: texts, dates: dates)
        before = [
            words.part("sessions", file.sessions.map(words.session)),
            words.part("calls", file.phoneContacts.map(words.call)),
            words.part("interventions", file.interventions.map(words.intervention)),
            words.part("alerts", file.alerts.map(words.alert)),
            words.part("pauses", file.pauses.map(words.pause)),
            words.part("plan", file.plan.map(words.plan)),
        ]
        tables = TherapyFileTable.all(file.questionnaires, texts, dates)
        weeks = (file.dailyWeeks ?? []).map(words.week)
        hasWeeks = !weeks.isEmpty
        // Without a choice they are in it one by one.
        let isEach = file.withDailies ?? true
        let letters = (file.letters ?? []).map(words.letter)
        after =
            (isEach ? [words.part("dailies", file.dailies.map(words.daily))] : [])
            + (letters.isEmpty ? [] : [words.part("letters", letters)])
        made = texts["therapy_file.made", ["at": dates.dayAndTime(file.madeAt)]]
    }

    /// The printable page; also of a file kept after its patient was erased.
    package struct Show: Page {
        package static let template = "file/show"
        package static let section: NavigationItem? = .patients
        let sheet: TherapyFileView
        let back: String
        let download: String

        init(_ sheet: TherapyFileView, back: String, download: String) {
            self.sheet = sheet
            self.back = back
            self.download = download
        }
    }
}

/// The rows of the file.
struct TherapyFileFormatter {
    typealias Row = TherapyFileView.Row
    let texts: Texts
    let dates: DateFormat

    func part(_ key: String, _ rows: [Row]) -> TherapyFileView.Part {
        TherapyFileView.Part(title: texts["therapy_file.\(key)"], rows: rows, none: rows.isEmpty)
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

    /// The courses that it draws stand on the file's first page.
    func letter(_ letter: TherapyFile.WrittenLetter) -> Row {
        let words = LetterText.parts(letter.text).compactMap { part in
            if case .markdown(let text) = part { text } else { nil }
        }
        return Row(
            when: dates.dayAndTime(letter.writtenAt),
            text: "\(texts["letters.kind_\(letter.kind)"]): \(letter.title)", more: joined(words, "\n"))
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

    func week(_ week: TherapyFile.DailyWeek) -> TherapyFileView.Week {
        let end = week.startsOn.adding(days: 6)
        return TherapyFileView.Week(
            week: "\(dates.numericDay(week.startsOn)) – \(dates.numericDate(end))",
            prompts: texts.count("contributions.items", week.answered, of: week.delivered),
            thoughts: texts.count("contributions.items", week.thoughts, of: week.answers),
            mood: week.mood.map {
                "\(texts.number($0)) (\(texts["therapy_file.n", ["n": String(week.moodCount)]]))"
            }
                ?? "–")
    }

    /// One line each: a year has a thousand of them.
    func daily(_ sheet: TherapyFile.Sheet) -> Row {
        let answers = sheet.answers.compactMap(\.answer)
        return Row(
            when: dates.dayAndTime(sheet.completedAt), text: answers.joined(separator: " · "), more: nil)
    }

    private func joined(_ words: [String], _ separator: String) -> String? {
        words.isEmpty ? nil : words.joined(separator: separator)
    }
}
