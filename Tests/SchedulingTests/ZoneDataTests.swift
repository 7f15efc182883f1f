import Foundation
import Testing
import Wire

@testable import Scheduling

/// RP-19: zones are those of the system's tzdata, by its list of names.
@Suite struct ZoneDataTests {
    @Test(arguments: [
        ("Africa/Casablanca", 0), ("America/Vancouver", -7), ("America/Edmonton", -6), ("America/Inuvik", -6),
        ("Canada/Mountain", -6),
    ])
    func `RP-19 clocks follow the newest data, not those of the compiler`(name: String, hours: Int64) throws {
        let folder = try ZoneFolder(ZoneFolder.of2026)
        let data = folder.data
        #expect(data.version == "2026f" && data.isWhole && data.folder == folder.path)
        let zone = Zone(name, in: data)
        let december = try #require(Instant("2026-12-01T12:00:00Z"))
        #expect(zone.offset(at: december) == hours * 3600)
        #expect(LocalTime(december, zone).hour == Int(12 + hours))
        let day = try #require(LocalDate("2026-12-01"))
        #expect(zone.instant(day, hour: 9, minute: 0) == Instant("2026-12-01T\(text(9 - hours)):00:00Z"))
    }

    private func text(_ hour: Int64) -> String { hour < 10 ? "0\(hour)" : String(hour) }

    /// The C library reads the same files. The other zones are of the slow tier.
    @Test func `RP-19 zones of this machine are read as the C library reads them`() throws {
        let data = ZoneData(folder: "/usr/share/zoneinfo")
        let names = data.names.sorted().enumerated().filter { $0.offset.isMultiple(of: 16) }.map(\.element)
        #expect(try Self.compare(names, in: data) > 1000)
    }

    /// - Returns: how many changes of clocks were compared.
    static func compare(_ names: [String], in data: ZoneData) throws -> Int {
        let lines = try ZoneFolder.output(
            "/usr/bin/zdump", ["-v", "-c", "1900,2060"] + names.map { "\(data.folder ?? "")/\($0)" })
        var compared = 0
        for line in lines.split(separator: "\n") {
            // …/Europe/Vienna  Sun Mar 29 00:59:59 2026 UT = Sun Mar 29 01:59:59 2026 CET isdst=0 gmtoff=3600
            let words = line.split(separator: " ")
            guard words.count > 15, words[6] == "UT", words[15].hasPrefix("gmtoff=") else { continue }
            let name = String(words[0].dropFirst((data.folder ?? "").utf8.count + 1))
            let offset = try #require(Int64(words[15].dropFirst(7)))
            let second = try Self.second(words)
            let found = Zone(name, in: data).offset(at: Instant(milliseconds: second * 1000))
            if found != offset { Issue.record("\(line): \(found)") }
            compared += 1
        }
        return compared
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func second(_ words: [Substring]) throws -> Int64 {
        let month = try #require(months.firstIndex(of: String(words[2]))) + 1
        let date = try #require(
            LocalDate(year: Int(words[5]) ?? 0, month: month, day: Int(words[3]) ?? 0))
        let clock = words[4].split(separator: ":").compactMap { Int64($0) }
        return date.daysSince1970 * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }

    @Test func `RP-29 every name and every link of the list is a zone, and nothing else is`() throws {
        let list = try String(contentsOfFile: "/usr/share/zoneinfo/tzdata.zi", encoding: .utf8)
        let data = ZoneData(folder: "/usr/share/zoneinfo")
        var names: [String] = []
        for line in list.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if words[0] == "Z" { names.append(words[1]) }
            if words[0] == "L" { names.append(words[2]) }
        }
        names.removeAll { $0 == "Factory" }
        #expect(names.count > 550)
        for name in names where !data.knows(name) { Issue.record("\(name) is unknown") }
        #expect(data.names == names.sorted())
        for name in [
            "right/Europe/Vienna", "posix/Europe/Vienna", "localtime", "posixrules", "Factory", "Etc/Unknown",
            "+02:00", "GMT+2", "UTC+1", "", "tzdata.zi", "Europe", "europe/vienna",
            "../zoneinfo/Europe/Vienna",
            "/usr/share/zoneinfo/Europe/Vienna", "Europe/Vienna\0",
        ] { #expect(!data.knows(name), "\(name)") }
        #expect(data.places.contains("Asia/Kolkata") && !data.places.contains("CET"))
    }

    @Test func `RP-29 links of tzdb's backward are zones`() {
        for name in [
            "CET", "EET", "WET", "MET", "EST", "EST5EDT", "HST", "Japan", "Singapore", "Turkey", "US/Pacific",
            "Asia/Calcutta", "Asia/Kolkata", "GB-Eire", "NZ-CHAT", "Etc/GMT+5", "UTC", "GMT", "Zulu",
        ] { #expect(ZoneData.current.knows(name), "\(name)") }
    }

    @Test func `RP-19 after the begin no file is opened any more`() throws {
        let folder = try ZoneFolder(ZoneFolder.of2026)
        let data = folder.data
        try FileManager.default.removeItem(atPath: folder.path)
        #expect(data.knows("America/Inuvik") && !data.knows("America/Whitehorse"))
        #expect(
            Zone("America/Inuvik", in: data).offset(at: Instant(milliseconds: 1_800_000_000_000)) == -21_600)
    }

    @Test func `RP-19 a file that is not in the list is no zone, and the link of a missing file is followed`()
        throws
    {
        let folder = try ZoneFolder(ZoneFolder.of2026)
        try FileManager.default.copyItem(
            atPath: folder.path + "/Europe/Vienna", toPath: folder.path + "/America/Whitehorse")
        try FileManager.default.removeItem(atPath: folder.path + "/Canada/Mountain")
        let data = folder.data
        #expect(!data.knows("America/Whitehorse") && data.knows("Canada/Mountain") && data.isWhole)
        // What a list says of others than zones, or outside of its folder, is nothing.
        let odd = try #require(
            ZoneList(
                Array(
                    "Z Factory 0 - -00\nL ../../etc/passwd A/B\nZ /etc/passwd 0 - x\nL A/C A/D\nL A/D A/C\nZ right/A 0 - x\nZ A/E 0 - x"
                        .utf8)))
        #expect(odd.zones == ["A/E": "A/E"] && odd.version == nil)
    }

    @Test func `what is written out of a rule is what the rule says, in every zone of the system`() throws {
        let tables = ZoneData.current.tables
        #expect(tables.count > 200)
        for (name, table) in tables {
            guard let rule = ZoneRule(table.footer) else { continue }
            let last = table.times.last ?? .min
            var chance = SplitMix64(Schedule.seed(name))
            // From 1990 to 2070; around each change to the second.
            let moments = (0..<400).map { _ in 631_152_000 + Int64(chance.number(below: 2_524_608_000)) }
            let changes = zip(moments, moments.dropFirst()).compactMap { first, second -> Int64? in
                let begin = min(first, second)
                let old = rule.offset(at: begin)
                let change = (begin..<max(first, second)).partitioningIndex { rule.offset(at: $0) != old }
                return change
            }
            for second in moments + changes.flatMap({ [$0 - 1, $0, $0 + 1] }) where second >= last {
                #expect(table.offset(at: second) == rule.offset(at: second), "\(name) \(second)")
            }
        }
    }

    @Test func `RP-19 for a torn file the program's own data serve, and this is said`() throws {
        let folder = try ZoneFolder(ZoneFolder.of2026)
        let whole = folder.bytes("Europe/Vienna")
        let long = [UInt8](
            FileManager.default.contents(atPath: "/usr/share/zoneinfo/Europe/Vienna") ?? Data())
        for file in [whole, long] {
            #expect(ZoneTable(file) != nil)
            for end in 0..<file.count where ZoneTable(Array(file[..<end])) != nil {
                Issue.record("\(end) of \(file.count) bytes are a zone")
            }
        }
        try folder.write("Europe/Vienna", Array(whole.dropLast(1)))
        try FileManager.default.removeItem(atPath: folder.path + "/America/Inuvik")
        let data = folder.data
        #expect(data.torn == ["America/Inuvik", "Europe/Vienna"] && !data.isWhole)
        #expect(data.summary.contains("missing or torn: America/Inuvik, Europe/Vienna"))
        // Ours has no summer time.
        let july = try #require(Instant("2026-07-01T12:00:00Z"))
        #expect(Zone("Europe/Vienna", in: data).offset(at: july) == 7200)
        #expect(Zone("Africa/Casablanca", in: data).offset(at: july) == 3600)
    }

    @Test func `RP-19 where the system has none the program's own data serve, and this is said`() throws {
        let data = ZoneData(folder: "/nowhere")
        #expect(data.folder == nil && !data.isWhole && data.summary.contains("of this program"))
        #expect(data.version.utf8.starts(with: "20".utf8), "\(data.version)")
        for name in ["Europe/Vienna", "Asia/Kolkata", "Asia/Calcutta", "CET", "Japan", "UTC", "EST5EDT"] {
            #expect(data.knows(name), "\(name)")
        }
        for name in ["GMT+2", "Etc/Unknown", "+02:00", "", "Mars/Base"] {
            #expect(!data.knows(name), "\(name)")
        }
        let day = try #require(LocalDate("2026-07-01"))
        #expect(
            Zone("Europe/Vienna", in: data).instant(day, hour: 9, minute: 0)
                == Instant("2026-07-01T07:00:00Z"))
        #expect(data.names.count > 400)
    }

    @Test(arguments: [
        ("europe/vienna", "Europe/Vienna"), ("Vienna", "Europe/Vienna"), ("Europe/Viena", "Europe/Vienna"),
        ("America/New York", "America/New_York"), ("kolkata", "Asia/Kolkata"), ("Asia/Tokio", "Asia/Tokyo"),
    ])
    func `RP-29 of an unknown name the nearest is found`(word: String, name: String) {
        #expect(ZoneData.current.nearest(to: word) == name)
    }

    @Test(
        arguments: [
            ("<+00>0", "2026-07-01T00:00:00Z", 0),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2060-07-01T00:00:00Z", 7200),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2060-01-01T00:00:00Z", 3600),
            ("<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", "2027-03-28T00:59:59Z", -10_800),
            ("<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", "2027-03-28T01:00:00Z", -7200),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-12-01T00:00:00Z", 0),
            ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-12-31T23:59:59Z", 39_600),
            ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2027-03-27T00:00:00Z", 10_800),
            ("XXX3EDT4,0/0,J365/23", "2026-07-01T00:00:00Z", -14_400), ("A-B", "2026-07-01T00:00:00Z", nil),
            ("CET-1CEST", "2026-07-01T00:00:00Z", nil),
            ("CET-1CEST,M13.1.0,M3.1.0", "2026-07-01T00:00:00Z", nil),
            ("CET-1CEST,M3.5.0,M10.5.0/3x", "2026-07-01T00:00:00Z", nil),
            ("CET-25", "2026-07-01T00:00:00Z", nil),
            ("NST3:30NDT,J60,J61/0:00:01", "2028-03-01T12:00:00Z", -9000),
        ] as [(String, String, Int64?)])
    func `a footer says how clocks go on`(text: String, at: String, offset: Int64?) throws {
        let moment = try #require(Instant(at))
        #expect(ZoneRule(Array(text.utf8)[...])?.offset(at: moment.seconds) == offset)
    }

    @Test func `a zone is read by many at once`() async {
        await withTaskGroup(of: Int64.self) { group in
            for task in 0..<8 {
                group.addTask {
                    (0..<20_000).reduce(0) { sum, step in
                        sum
                            &+ Zone("Europe/Vienna").offset(
                                at: Instant(milliseconds: Int64(step * 7_919 + task) * 1_000_000))
                    }
                }
            }
            for await sum in group { #expect(sum > 0) }
        }
    }
}

/// RP-19: what was drawn by zone data stays drawn when newer ones come.
@Suite struct ZoneChangeTests {
    private static let earlier = ZoneFolder.of2026.replacing(
        "1 - +01 2026 Sep 20 2:00\n 0 - +00", with: "1 - +01")

    @Test func `RP-19 newer data count from the second local day on, and before it nothing changes`() throws {
        let before = try ZoneFolder(Self.earlier).data
        let after = try ZoneFolder(ZoneFolder.of2026).data
        let read = try #require(Instant("2026-11-28T22:30:00Z"))
        let data = after.following(before, readAt: read)
        let old = Zone("Africa/Casablanca", in: before)
        let new = Zone("Africa/Casablanca", in: after)
        let zone = Zone("Africa/Casablanca", in: data)
        // It is the 28th there, 23:30; the 30th is the first day by the new clocks.
        let day = try #require(LocalDate("2026-11-20"))
        for ahead in 0...20 {
            let date = day.adding(days: ahead)
            let meant = date < LocalDate("2026-11-30") ?? date ? old : new
            for hour in [1, 9, 20] {
                #expect(
                    zone.instant(date, hour: hour, minute: 10) == meant.instant(date, hour: hour, minute: 10),
                    "\(date.text) \(hour)")
            }
            let plan = DailyPlan(seed: 7)
            var clock = ZoneClock(zone)
            var meantClock = ZoneClock(meant)
            #expect(plan.windows(on: date, &clock) == plan.windows(on: date, &meantClock), "\(date.text)")
        }
        let vienna = Zone("Europe/Vienna", in: data)
        #expect(vienna.offset(at: read) == 3600 && data.version == "2026f")
        // Later data count behind both; the same again change nothing.
        let same = after.following(data, readAt: read.adding(days: 30))
        #expect(Zone("Africa/Casablanca", in: same).offset(at: read) == 3600)
        #expect(Zone("Africa/Casablanca", in: same).offset(at: read.adding(days: 3)) == 0)
    }

    @Test func `RP-19 kept as text zones are the same`() throws {
        let machine = ZoneData(folder: "/usr/share/zoneinfo")
        let kept = ZoneData(kept: machine.text, version: machine.version)
        #expect(kept.names == machine.names && kept.text == machine.text)
        for name in machine.names {
            let zones = [Zone(name, in: machine), Zone(name, in: kept)]
            for week in stride(from: Int64(30 * 53), to: 80 * 53, by: 3) {
                let moment = Instant(milliseconds: week * 604_800_000)
                if zones[0].offset(at: moment) != zones[1].offset(at: moment) {
                    Issue.record("\(name) at \(moment.text)")
                    break
                }
            }
        }
        #expect(machine.text.utf8.count < 150_000, "\(machine.text.utf8.count)")
    }

    @Test func `RP-19 what is torn or missing in newer data goes on by the earlier ones`() throws {
        let before = try ZoneFolder(Self.earlier).data
        let folder = try ZoneFolder(ZoneFolder.of2026)
        try folder.write("America/Vancouver", [])
        let data = folder.data.following(before, readAt: Instant(milliseconds: 0))
        #expect(
            Zone("America/Vancouver", in: data).offset(at: Instant(milliseconds: 1_800_000_000_000))
                == -25_200)
        // Of a house that is older than this, the program's own data were those before.
        let first = folder.data.following(.program, readAt: Instant(milliseconds: 1_795_800_000_000))
        let zone = Zone("Africa/Casablanca", in: first)
        let read = Instant(milliseconds: 1_795_000_000_000)
        #expect(zone.offset(at: read) == Zone("Africa/Casablanca", in: .program).offset(at: read))
        #expect(zone.offset(at: Instant(milliseconds: 1_800_000_000_000)) == 0)
        #expect(first.knows("Asia/Kathmandu"))
    }
}
