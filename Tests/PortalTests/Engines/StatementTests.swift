import Foundation
import Testing

@testable import Database
@testable import Portal
@testable import PortalTesting

/// What the stores say to the database, and that more than one engine takes it.
@Suite struct StatementTests {
    @Test func `SQLite takes every statement of the sources`() throws {
        let statements = try SourceStatements.ofServer.get()
        // Far fewer would mean that the sources are not read as they are written.
        #expect(statements.count > 550)
        try withSchema { handle in
            for statement in statements {
                #expect(throws: Never.self, "\(statement.place)") {
                    _ = try SQLiteStatement(statement.sqlite, on: handle.pointer)
                }
            }
        }
    }

    /// What is found soon of what the long test with PostgreSQL finds; `min` and `max` of two values are `least` and `greatest` there.
    @Test func `no statement says what SQLite alone understands`() throws {
        func alone(_ sql: String) -> Bool {
            sql.contains(/\b(?:min|max)\([^()]*(?:\([^()]*\)[^()]*)*,/.ignoresCase())
                || sql.contains(
                    /\b(?:rowid|ifnull|iif|strftime|julianday|glob)\b|\bINSERT OR\b/.ignoresCase())
        }
        for statement in try SourceStatements.ofServer.get() {
            #expect(!alone(statement.postgreSQL), "\(statement.place)")
        }
        #expect(alone("SELECT max(0, used - ?) FROM a"))
        #expect(alone("SELECT min(coalesce(a, 1), 2)"))
        #expect(alone("INSERT OR IGNORE INTO a VALUES (1)"))
        #expect(!alone("SELECT max(coalesce(a, 1)), min(b), c FROM d"))
    }

    /// PostgreSQL takes a list that is used once into what it is joined with: beside ten million answers it then read all of them for each page
    /// of patients, 4.7 s instead of 7 ms (D6).
    @Test func `a list of look-ups is made before anything is joined with it`() throws {
        func isTakenIn(_ sql: String) -> Bool {
            sql.contains(
                /(?:\bWITH|,)\s+\w+(?: \([^()]*\))? AS \(\s*SELECT\s(?:(?!\sFROM\s).)*?\(SELECT\s/
                    .dotMatchesNewlines())
        }
        let root = Cast.root + "/Sources"
        var made = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: root)
        where path.hasSuffix("Store.swift") {
            let text = try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
            guard text.contains("WITH ") else { continue }
            #expect(!isTakenIn(text), "\(path)")
            made += text.matches(of: /\sMATERIALIZED \(/).count
        }
        #expect(made > 0, "there is one")
        #expect(
            isTakenIn(
                "WITH a (b) AS (VALUES (1)),\n c AS (\n SELECT b, (SELECT d FROM e LIMIT 1) AS f FROM a) SELECT 1"
            ))
        #expect(!isTakenIn("WITH c AS MATERIALIZED (SELECT b, (SELECT d FROM e) AS f FROM a) SELECT 1"))
        #expect(!isTakenIn("WITH c AS (SELECT b FROM a WHERE b = (SELECT 1)) SELECT 1"))
    }

    @Test func `hot statements are looked up as they were when they were reviewed`() throws {
        let path = Cast.root + "/Tests/PortalTests/Goldens/plans.txt"
        let plans = try withSchema { handle in try Self.plans(on: handle) }
        if ProcessInfo.processInfo.environment["WRITE_PLANS"] != nil {
            try plans.write(toFile: path, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == plans)
    }

    /// Written out, SQLite takes it for an order and PostgreSQL for a join without a condition.
    @Test func `the order of tables is said by a hint, and never written out`() throws {
        let root = Cast.root + "/Sources"
        for path in try FileManager.default.subpathsOfDirectory(atPath: root)
        where path.hasSuffix(".swift") && !path.hasPrefix("Database/") {
            let text = try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
            #expect(!text.contains("CROSS JOIN"), "\(path)")
        }
    }

    /// What is asked for every sheet, every page of a patient, every synchronisation, and every night.
    private static let hot = [
        (
            "A sheet comes in",
            [
                "ContributionStore.find", "ContributionStore.ownDailies", "ContributionStore.insert",
                "StudyContributionStore.first", "StudyContributionStore.hasReceived", "AssignmentStore.find",
                "DraftStore.erase",
                "TherapyStore.all", "TherapyHolderStore.therapies", "TherapyStore.noteActivity",
                "QuarantineStore.insert",
            ]
        ),
        (
            "Timeline and briefing",
            [
                "ContributionStore.boundary", "ContributionStore.sheets", "ContributionNewsStore.news",
                "ContributionNewsStore.newDailies", "NewestSeriesStore.newest",
                "UnseenStore.unseen", "UnreachedStore.all",
                "ContributionSeriesStore.series", "ContributionSeriesStore.dailies", "DailySlotStore.slots",
                "AssignmentStore.all", "AssignmentStore.given", "AssignmentStore.boundary",
                "AssignmentStore.unanswered",
                "InterventionStore.given", "InterventionStore.boundary", "FiringStore.briefing",
                "FiringStore.behindInterventions", "FiringStore.boundary", "AlertStore.raised",
                "PauseStore.ever", "BriefingStore.find",
            ]
        ),
        (
            "Lists of sheets",
            [
                "ContributionListStore.page", "ContributionListStore.count", "ContributionStore.scores",
                "QuarantineStore.waiting", "QuarantineStore.discarded",
            ]
        ),
        (
            "Synchronisation",
            [
                "AssignmentStore.open", "AppointmentStore.all",
                "InterventionStore.all",
                "QuestionnaireStore.newest", "StudyContributionStore.completions",
                "StudyContributionStore.answered",
            ]
        ),
        (
            "Studies",
            [
                "PersonWeekStore.weeks", "StudyContributionStore.enrolmentMeans",
                "StudyWideStore.completions",
                "StudyWideStore.firsts", "StudyWideStore.zones", "StudyWideStore.plans",
                "StudyWideStore.unseen",
                "DayValueStore.some", "DayValueStore.complete", "AnchorStore.every",
                "StudyContributionStore.answers", "TherapyValueStore.all", "ParticipationStore.withTherapy",
            ]
        ),
        (
            "Housekeeping",
            [
                "AccountStore.removeExpired", "CredentialStore.removeExpired", "DraftStore.removeExpired",
                "InvitationStore.removeExpired", "MailStore.removeExpired", "PairingStore.removeExpired",
                "PasswordStore.removeExpired", "QuarantineStore.removeExpired", "DailyStore.due",
                "MailStore.due",
            ]
        ),
    ]

    private static func plans(on handle: SQLiteSession) throws -> String {
        let statements = Dictionary(grouping: try SourceStatements.ofServer.get(), by: \.function)
        var text = ""
        for (heading, functions) in hot {
            text += "# \(heading)\n"
            for function in functions {
                let found = statements[function] ?? []
                if found.isEmpty { Issue.record("there is no \(function) with a statement") }
                for statement in found {
                    text += "\n\(function)\n    \(statement.sqlite)\n"
                    text += try plan(of: statement.sqlite, on: handle).map { "  - \($0)\n" }.joined()
                }
            }
            text += "\n"
        }
        return text
    }

    private static func plan(of sql: String, on handle: SQLiteSession) throws -> [String] {
        let statement = try SQLiteStatement("EXPLAIN QUERY PLAN " + sql, on: handle.pointer)
        var lines: [String] = []
        while try statement.step() { lines.append(try Row(source: statement)["detail"]) }
        return lines
    }

    /// The schema alone: without statistics, as it is served.
    private func withSchema<T>(_ body: (SQLiteSession) throws -> T) throws -> T {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        try Migrator(Migrations.all).migrate(.file(path))
        let handle = try SQLiteSession(path: path, role: .writer())
        defer { handle.close() }
        return try body(handle)
    }
}

extension SourceStatements {
    /// What the server asks of its own database. Phones have one of their own, which is SQLite for good; so are files
    /// that `Database` looks at, and migrations are written for one engine.
    /// Read once for all tests.
    static let ofServer = Result {
        let root = Cast.root + "/Sources"
        let elsewhere = ["PortalClient/", "Database/", "Portal/Schema/", "Portal/System/SourceRules.swift"]
        var files: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: root)
        where path.hasSuffix(".swift") && !elsewhere.contains(where: path.hasPrefix) {
            files[path] = try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
        }
        return SourceStatements(files: files).all
    }
}
