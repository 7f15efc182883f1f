import Contributions
import Delivery
import Instruments
import Questionnaires
import Rules
import Templates
import Therapies
import Wire
import Wording

/// Events in words, for page and call alike.
struct TimelineFormatter: Sendable {
    let texts: Texts
    let now: Instant
    let dates: DateFormat

    /// The title on a page: that of a questionnaire names its language.
    func written(_ event: TimelineEvent) -> WrittenText {
        if case .contribution(_, let questionnaire) = event.content {
            return questionnaire.written(on: texts.language)
        }
        return WrittenText(title(event))
    }

    func title(_ event: TimelineEvent) -> String {
        switch event.content {
        case .contribution(_, let questionnaire): questionnaire.title(texts.language)
        case .assignment(_, let questionnaire):
            texts["timeline.assigned", ["title": questionnaire.title(texts.language)]]
        case .session(let session):
            session.number.map { texts["timeline.session", ["n": String($0)]] }
                ?? texts["timeline.session_unnumbered"]
        case .intervention(let record, _, _): interventions.kind(record)
        case .alert(_, let heading, _, _): heading ?? ""
        case .note(_, let heading, _): texts["timeline.note", ["text": heading ?? ""]]
        case .pause(let pause, _): title(pause)
        case .phone: texts["phone.entry"]
        case .begin: texts["timeline.created"]
        case .pairing: texts["timeline.pairing"]
        case .end: texts["timeline.ended"]
        }
    }

    func summary(_ event: TimelineEvent) -> String? {
        switch event.content {
        case .contribution(let sheet, _):
            return texts[
                "contributions.answered", ["n": String(sheet.answered), "of": String(sheet.asked)]]
        case .assignment(let record, _): return texts["timeline.window", window(record)]
        case .session(let session):
            let minutes = (session.session.endsAt.seconds - session.session.startsAt.seconds) / 60
            return texts["timeline.minutes", ["n": String(minutes)]]
        case .intervention(let record, let text, let reason):
            // Its words, and when it was opened and completed.
            let steps = interventions.steps(record, withGiven: false)
            return [text.text(in: texts.language) ?? "", steps, reason ?? ""].filter { !$0.isEmpty }
                .joined(separator: " · ")
        case .alert(_, _, let reason, let remark):
            return [reason, remark].compactMap(\.self).joined(separator: " · ")
        case .note(_, _, let reason): return reason
        case .pause(_, let cover): return cover.map { texts["pauses.cover_is", ["name": $0]] }
        case .phone(_, let note): return note
        case .begin, .pairing, .end: return nil
        }
    }

    /// Begin and end, and whose pause it is.
    private func title(_ pause: PauseRecord) -> String {
        let values = ["from": dates.day(pause.startsOn), "until": dates.day(pause.endsOn)]
        return texts[pause.therapyID == nil ? "pauses.title_therapist" : "pauses.title_patient", values]
    }

    private var interventions: InterventionFormatter { InterventionFormatter(texts: texts, dates: dates) }

    /// n of n beside the scores.
    func basis(_ event: TimelineEvent) -> String? {
        event.contribution.map {
            texts.count("contributions.items", $0.summary.answered, of: $0.summary.asked)
        }
    }

    /// A state in words with its colour; nil where there is none to show.
    func badge(_ event: TimelineEvent) -> (text: String, tone: String)? {
        switch event.content {
        case .assignment(let record, _):
            let state = record.state(at: now)
            let tone = ["answered": "good", "missed": "warn", "open": "accent"][state.rawValue] ?? "plain"
            return (texts["assignments.state_\(state.rawValue)"], tone)
        case .session(let session):
            guard session.state != .held else { return nil }
            let tone = session.state == .missed ? "warn" : "plain"
            return (texts["sessions.state_\(session.state.rawValue)"], tone)
        case .alert(let record, _, _, _):
            let isDone = record.acknowledgedAt != nil
            return (texts[isDone ? "alerts.done" : "alerts.waiting"], isDone ? "plain" : "warn")
        case .intervention(let record, _, _):
            return (interventions.state(record), InterventionFormatter.tone(record))
        case .contribution, .note, .pause, .phone, .begin, .pairing, .end: return nil
        }
    }

    /// Readable scores: the words of the answer for a single question, the number otherwise.
    func scores(_ event: TimelineEvent) -> [(label: String, value: String)] {
        guard let (sheet, questionnaire) = event.contribution else { return [] }
        let definition = questionnaire.definition
        let language = definition.language(asked: texts.language.rawValue)
        return sheet.scores.compactMap { score in
            guard let scale = definition.scales.first(where: { $0.key == score.scale }) else { return nil }
            guard let value = score.value else {
                // Questions hidden by their condition were not asked. Of the others the missing ones are named.
                if score.answered == 0 { return nil }
                return (scale.title[language] ?? scale.key, texts[score.basis])
            }
            return (scale.title[language] ?? scale.key, words(value, scale, definition, language))
        }
    }

    private func words(
        _ value: Double, _ scale: Scale, _ definition: QuestionnaireDefinition, _ language: String
    ) -> String {
        if scale.items.count == 1, scale.factor == 1, !scale.isPercent,
            let question = definition.question(scale.items[0]),
            let text = question.options.first(where: { $0.value == value })?.text[language]
        {
            // "Sehr positiv gestimmt (hoffnungsvoll, …)": the examples are for the patient who answers.
            return Self.withoutExamples(text)
        }
        return texts.number(value)
    }

    static func withoutExamples(_ text: String) -> String {
        var last: UInt8 = 0
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            if byte == UInt8(ascii: "("), last == UInt8(ascii: " ") {
                return String(text[..<text.utf8.index(before: index)])
            }
            last = byte
        }
        return text
    }

    private func window(_ assignment: AssignmentRecord) -> [String: String] {
        ["from": texts.when(assignment.opens, dates), "until": texts.when(assignment.closes, dates)]
    }
}
