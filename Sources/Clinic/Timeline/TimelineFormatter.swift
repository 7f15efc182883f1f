import Instruments
import Questionnaires
import Responses
import Rules
import Therapies
import Wire
import Wording

/// Entries in words, for the page and for the call alike.
struct TimelineFormatter: Sendable {
    let texts: Texts
    let now: Instant
    let dates: DateFormat

    func title(_ entry: TimelineEvent) -> String {
        switch entry.kind {
        case .contribution, .daily: entry.questionnaire?.title(texts.language) ?? ""
        case .assignment:
            texts["timeline.assigned", ["title": entry.questionnaire?.title(texts.language) ?? ""]]
        case .session:
            entry.session?.number.map { texts["timeline.session", ["n": String($0)]] }
                ?? texts["timeline.session_unnumbered"]
        case .intervention: entry.intervention.map(interventions.kind) ?? ""
        case .pairing: texts["timeline.pairing"]
        case .alert: entry.heading ?? ""
        case .note: texts["timeline.note", ["text": entry.heading ?? ""]]
        case .therapy where entry.pause != nil: pause(entry)
        case .therapy: texts[entry.isEnd ? "timeline.ended" : "timeline.created"]
        }
    }

    func summary(_ entry: TimelineEvent) -> String? {
        switch entry.kind {
        case .contribution, .daily:
            entry.sheet.map { sheet in
                texts[
                    "contributions.answered",
                    ["n": String(sheet.answered), "of": String(sheet.asked)]]
            }
        case .assignment: entry.assignment.map { texts["timeline.window", window($0)] }
        case .session:
            entry.session.map { session in
                let minutes = (session.session.endsAt.seconds - session.session.startsAt.seconds) / 60
                return texts["timeline.minutes", ["n": String(minutes)]]
            }
        case .intervention: intervention(entry)
        case .alert: [entry.reason, entry.remark].compactMap(\.self).joined(separator: " · ")
        case .note: entry.reason
        case .therapy: entry.remark.map { texts["pauses.cover_is", ["name": $0]] }
        case .pairing: nil
        }
    }

    /// From when to when, and whose.
    private func pause(_ entry: TimelineEvent) -> String {
        guard let pause = entry.pause else { return "" }
        let values = ["from": dates.day(pause.startsOn), "until": dates.day(pause.endsOn)]
        return texts[pause.therapyID == nil ? "pauses.title_therapist" : "pauses.title_patient", values]
    }

    private var interventions: InterventionWords { InterventionWords(texts: texts, dates: dates) }

    /// Its words, and when it was opened and completed.
    private func intervention(_ entry: TimelineEvent) -> String? {
        let steps = entry.intervention.map { interventions.steps($0, withGiven: false) } ?? ""
        let text = entry.text?.text(in: texts.language) ?? ""
        return [text, steps, entry.reason ?? ""].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// n of n beside the scores.
    func basis(_ entry: TimelineEvent) -> String? {
        entry.sheet.map { texts.count("contributions.items", $0.answered, of: $0.asked) }
    }

    /// A state in words with its colour; nil where there is nothing to say.
    func badge(_ entry: TimelineEvent) -> (text: String, tone: String)? {
        switch entry.kind {
        case .assignment:
            guard let state = entry.assignment?.state(at: now) else { return nil }
            let tone = ["answered": "good", "missed": "warn", "open": "accent"][state.rawValue] ?? "plain"
            return (texts["assignments.state_\(state.rawValue)"], tone)
        case .session:
            guard let state = entry.session?.state, state != .held else { return nil }
            return (texts["sessions.state_\(state.rawValue)"], state == .missed ? "warn" : "plain")
        case .alert:
            let isDone = entry.alert?.acknowledgedAt != nil
            return (texts[isDone ? "alerts.done" : "alerts.waiting"], isDone ? "plain" : "warn")
        case .intervention:
            return entry.intervention.map { (interventions.state($0), InterventionWords.tone($0)) }
        default: return nil
        }
    }

    /// Scores as a reader wants them: the words of the answer for a single question, the number otherwise.
    func scores(_ entry: TimelineEvent) -> [(label: String, value: String)] {
        guard let questionnaire = entry.questionnaire, let sheet = entry.sheet else { return [] }
        let definition = questionnaire.definition
        let language = definition.language(asked: texts.language.rawValue)
        return sheet.scores.compactMap { score in
            guard let scale = definition.scales.first(where: { $0.key == score.scale }) else { return nil }
            guard let value = score.value else {
                // A question behind a condition was not asked: nothing to report. Else say what is missing.
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
            // "Sehr positiv gestimmt (hoffnungsvoll, …)": the examples are for the person who answers.
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
        ["from": dates.short(assignment.availableFrom), "until": dates.short(assignment.dueAt)]
    }
}
