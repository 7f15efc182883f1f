import HTTP
import JSON
import Testing
import Wire

@testable import Demonstration
@testable import PortalTesting
@testable import Records
@testable import Sounds
@testable import Web

/// SN-3: listening, added up.
@Suite struct StatisticsTests {
    private static let sounds: [ID<Sound>] = (0..<6).map { ID("5a5a5a5a-0000-4000-8000-00000000000\($0)") }

    private func draft(_ dice: SeededRandom, now: Instant) throws -> ListeningRecord {
        let isRated = dice.number(0...2) > 0
        let rating = isRated ? String(dice.number(1...7)) : "null"
        let started = now.adding(seconds: -Int64(dice.number(3_600...80_000)))
        let json = try JSON.parse(
            Array(
                """
                {"sound_id": "\(Self.sounds[dice.number(0...5)])", "started_at": "\(started.text)",
                 "listened_seconds": \(Double(dice.number(0...20_000)) / 10), "rating": \(rating),
                 "rating_state": "\(isRated ? "rated" : "timed_out")"}
                """.utf8), allowsNull: true)
        let draft = try ListeningDraft.read(InputReader(json: json), now: now)
        return ListeningRecord(id: dice.chance.id(), draft, audioHash: "00", receivedAt: now)
    }

    @Test func `S6 statistics are what a recomputation from the export gives, for 1,000 random histories`()
        throws
    {
        let dice = SeededRandom(22)
        let now = Instant(milliseconds: 1_795_000_000_000)
        for _ in 0..<1_000 {
            let history = try (0..<dice.number(0...25)).map { _ in try draft(dice, now: now) }
            let titles = Dictionary(uniqueKeysWithValues: Self.sounds.map { ($0, "Geräusch \($0)") })
            // What the copy of all own data says of each session.
            let rows = history.map { $0.wire(titles) }
            for order in ListeningStatistics.Order.allCases {
                let lines = ListeningStatistics.lines(of: history, titles: titles, by: order)
                #expect(Set(lines.map(\.sound.text)) == Set(rows.map(\.soundID)))
                for line in lines {
                    let own = rows.filter { $0.soundID == line.sound.text }
                    let ratings = own.compactMap(\.rating)
                    let tenths = own.reduce(0) { $0 + Int(($1.listenedSeconds * 10).rounded()) }
                    #expect(line.plays == own.count { $0.counts })
                    #expect(Int((line.seconds * 10).rounded()) == tenths)
                    #expect(line.rated == ratings.count)
                    let mean = ratings.isEmpty ? nil : Double(ratings.reduce(0, +)) / Double(ratings.count)
                    #expect(line.meanRating == mean)
                }
                let keys = lines.map { line -> Double in
                    switch order {
                    case .name: 0
                    case .plays: -Double(line.plays)
                    case .rating: line.meanRating ?? 99
                    }
                }
                #expect(keys == keys.sorted())
                if order == .name { #expect(lines.map(\.title) == lines.map(\.title).sorted()) }
            }
        }
    }

    @Test func `SN-3 the call and the page sort by name, count and mean, and show five or all`() throws {
        let portal = try TestPortal()
        let rain = try portal.addSound()
        let sea = try portal.addSound("5a5a5a5a-0000-4000-8000-0000000000a2", title: "Meer", bytes: [2])
        for index in 0..<7 {
            let session = #"""
                {"sound_id": "\#(index == 0 ? sea : rain)", "rating": \#(index == 0 ? 2 : 5),
                 "started_at": "\#(portal.now.adding(seconds: Int64(-600 + index)).text)",
                 "listened_seconds": 30, "rating_state": "rated"}
                """#
            let path = "/my/listening-sessions/22222222-2222-4222-8222-22222222222\(index)"
            #expect(portal.call(.put, path, session, as: .pia).status == 201)
        }
        for (sort, titles) in [
            ("name", ["Meer", "Regen"]), ("plays", ["Regen", "Meer"]), ("rating", ["Meer", "Regen"]),
        ] {
            let list = portal.call(.get, "/my/listening-statistics?sort=\(sort)", as: .pia).list
            #expect(list.map { $0["attributes"]?["title"]?.string } == titles, "\(sort)")
        }
        #expect(portal.call(.get, "/my/listening-statistics?sort=x", as: .pia).status == 422)
        let few = portal.get("/my/sounds/statistics", as: .pia)
        #expect(few.status == 200 && few.text.matches(of: /class="own__row"/).count == 5)
        let all = portal.get("/my/sounds/statistics?all=true", as: .pia)
        #expect(all.text.matches(of: /class="own__row"/).count == 7)
        #expect(portal.call(.get, "/my/listening-sessions?limit=5", as: .pia).list.count == 5)
    }
}
