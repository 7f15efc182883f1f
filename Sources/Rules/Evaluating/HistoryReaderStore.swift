import Contributions
import Database
import Identity
import Instruments
import Psychometrics
import Questionnaires
import Records
import Therapies
import Web
import Wire

/// Reads the data that rules evaluate.
extension HistoryStore {
    struct Reader {
        let therapy: ID<Therapy>
        let account: AccountRecord
        let depth: Depth
        let last: Instant
        let now: Instant
        let services: Services

        /// Sheets filled in before pairing trigger nothing (IO-6). Not a bare column: SQLite would scan all sheets of
        /// the account instead of those of the questionnaire.
        private var paired: SQL { "coalesce(contributions.account_id, '') = \(account.id)" }

        private func limit(_ count: Int) -> Int { depth == .newest ? count : .max }

        func add(
            _ clause: Clause, _ versions: [ID<QuestionnaireVersion>], to history: inout History,
            _ connection: borrowing Connection
        ) throws {
            if clause.kind == .silent {
                history.signs = try signs(connection)
                return
            }
            guard let key = clause.key else { return }
            switch clause.kind {
            case .answer:
                guard isShort(history.answers[key], clause.of) else { return }
                history.answers[key] = try answers(versions, clause.of, connection)
            case .score:
                guard isShort(history.scores[key], clause.of) else { return }
                history.scores[key] = try scores(versions, clause.of, connection)
            case .mean, .change, .worsening, .improvement:
                let item = History.Item(key: key, name: clause.item ?? "")
                try addPoints(item, clause, versions, to: &history, connection)
            case .missed:
                if depth == .newest, (history.slots[key]?.count ?? 0) >= clause.times { return }
                history.slots[key] = try slots(versions, clause.times, connection)
            case .silent: return
            }
        }

        /// Whether fewer sheets were read so far than a clause needs.
        private func isShort(_ sheets: [History.Contribution]?, _ count: Int) -> Bool {
            sheets.map { depth == .newest && $0.count < count } ?? true
        }

        private func signs(_ connection: borrowing Connection) throws -> [Instant] {
            try connection.all(
                """
                SELECT received_at FROM contributions WHERE therapy_id = \(therapy)
                ORDER BY completed_at DESC LIMIT \(limit(20))
                """
            ) { row in try row[0] as Instant }.sorted()
        }

        // MARK: Sheets

        /// The newest of each version, merged: each is found in its own range of the index.
        private func newest<T>(
            _ versions: [ID<QuestionnaireVersion>], _ count: Int, _ completed: (T) -> Instant,
            _ read: (ID<QuestionnaireVersion>) throws -> [T]
        ) throws -> [T] {
            let all = try versions.flatMap(read).sorted { completed($0) < completed($1) }
            return Array(all.suffix(limit(count)))
        }

        private func answers(
            _ versions: [ID<QuestionnaireVersion>], _ count: Int, _ connection: borrowing Connection
        ) throws -> [History.Contribution] {
            var records: [ContributionRecord] = []
            for version in versions {
                records +=
                    try connection.all(
                        """
                        SELECT * FROM contributions WHERE therapy_id = \(therapy) AND questionnaire_id = \(version)
                        AND \(sql: paired) AND extra = 0 AND completed_at <= \(last) ORDER BY completed_at DESC LIMIT \(limit(count))
                        """) as [ContributionRecord]
            }
            let key = try account.key(services.keys)
            let kept = records.sorted { $0.completedAt < $1.completedAt }.suffix(limit(count))
            return try kept.map { record in
                History.Contribution(
                    id: record.id, completedAt: record.completedAt, receivedAt: record.receivedAt,
                    values: try record.answers(key).numbers)
            }
        }

        private func scores(
            _ versions: [ID<QuestionnaireVersion>], _ count: Int, _ connection: borrowing Connection
        ) throws -> [History.Contribution] {
            typealias Line = (id: ID<ContributionRecord>, completed: Instant, received: Instant)
            var lines: [Line] = []
            for version in versions {
                lines += try connection.all(
                    """
                    SELECT id, completed_at, received_at FROM contributions
                    WHERE therapy_id = \(therapy) AND questionnaire_id = \(version) AND extra = 0
                    AND \(sql: paired) AND completed_at <= \(last) ORDER BY completed_at DESC LIMIT \(limit(count))
                    """
                ) { row in (id: try row[0], completed: try row[1], received: try row[2]) as Line }
            }
            let kept = lines.sorted { $0.completed < $1.completed }.suffix(limit(count))
            var found: [ID<ContributionRecord>: [ScaleScore]] = [:]
            // A statement takes a limited number of values.
            let ids = kept.map(\.id)
            for start in stride(from: 0, to: ids.count, by: 500) {
                let part = Array(ids[start..<min(start + 500, ids.count)])
                let scores = try ContributionStore.scores(of: part, account: account.id, connection)
                found.merge(scores) { first, _ in first }
            }
            return kept.map { line in
                let pairs = (found[line.id] ?? []).compactMap { score in
                    score.value.map { (score.scale, [$0]) }
                }
                return History.Contribution(
                    id: line.id, completedAt: line.completed, receivedAt: line.received,
                    values: Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
            }
        }

        // MARK: Points

        private func addPoints(
            _ item: History.Item, _ clause: Clause, _ versions: [ID<QuestionnaireVersion>],
            to history: inout History,
            _ connection: borrowing Connection
        ) throws {
            let count = clause.kind == .mean ? clause.of : 2
            var points = history.points[item] ?? []
            for version in versions {
                points += try self.points(item, version, newest: limit(count), connection)
                if depth == .newest, clause.isChange, clause.since == .begin {
                    points += try first(item, version, from: history.beginsAt, connection)
                }
            }
            var seen: Set<ID<ContributionRecord>> = []
            history.points[item] = points.filter { seen.insert($0.id).inserted }
                .sorted { $0.completedAt < $1.completedAt }
            if clause.isReliable, history.figures[item] == nil {
                let record = try QuestionnaireStore.newest(item.key, services.questionnaires, connection)
                let scale = record?.definition.scales.first { $0.key == item.name }
                history.figures[item] = scale.flatMap { ReliableChange($0) }
            }
        }

        private static let point: SQL = """
            SELECT contributions.id, completed_at, received_at, value FROM contributions
            JOIN contribution_scores ON contribution_scores.account_id = contributions.account_id
                AND contribution_scores.contribution_id = contributions.id
            """

        private func points(
            _ item: History.Item, _ version: ID<QuestionnaireVersion>, newest: Int,
            _ connection: borrowing Connection
        ) throws -> [History.Point] {
            try connection.all(
                """
                \(sql: Self.point) WHERE therapy_id = \(therapy) AND questionnaire_id = \(version) AND extra = 0
                AND \(sql: paired) AND scale = \(item.name) AND value IS NOT NULL AND completed_at <= \(last)
                ORDER BY completed_at DESC LIMIT \(newest)
                """, Self.read)
        }

        private func first(
            _ item: History.Item, _ version: ID<QuestionnaireVersion>, from: Instant,
            _ connection: borrowing Connection
        ) throws -> [History.Point] {
            try connection.all(
                """
                \(sql: Self.point) WHERE therapy_id = \(therapy) AND questionnaire_id = \(version) AND extra = 0
                AND \(sql: paired) AND scale = \(item.name) AND value IS NOT NULL AND completed_at >= \(from)
                ORDER BY completed_at LIMIT 1
                """, Self.read)
        }

        private static func read(_ row: borrowing Row) throws -> History.Point {
            History.Point(
                id: try row[0], completedAt: try row[1], receivedAt: try row[2], value: try row[3])
        }

        // MARK: Slots

        /// Fetched deliveries with a closed window. The device's own dailies answer the planned one of their period.
        private func slots(
            _ versions: [ID<QuestionnaireVersion>], _ count: Int, _ connection: borrowing Connection
        ) throws -> [History.Slot] {
            try newest(versions, count, \History.Slot.closes) { version in
                try connection.all(
                    """
                    SELECT assignments.id, due_at, coalesce(contributions.received_at,
                        (SELECT min(own.received_at) FROM contributions AS own
                         WHERE own.therapy_id = assignments.therapy_id AND own.planned_on = assignments.planned_on
                         AND own.period = assignments.period))
                    FROM assignments LEFT JOIN contributions ON contributions.assignment_id = assignments.id
                    WHERE assignments.therapy_id = \(therapy) AND assignments.questionnaire_id = \(version)
                    AND withdrawn_at IS NULL AND due_at < \(now) AND coalesce(fetched_at, notified_at,
                        opened_at, contributions.received_at) IS NOT NULL
                    ORDER BY due_at DESC LIMIT \(limit(count))
                    """
                ) { row in
                    History.Slot(id: try row[0], closes: try row[1], answeredAt: try row[2])
                }
            }
        }
    }
}
