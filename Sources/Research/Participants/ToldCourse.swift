import Database
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Studies
import Web
import Wire
import Wording

/// What leads see of one participant over time, for the page and the call: scores, and of therapies what the files of an export tell, by
/// the same rows (IO-20). Never a text.
struct ToldCourse: Sendable {
    /// The values of one scale.
    struct Series: Sendable {
        let questionnaire: QuestionnaireRecord
        let scale: Scale
        let isOfTherapy: Bool
        /// The earliest first.
        let values: [(at: Instant, value: Double)]
    }

    /// The dailies of seven days, counted from the day of enrolling.
    struct Week: Sendable {
        /// From 1 on.
        let number: Int
        let begin: LocalDate
        var planned = 0
        var answered = 0
        /// Of the others those that reached no device.
        var unseen = 0
    }

    struct Intervention: Sendable {
        let id: String
        let kind: String
        let source: String
        let state: String
        let givenAt: Instant
        let openedAt: Instant?
        let completedAt: Instant?
        let withdrawnAt: Instant?
    }

    struct Session: Sendable {
        let number: Int?
        let state: String
        /// Nil where the consent text does not name the days of sessions.
        let day: LocalDate?
    }

    /// What is told with consent to research alone.
    struct Therapy: Sendable {
        let weeks: [Week]
        let interventions: [Intervention]
        let sessions: [Session]
    }

    let scores: [Series]
    /// Nil without consent to research.
    let therapy: Therapy?

    private static let files = ["dailies", "interventions", "sessions"]

    init(
        of enrolment: EnrolmentRecord, _ c: Context<StudyLead>, _ connection: borrowing Connection
    ) throws {
        let told = ToldRows(study: c.proof.study, keys: c.keys, now: c.now)
        let account = try AccountStore.find(enrolment.accountID, connection)
        let key = try account?.key(c.keys)
        let person = try key.flatMap { try told.person(enrolment, $0, connection) }
        let cache = c.services.questionnaires
        let ofStudy = try Self.series(
            try ParticipantScoreStore.ofStudy(enrolment.id, connection), isOfTherapy: false, cache, connection
        )
        guard let person, person.agrees else {
            scores = ofStudy
            therapy = nil
            return
        }
        scores =
            try ofStudy
            + Self.series(
                try ParticipantScoreStore.ofTherapies(person, connection), isOfTherapy: true, cache,
                connection)
        let wanted = try c.services.studyFiles.filter { Self.files.contains($0.name) }
            .map { try $0.settled(connection) }
        let rows = try told.rows(of: person, in: wanted, connection)
        let cells = Dictionary(
            uniqueKeysWithValues: wanted.map { file in
                (file.name, (rows[file.name] ?? []).map { ToldCells(file.columns, $0) })
            })
        therapy = Therapy(
            weeks: Self.weeks(cells["dailies"] ?? [], from: person.days),
            interventions: (cells["interventions"] ?? []).compactMap(Self.intervention),
            sessions: (cells["sessions"] ?? []).map { cells in
                Session(number: cells.number("number"), state: cells.text("state"), day: cells.day("day"))
            })
    }

    /// The scales of the newest version that has values, then those of earlier ones, in the order in which the questionnaires came.
    private static func series(
        _ values: [ParticipantScoreStore.Value], isOfTherapy: Bool, _ cache: QuestionnaireCache,
        _ connection: borrowing Connection
    ) throws -> [Series] {
        var order: [String] = []
        var newest: [String: QuestionnaireRecord] = [:]
        var holders: [String: [String: QuestionnaireRecord]] = [:]
        var found: [String: [String: [(at: Instant, value: Double)]]] = [:]
        for value in values {
            guard let record = try QuestionnaireStore.find(value.questionnaire, cache, connection) else {
                continue
            }
            if newest[record.key] == nil { order.append(record.key) }
            if newest[record.key].map({ $0.version < record.version }) ?? true { newest[record.key] = record }
            if holders[record.key]?[value.scale].map({ $0.version < record.version }) ?? true {
                holders[record.key, default: [:]][value.scale] = record
            }
            found[record.key, default: [:]][value.scale, default: []].append((value.at, value.value))
        }
        return order.flatMap { key -> [Series] in
            guard let record = newest[key] else { return [] }
            let present = record.definition.scales.map(\.key)
            let earlier = (found[key] ?? [:]).keys.filter { !present.contains($0) }.sorted()
            return (present + earlier).compactMap { name -> Series? in
                guard let values = found[key]?[name], let holder = holders[key]?[name],
                    let scale = holder.definition.scales.first(where: { $0.key == name })
                else { return nil }
                return Series(questionnaire: holder, scale: scale, isOfTherapy: isOfTherapy, values: values)
            }
        }
    }

    /// Weeks in which nothing was planned are not in it.
    private static func weeks(_ rows: [ToldCells], from days: ClosedRange<LocalDate>) -> [Week] {
        var weeks: [Int: Week] = [:]
        for row in rows where row.number("counts") == 1 {
            guard let day = row.day("day") else { continue }
            let place = Int((day.daysSince1970 - days.lowerBound.daysSince1970) / 7)
            var week =
                weeks[place]
                ?? Week(number: place + 1, begin: days.lowerBound.adding(days: place * 7))
            week.planned += 1
            if row.text("state") == "answered" { week.answered += 1 }
            if row.text("state") == "unseen" { week.unseen += 1 }
            weeks[place] = week
        }
        return weeks.values.sorted { $0.number < $1.number }
    }

    private static func intervention(_ row: ToldCells) -> Intervention? {
        row.moment("given_at").map {
            Intervention(
                id: row.text("intervention"), kind: row.text("kind"), source: row.text("source"),
                state: row.text("state"), givenAt: $0, openedAt: row.moment("opened_at"),
                completedAt: row.moment("completed_at"), withdrawnAt: row.moment("withdrawn_at"))
        }
    }
}

/// A row of a file, by the names of its columns.
private struct ToldCells {
    private let cells: [String: JSON]

    init(_ columns: [StudyFile.Column], _ row: [JSON]) {
        cells = Dictionary(zip(columns.map(\.name), row)) { first, _ in first }
    }

    func text(_ column: String) -> String { cells[column]?.string ?? "" }
    func number(_ column: String) -> Int? { cells[column]?.number.map { Int($0) } }
    func moment(_ column: String) -> Instant? { cells[column]?.string.flatMap { Instant($0) } }
    func day(_ column: String) -> LocalDate? { cells[column]?.string.flatMap { LocalDate($0) } }
}
