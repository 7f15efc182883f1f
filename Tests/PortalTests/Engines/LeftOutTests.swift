import Foundation
import Testing

@testable import PortalTesting

/// What the part `postgresql` of bin/test does not run: each stands in docs/testing.md with its reason, and nothing else does.
@Suite struct LeftOutTests {
    /// A suite, by the place that filters compare.
    private struct Suite: Hashable {
        let target: String
        let name: String
        var place: String { "\(target).\(name)/test()" }
    }

    private static func source(_ path: String) throws -> String {
        try String(contentsOfFile: "\(Cast.root)/\(path)", encoding: .utf8)
    }

    private static let files = Result {
        try FileManager.default.subpathsOfDirectory(atPath: Cast.root + "/Tests").sorted()
            .filter { $0.hasSuffix(".swift") }
            .map { (path: $0, text: try source("Tests/" + $0)) }
    }

    private static func suites() throws -> Set<Suite> {
        var all: Set<Suite> = []
        for file in try files.get() {
            let target = String(file.path.prefix { $0 != "/" })
            for found in file.text.matches(of: /(?:struct|class) (\w+Tests)\b/) {
                all.insert(Suite(target: target, name: String(found.1)))
            }
        }
        return all
    }

    /// The rows of a table of docs/testing.md, below its head.
    private static func rows(_ head: String) throws -> [String] {
        let text = try source("docs/testing.md")
        let table = try #require(text.range(of: "| \(head) | why |\n|---|---|\n"), "\(head)")
        return text[table.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
            .prefix { $0.hasPrefix("| ") }.map(String.init)
    }

    /// The names between backticks in the first column.
    private static func names(_ rows: [String]) -> Set<String> {
        Set(
            rows.flatMap { row in
                row.split(separator: "|")[0].matches(of: /`([\w*]+)`/).map { String($0.1) }
            })
    }

    @Test func `suites that are left out on PostgreSQL are those of the list, each with a reason`() throws {
        let script = try Self.source("bin/test")
        let pattern = try #require(script.firstMatch(of: /\non_postgresql='(.+)'\n/)?.1)
        #expect(script.contains(#"swift --skip "$on_postgresql""#))
        let skipped = try Regex(String(pattern))
        let rows = try Self.rows("left out")
        let listed = Self.names(rows)
        var used: Set<String> = []
        for suite in try Self.suites() {
            // Single suites are left out of the programs' target alone; others have some of the same names.
            let single = suite.target == "EndToEndTests" ? suite.name : suite.target
            let names = [single, suite.name.hasSuffix("SlowTests") ? "*SlowTests" : ""]
            let reasons = names.filter { listed.contains($0) }
            used.formUnion(reasons)
            let isSkipped = suite.place.contains(skipped)
            #expect(isSkipped == !reasons.isEmpty, "\(suite.place)")
        }
        #expect(listed == used, "what is listed is there")
        for row in rows { #expect(row.split(separator: "|")[1].count > 20, "\(row)") }
    }

    @Test func `tests that say they are for SQLite alone are those of the list`() throws {
        var found: [String] = []
        for file in try Self.files.get() where !file.path.hasSuffix("LeftOutTests.swift") {
            let marks = file.text.matches(of: /\.onSQLite\b/).count
            // A mark on a whole suite would leave out what is added later, too.
            let tests = file.text.matches(of: /@Test\(\.onSQLite\)\s+func `([^`]+)`/)
            #expect(marks == tests.count, "\(file.path)")
            let suite = String(file.path.split(separator: "/").last?.dropLast(".swift".count) ?? "")
            // Requirements stand before the name.
            found += tests.map { test in
                "`\(suite)` " + test.1.replacing(/^(?:[A-Z]+-?\d+ )+/, with: "")
            }
        }
        let rows = try Self.rows("test on SQLite alone")
        let listed = rows.map { $0.split(separator: "|")[0].trimmingCharacters(in: .whitespaces) }
        #expect(listed.sorted() == found.sorted())
    }
}
