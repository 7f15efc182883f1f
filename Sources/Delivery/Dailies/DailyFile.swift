import Contributions
import Database
import Instruments
import JSON
import Questionnaires
import Records
import Scheduling
import Therapies
import Web
import Wire

extension StudyFile {
    /// The dailies file of a study's export (ST-10): one row for each window, whether it was answered or not, and one for each sheet of a
    /// window of the device's own.
    static let dailies = StudyFile(name: "dailies") { connection in
        let scales = try DailyScale.all(connection)
        return StudyFile(
            name: "dailies",
            columns: DailyRows.columns + scales.map { Column($0.column, $0.german, $0.english, .number) }
        ) { person, connection in
            try DailyRows(of: person, connection).all(scales.map(\.key))
        }
    }
}

/// A scale of the daily questionnaire, over all of its versions.
private struct DailyScale: Sendable {
    let key: String
    let column: String
    let german: String
    let english: String

    /// In the order of the newest version, those of earlier ones behind them.
    static func all(_ connection: borrowing Connection) throws -> [DailyScale] {
        let cache = QuestionnaireCache()
        let versions = try QuestionnaireStore.versions(DailyPlan.questionnaireKey, connection)
        var known: Set<String> = []
        return try versions.flatMap { version -> [DailyScale] in
            let record = try QuestionnaireStore.find(version.id, cache, connection)
            return (record?.definition.scales ?? []).compactMap { scale in
                let safe = scale.key.lowercased().map {
                    $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_"
                }
                let column = "score_" + String(safe)
                guard known.insert(column).inserted else { return nil }
                return DailyScale(
                    key: scale.key, column: column, german: scale.title.text(in: ["de", "en"]) ?? scale.key,
                    english: scale.title.text(in: ["en", "de"]) ?? scale.key)
            }
        }
    }
}

/// What became of a participant's dailies.
private struct DailyRows {
    private enum State: String {
        case answered, missed
        /// No device had fetched it.
        case unseen
        /// Another sheet of the same period counts.
        case covered
    }

    static let columns = [
        ToldTherapies.column,
        StudyFile.Column("day", "Tag am Ort der Person", "day where the person was", .day),
        StudyFile.Column(
            "period", "Tageszeit: 1 ab 8 Uhr, 2 ab 12 Uhr, 3 ab 16 Uhr",
            "part of the day: 1 from 8:00, 2 from 12:00, 3 from 16:00", .number),
        StudyFile.Column("opens_at", "Beginn des Fensters (UTC)", "begin of the window (UTC)", .moment),
        StudyFile.Column("closes_at", "Ende des Fensters (UTC)", "end of the window (UTC)", .moment),
        StudyFile.Column("timezone", "Zeitzone", "time zone"),
        StudyFile.Column(
            "origin", "planned: vom Server geplant, own: vom Gerät selbst",
            "planned by the server, or the device's own"),
        StudyFile.Column(
            "state",
            "answered: beantwortet, missed: versäumt, unseen: auf keinem Gerät angekommen, covered: ein anderer Fragebogen dieser Tageszeit zählt",
            "answered, missed, unseen: reached no device, covered: another response of this part of the day counts"
        ),
        StudyFile.Column(
            "counts", "1: zählt für die Tageszeit, 0: nicht; jede Tageszeit zählt einmal",
            "1: counts for the part of the day, 0: does not; each counts once", .number),
        StudyFile.Column("started_at", "begonnen (UTC)", "begun (UTC)", .moment),
        StudyFile.Column(
            "completed_at", "abgeschlossen (UTC); leer: nicht beantwortet",
            "completed (UTC); empty: not answered",
            .moment),
        StudyFile.Column("received_at", "eingegangen (UTC)", "received (UTC)", .moment),
    ]

    private let person: StudyFile.Person
    private let therapies: ToldTherapies
    private let planned: [DailyFileStore.Planned]
    private let sheets: [DailyFileStore.Sheet]
    private let scores: [ID<ContributionRecord>: [String: Double]]

    init(of person: StudyFile.Person, _ connection: borrowing Connection) throws {
        self.person = person
        therapies = try ToldTherapies(of: person, connection)
        let ids = therapies.ids
        let sheets = try DailyFileStore.sheets(in: ids, from: person.from, to: person.to, connection)
        self.sheets = sheets
        scores = try DailyFileStore.scores(
            in: ids, of: person.account, from: person.from, to: person.to, connection)
        let answered = Set(sheets.compactMap(\.assignment))
        // What can still be answered has no row yet, and what was withdrawn was not asked.
        planned = try DailyFileStore.planned(in: ids, from: person.from, to: person.to, connection)
            .filter { !answered.contains($0.id) && !$0.isWithdrawn && $0.closes <= person.to }
    }

    /// In order of their windows.
    /// - Parameter scales: a value for each stands at the end of a row.
    func all(_ scales: [String]) -> [[JSON]] {
        let counted = Set(sheets.filter { !$0.isExtra }.map(\.slot))
        let answered = sheets.map { sheet in
            (
                at: sheet.opens ?? sheet.completedAt,
                cells: cells(
                    sheet.slot, .answered, from: sheet.opens, until: sheet.closes, in: sheet.timezone,
                    origin: sheet.assignment == nil ? "own" : "planned", counts: !sheet.isExtra)
                    + [
                        .cell(sheet.startedAt), .cell(sheet.completedAt),
                        .cell(person.within(sheet.receivedAt)),
                    ]
                    + scales.map { scale in
                        scores[sheet.id]?[scale].map { .number($0) } ?? .null
                    }
            )
        }
        let empty = [JSON](repeating: .null, count: 3 + scales.count)
        let unanswered = planned.map { window in
            let isCovered = counted.contains(window.slot)
            return (
                at: window.opens,
                cells: cells(
                    window.slot, isCovered ? .covered : window.isDelivered ? .missed : .unseen,
                    from: window.opens, until: window.closes, in: window.timezone, origin: "planned",
                    counts: !isCovered) + empty
            )
        }
        return (answered + unanswered).sorted { $0.at < $1.at }.map(\.cells)
    }

    private func cells(
        _ slot: DailyFileStore.Slot, _ state: State, from opens: Instant?, until closes: Instant?,
        in timezone: String?, origin: String, counts: Bool
    ) -> [JSON] {
        [
            therapies.cell(slot.therapy), .string(slot.day.text), .cell(slot.period.map { $0 + 1 }),
            .cell(opens), .cell(closes), .cell(timezone), .string(origin), .string(state.rawValue),
            .cell(counts),
        ]
    }
}
