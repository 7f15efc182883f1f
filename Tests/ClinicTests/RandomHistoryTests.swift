import Foundation
import HTTP
import JSON
import Scheduling
import Testing
import Wire

@testable import PortalTesting

/// PR-1, PR-2: whatever happened in a therapy, every page counts and cuts it alike. The seed of a case is its name.
@Suite struct RandomHistoryTests {
    /// What one part of a page says, its tags taken out.
    private func words(_ html: Substring) -> String {
        String(html.replacing(/<[^>]*>/, with: " ").replacing(/\s+/, with: " ")).trimmed
    }

    private func pages(_ history: RandomHistory, _ path: String) -> String {
        let answer = history.portal.get(history.patient + path, as: .ada)
        #expect(answer.status == 200, "\(path)")
        return answer.text
    }

    @Test(arguments: UInt64(1)...24)
    func `PR-2 the numbers of sessions agree on every page, in the API and in the export`(seed: UInt64) throws
    {
        let history = try RandomHistory(seed: seed, TestPortal())
        let expected = history.numbered.map { entry in
            "\(entry.slot.start.text) \(entry.slot.state) \(entry.number.map { String($0) } ?? "–")"
        }
        let told = { (sessions: [JSON]) in
            sessions.map { session in
                let number = session["number"]?.number.map { String(Int($0)) } ?? "–"
                return "\(session["starts_at"]?.string ?? "") \(session["state"]?.string ?? "") \(number)"
            }
        }
        let listed = history.portal.call(.get, history.patient + "/sessions?limit=200", as: .ada).list
        #expect(told(listed.reversed().compactMap { $0["attributes"] }) == expected)
        let export = history.portal.call(.get, "/my/export", as: .pia).attributes["therapies"]?.array ?? []
        #expect(told(export.first?["sessions"]?.array ?? []) == expected)

        let numbers = (0..<history.count).map { String($0 + 1) }
        let overview = pages(history, "")
        #expect(overview.contains("<dt>Sitzungen</dt> <dd>\(history.count)</dd>"))
        let bar = overview.firstMatch(of: /patient-bar__session">(\d+)\. Sitzung/).flatMap { Int($0.1) }
        #expect(bar == history.coming)
        let title = pages(history, "/briefing").firstMatch(of: /vor der (\d+)\. Sitzung/).flatMap {
            Int($0.1)
        }
        #expect(title == history.coming)
        let axis = pages(history, "/scales/between-sessions/intensity").matches(
            of: /<text x="[^"]*" y="16"( class="chart__number--next")?>([^<]+)<\/text>/
        ).map { String($0.2) }.filter { $0 != "–" }
        // The next one is on the axis where it is near.
        let ahead = history.coming.map { [String($0)] } ?? []
        // Of those that lie close to each other some are left out, never the newest.
        let all = numbers + ahead
        #expect(
            axis == all.filter { axis.contains($0) } && (axis.isEmpty == numbers.isEmpty || !ahead.isEmpty))
        #expect(numbers.isEmpty || axis.last == numbers.last || axis.last == ahead.first, "\(axis) of \(all)")
        let entries = history.portal.call(
            .get, history.patient + "/timeline?limit=200&kind=session", as: .ada)
        let titles = entries.list.compactMap { $0["attributes"]?["title"]?.string }.reversed()
        #expect(titles.compactMap { $0.firstMatch(of: /^Sitzung (\d+)$/).map { String($0.1) } } == numbers)
        #expect(titles.count == history.slots.count)
    }

    @Test(arguments: UInt64(101)...124)
    func `PR-1 headings, sums and dates agree on briefing, timeline and comparison`(seed: UInt64) throws {
        let history = try RandomHistory(seed: seed, TestPortal())
        let timeline = pages(history, "/timeline").split(separator: "<section ").dropFirst()
            .filter { $0.contains("id=\"session-") }
        #expect(timeline.count == history.held.count + 1)
        let comparison = pages(history, "/comparison?first=0&second=\(history.held.count)")
        let names = comparison.matches(of: /<option value="(\d+)"[^>]*>([^<]*)<\/option>/).prefix(
            timeline.count
        ).map { String($0.2) }
        let headings = timeline.map {
            words($0.firstMatch(of: /<h2[^>]*>(.*?)<\/h2>/)?.1 ?? "").replacing("▸ ", with: "")
        }
        #expect(
            zip(names, headings).allSatisfy { $0 == $1 || $0.hasPrefix($1 + " · ") }, "\(names) \(headings)")
        // The two newest, and two from the seed.
        let other = Int(seed) % max(1, timeline.count - 1)
        for newer in Set([0, other]) where newer + 1 < timeline.count {
            let second = timeline.count - 1 - newer
            let page = pages(history, "/comparison?first=\(second - 1)&second=\(second)")
            compare(page, column: 3, timeline[newer])
            compare(page, column: 2, timeline[newer + 1])
            if newer == 0 { compare(briefing: pages(history, "/briefing"), page) }
        }
    }

    /// A row of the comparison: what it says of the older and of the newer of the two.
    private func cells(_ page: String, _ label: String) -> [String] {
        let row = page.split(separator: "<tr>").first { $0.contains(">\(label)</th>") } ?? ""
        return row.matches(of: /<t[hd][^>]*>(.*?)<\/t[hd]>/).map { words($0.1) }
    }

    private func compare(_ comparison: String, column: Int, _ section: Substring) {
        // A folded one has its sums in a line.
        let line = section.firstMatch(of: /<p>(.*?)<\/section>/).map { words($0.1) } ?? ""
        let folded = line.split(separator: " · ").compactMap { part in
            part.firstMatch(of: /^(\d[\d,]*(?: %| von \d+)?) (\D+)$/).map {
                (number: String($0.1), text: String($0.2))
            }
        }
        let open = section.matches(of: /<li><strong>([^<]*)<\/strong> ([^<(]*)/).map {
            (number: String($0.1), text: String($0.2))
        }
        let facts = open.isEmpty ? folded : open
        let cell = { (label: String) in
            let all = cells(comparison, label)
            return all.count > column - 1 ? all[column - 1] : "no row"
        }
        let fact = { (beginning: String) in facts.first { $0.text.hasPrefix(beginning) }?.number }
        let prompts = fact("Tagesabfragen").map { "(\($0))" }
        #expect(cell("Tagesabfragen beantwortet").hasSuffix(prompts ?? "–"))
        let thoughts = fact("an die Therapie") ?? facts.first { $0.text.contains("gedacht") }?.number
        #expect(cell("an die Therapie gedacht").hasPrefix(thoughts ?? "–"))
        #expect(cell("Stimmung beim Gedanken daran").hasPrefix(fact("Stimmung") ?? "–"))
        let days = section.firstMatch(of: /(\d+ Tage?)(?:<\/p>| ·)/).map { String($0.1) }
        #expect(cell("Dauer") == days ?? "–")
    }

    private func compare(briefing: String, _ comparison: String) {
        let tiles = briefing.matches(of: /<li class="briefing__tile">(.*?)<\/li>/).map { words($0.1) }
        for (tile, label) in zip(
            tiles, ["Tagesabfragen beantwortet", "an die Therapie gedacht", "Stimmung beim Gedanken daran"])
        where tiles.count == 4 {
            let row = cells(comparison, label)
            let parts = tile.split(separator: " zuvor ", maxSplits: 1).map(String.init)
            // `83 % Tagesabfragen beantwortet (5 von 6)` is `83 % (5 von 6)` there.
            #expect(parts[0].replacing(" \(label)", with: "") == row[2])
            #expect(parts.count < 2 || parts[1] == row[1], "\(tile) \(row)")
        }
    }

    @Test(arguments: UInt64(201)...212)
    func `PR-1 what moved was answered after the last session, what is known before it`(seed: UInt64) throws {
        let history = try RandomHistory(seed: seed, TestPortal())
        let page = pages(history, "/briefing")
        let known = page.components(separatedBy: ">Zuletzt bekannt<")
        let moved = known[0].components(separatedBy: ">Was sich bewegt hat<")
        #expect(moved.count == 2 && known.count < 3)
        let places = ["moved": moved[1], "known": known.count == 2 ? known[1] : ""].mapValues {
            $0.components(separatedBy: "<h2")[0]
        }
        let end = history.held.last?.end ?? .distantPast
        for (key, at) in history.newest {
            let day = LocalTime(at, history.zone).date
            let place = places[at >= end ? "moved" : "known"] ?? ""
            let line = place.components(separatedBy: "<li>").first { $0.contains("/scales/\(key)/") }
            let date = "\(day.day < 10 ? "0" : "")\(day.day).\(day.month < 10 ? "0" : "")\(day.month)."
            #expect(line?.contains(date) == true, "\(key) \(at.text), last session until \(end.text)")
            #expect(places[at >= end ? "known" : "moved"]?.contains("/scales/\(key)/") == false)
        }
    }
}

extension String {
    fileprivate var trimmed: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
