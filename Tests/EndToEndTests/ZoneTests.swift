import Foundation
import Programs
import Testing

/// RP-19: the program's zones are those of the machine it runs on. With `INTERSESSION_PROGRAM` any build of it is asked, the one
/// that is linked statically too.
@Suite struct ZoneTests {
    private let portal = RunningPortal()
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "tz-\(UUID().uuidString)"
    ).path

    /// Where clocks in Casablanca stay an hour ahead, and where they went back long ago.
    private static let before = "Zone Africa/Casablanca 1 - +01"
    private static let after = "Zone Africa/Casablanca 1 - +01 2001 Sep 20 2:00\n 0 - +00"

    /// Words that have a program use zones of a version of our own.
    private func zones(_ version: String, _ casablanca: String) throws -> [String] {
        let path = "\(folder)/\(version)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let rules = """
            # version \(version)
            Rule E 1996 max - Mar lastSun 1:00u 1 S
            Rule E 1996 max - Oct lastSun 1:00u 0 -
            Zone Europe/Vienna 1 E CE%sT
            Zone Etc/UTC 0 - UTC
            Link Etc/UTC UTC
            \(casablanca)

            """
        try Data(rules.utf8).write(to: URL(fileURLWithPath: path + "/tzdata.zi"))
        try RunningPortal.shell("/usr/sbin/zic -d '\(path)' '\(path)/tzdata.zi'")
        return ["/usr/bin/env", "TZDIR=\(path)"]
    }

    private func said(_ words: [String]) throws -> String {
        try portal.run(["--version"], withData: false, bare: true, behind: words).output
    }

    @Test func `RP-19 the version of the zones is said, and that they are missing or torn`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let words = try zones("2026f", Self.after)
        #expect(try said(words).contains("tzdata 2026f of ") && !said(words).contains("torn"))
        #expect(
            try said(["/usr/bin/env", "TZDIR=/nowhere"]).contains("of this program: the system has none"))
        #expect(try said(["/usr/bin/env", "-u", "TZDIR"]).contains("in /usr/share/zoneinfo"))
        try Data("TZif2".utf8).write(to: URL(fileURLWithPath: "\(folder)/2026f/Africa/Casablanca"))
        #expect(try said(words).contains("missing or torn: Africa/Casablanca"))
        let log = folder + "/log"
        try Data().write(to: URL(fileURLWithPath: log))
        try portal.serve(behind: words, log: log)
        let health = try await portal.send("GET", "/api/v1/health")
        #expect(health.status == 503)
        let attributes = (health.json["data"] as? [String: Any])?["attributes"] as? [String: Any]
        let told = attributes?["zones"] as? [String: Any]
        #expect(told?["version"] as? String == "2026f" && told?["source"] as? String == "system")
        #expect(told?["torn"] as? [String] == ["Africa/Casablanca"] && told?["made_at"] is String)
        #expect(portal.stop() == 0)
        let text = try String(contentsOfFile: log, encoding: .utf8)
        #expect(text.contains("time zones") && text.contains("missing or torn: Africa/Casablanca"))
    }

    @Test func `RP-29 of an unknown zone at the start the nearest is said`() throws {
        for command in ["serve", "seed"] {
            let outcome = try portal.run([command, "--timezone", "Europe/Wiena"])
            #expect(
                outcome.status == 2 && outcome.error.contains("the nearest name is Europe/Vienna"),
                "\(outcome)")
        }
    }

    private func rows(_ query: String) throws -> [[Substring]] {
        let script =
            "import sqlite3,sys; [print(*row) for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2])]"
        let text = try RunningPortal.shell(
            "python3 -c '\(script)' '\(portal.data)/intersession.sqlite' \"\(query)\"")
        return text.split(separator: "\n").map { $0.split(separator: " ") }
    }

    /// When what people there have planned begins, in milliseconds: sessions that the therapist noted, and appointments.
    private func planned() throws -> [String: Int64] {
        let query = """
            SELECT id, starts_at FROM therapy_sessions WHERE appointment_id IS NULL
            UNION SELECT appointments.id, starts_at FROM appointments JOIN accounts ON accounts.id = account_id
            WHERE timezone = 'Africa/Casablanca' UNION SELECT id, starts_at FROM covers
            """
        return try rows(query).reduce(into: [:]) { $0[String($1[0])] = Int64($1[1]) }
    }

    /// Notices, and lines in the audit log.
    private func told() throws -> [[Substring]] {
        try rows("SELECT count(*) FROM notices WHERE kind = 'clock_change'")
            + rows("SELECT count(*) FROM audit_log WHERE action = 'installation.zones_changed'")
    }

    @Test
    func `RP-19 newer zones count from the second day, and what was planned is moved once to its local time`()
        throws
    {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let old = try zones("2026b", Self.before)
        let new = try zones("2026f", Self.after)
        let clinic = ["--timezone", "Africa/Casablanca"]
        let seeded = try portal.run(["seed", "--days", "1"] + clinic, behind: old)
        #expect(seeded.status == 0, "\(seeded.error)")
        try portal.serve(clinic, behind: old)
        #expect(portal.stop() == 0)
        let planned = try planned()
        #expect(try told() == [["0"], ["0"]])
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        try portal.serve(clinic, behind: new)
        #expect(portal.stop() == 0)
        let moved = try self.planned()
        let day: Int64 = 86_400_000
        let hour: Int64 = 3_600_000
        // Midnight before the second local day, by the clocks of before.
        let begin = ((now + hour) / day + 2) * day - hour
        let later = planned.filter { $0.value >= begin }
        #expect(later.count > 3 && planned.count > later.count, "\(later.count) of \(planned.count)")
        for (id, moment) in planned {
            #expect(moved[id] == (moment >= begin ? moment + hour : moment), "\(id)")
        }
        let told = try told()
        #expect(told[0] != ["0"] && told[1] == ["1"], "\(told)")
        // Once, whatever is there at the next start: the same, those before, older ones, or none.
        let older = try zones("2026a", "Zone Africa/Casablanca 2 - +02")
        for words in [new, old, older, ["/usr/bin/env", "TZDIR=/nowhere"]] {
            try portal.serve(clinic, behind: words)
            #expect(portal.stop() == 0)
            #expect(try self.planned() == moved && self.told() == told)
        }
    }
}
