import Contributions
import Instruments
import JSON
import Questionnaires
import Records
import Scheduling
import Studies
import Wire

/// The content of an export, and the participants left out.
package struct ExportManifest: Encodable, Sendable {
    /// People: a returned participant has two codenames and counts once.
    package var participants = 0
    /// Enrolled, but their consent was withdrawn: nothing of them is in it.
    package var withheld = 0
    /// Left, with all their answers removed.
    var removed = 0
    /// Erased their account: only their number is left.
    var erased = 0
    package var sheets = 0
    package var missed_prompts = 0
    /// Prompts that could not be seen: neither asked nor missed.
    package var unseen_prompts = 0
    /// Positions that sensors read, and the participants' choices on that; not part of the file's own manifest.
    var positions = 0
    var location = LocationCounts()
    /// Items with another name than the one that a column of every study has; not part of the file's own manifest.
    var moved: [(from: String, to: String)] = []
    /// The agreements that it stands on; not part of the file's own manifest.
    package var basis = ExportBasis()

    /// Counts an occasion.
    mutating func count(_ state: PromptState?, _ sheet: ExportSheet?) {
        switch state {
        case _ where sheet != nil: sheets += 1
        case .unseen, .paused: unseen_prompts += 1
        default: missed_prompts += 1
        }
    }

    private enum CodingKeys: String, CodingKey {
        case participants, withheld, removed, erased, sheets, missed_prompts, unseen_prompts
    }
}

/// A sheet with its answers opened; shared by the rows and files that it is in.
final class ExportSheet {
    let record: ContributionRecord
    let questionnaire: QuestionnaireRecord
    let answers: JSON
    /// Whether each question was not shown, in their order; empty where all were.
    let hidden: [Bool]
    /// Times of the single answers and sensors; nil when none were sent.
    let details: StoredJSON?
    let scores: [ScaleScore]

    init(_ sealed: ExportQueue.Sealed, answers: JSON, details: StoredJSON?) {
        record = sealed.record
        questionnaire = sealed.questionnaire
        scores = sealed.scores
        hidden = questionnaire.definition.hidden(with: answers)
        self.answers = answers
        self.details = details
    }

    /// The answer to a question; they are stored in the order of the questions.
    func answer(_ index: Int, _ key: String) -> JSON {
        if case .object(let members) = answers, members.indices.contains(index), members[index].key == key {
            return members[index].value
        }
        return answers[key] ?? .null
    }
}

extension QuestionnaireDefinition {
    /// Which questions stand in sections that these answers do not lead to, in their order; empty where all are shown.
    func hidden(with json: JSON) -> [Bool] {
        guard isConditional, case .object = json else { return [] }
        let shown = shown { key in
            switch json[key] {
            case .number(let value): .number(value)
            case .array(let values): .numbers(values.compactMap(\.number))
            case .string(let text): .text(text)
            case .null, .bool, .object, nil: nil
            }
        }
        if shown.allSatisfy(\.self) { return [] }
        return zip(sections, shown).flatMap { section, isShown in
            section.questions.map { _ in !isShown }
        }
    }
}

/// One occasion of one participant.
struct ExportRow {
    let participant: String
    /// The group; nil without groups.
    let arm: String?
    let questionnaire: String
    /// Counts the occasions of this questionnaire, prompts without an answer included.
    private(set) var occasion: Int
    private(set) var prompt: Instant?
    /// What became of the prompt; nil for a sheet filled in at will.
    private(set) var state: PromptState?
    /// Nil for a prompt without an answer.
    let sheet: ExportSheet?
    /// Which of the study's questionnaires it is; nil for a sheet of the therapy.
    var item: Item?
    /// Whether its sheet was completed within a minute of another one of its item.
    private(set) var isTogether: Bool? = false
    /// How far the reminder of its prompt got; nil where none was pushed or shown, and where no file tells it.
    var reminder: StudyReminder?
    /// What its sheet is about, where that was noted with a button.
    var event: StudyEventRecord?
    /// Whether it is told if the sheet came by a device or on paper.
    private(set) var tellsWay = true

    /// When its sheet was completed: where the way is not told, noon (UTC) of that day. A device knows seconds, paper minutes.
    var completedAt: Instant? {
        guard let record = sheet?.record else { return nil }
        if tellsWay { return record.completedAt }
        let day = LocalTime(record.completedAt, Zone(record.timezone)).date
        return Zone("UTC").instant(day, hour: 12, minute: 0)
    }

    /// Where; nil where the way is not told: on paper it is the account's, on a device its own.
    var timezone: String? { tellsWay ? sheet?.record.timezone : nil }

    /// Leaves out all that tells a device from paper.
    /// - Parameter number: among the sheets alone.
    mutating func hideWay(occasion number: Int) {
        tellsWay = false
        occasion = number
        prompt = nil
        state = nil
        reminder = nil
        event = nil
        isTogether = nil
    }

    /// What the columns of a row say of one of the study's questionnaires.
    struct Item {
        let id: ID<StudyItem>
        let text: String
        let timePoint: String?
        /// Whether it is open on all days of a time point.
        let isWindow: Bool
        /// The key of the time point; `study` without one.
        let column: String

        init(_ item: StudyItem) {
            id = item.id
            text = item.id.text
            timePoint = item.timePoint
            isWindow = item.isAskedInWindow
            column = item.timePoint ?? ExportRow.studyWide
        }
    }
}
