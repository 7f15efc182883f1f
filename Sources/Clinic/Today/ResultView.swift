import Contributions
import Instruments
import Questionnaires
import Therapies
import Web
import Wire
import Wording

/// A result as it stands on Today: the name of its scale once, the course `64 → 48 von 100`, and the changes with their
/// verdicts (PR-35).
struct ResultView: Encodable, Sendable {
    let name: String
    /// The same apart, where a row has two lines for it.
    let scale: String
    let sheet: String
    /// The page of the scale.
    let path: String
    let value: String
    let course: String
    let changes: [JudgedChange]
    /// `am 23.11.`; nil where the row says it.
    var day: String?
    /// From before the last session: known before, not a change (PR-1).
    var isKnown = false
    /// The change that a row has room for; nil before the second value.
    let change: JudgedChange?
    /// Its small course with its end; nil where none is drawn.
    private(set) var drawn: Drawn?

    struct Drawn: Encodable {
        let course: String
        let end: String
    }

    /// Nil without a value.
    init?(_ series: ScaleSeries, _ change: ScoreChange, of therapy: Therapy, _ texts: Texts) {
        guard let last = change.last.score.value else { return nil }
        let words = ScoreFormatter(texts: texts)
        name = series.name(texts.language)
        scale = series.title(texts.language)
        sheet = series.questionnaire.title(texts.language)
        path = series.path(of: therapy.id)
        let value = words.ofRange(last, series.scale)
        self.value = value
        let from = (change.beforeSession ?? change.begin)?.score.value
        course = from.map { "\(texts.number($0)) → \(value)" } ?? value
        let changes = words.changes(change, series.scale)
        self.changes = changes
        self.change = Self.foremost(changes)
    }

    /// One for the worse before one for the better; of two alike that since the begin.
    static func foremost(_ changes: [JudgedChange]) -> JudgedChange? {
        changes.last { $0.tone == "danger" } ?? changes.last { $0.tone != "plain" } ?? changes.last
    }

    /// Takes the values of its small course; a single one draws none.
    mutating func draw(_ series: ScaleSeries) {
        let drawn = Sparkline.drawn(series)
        if !drawn.path.isEmpty { self.drawn = Drawn(course: drawn.path, end: drawn.end) }
    }

    /// Whether a change is reliable for the worse.
    var isWorse: Bool { changes.contains { $0.tone == "danger" } }

    /// Whether the change since the last session is reliable, or without a session that since the begin.
    var hasMoved: Bool { changes.first.map { $0.tone != "plain" } ?? false }

    /// As one sentence, for the API.
    var words: String {
        ([["\(name): \(value)", day].compactMap(\.self).joined(separator: " ")] + changes.map(\.words))
            .joined(separator: ", ")
    }
}
