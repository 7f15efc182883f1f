import Database
import HTTP
import JSON
import Scheduling
import Testing
import Wire

@testable import PortalTesting
@testable import Psychometrics
@testable import Records
@testable import Research
@testable import Studies
@testable import Therapies
@testable import Web

/// IO-21: outcomes between groups, right to the number.
@Suite struct ComparisonTests {
    /// Worked out by hand: means 6 and 4, variances 2.5 and 2.5, so d = 2 / √2.5 = 1.26491, J = 1 − 3 / 31,
    /// V = J² · (10 / 25 + 1.6 / 20).
    @Test func `Hedges g with its interval`() throws {
        let effect = try #require(EffectSize([4, 5, 6, 7, 8], [2, 3, 4, 5, 6]))
        #expect(abs(effect.g - 1.142500) < 1e-5)
        #expect(abs(effect.low - (-0.083991)) < 1e-4 && abs(effect.high - 2.368990) < 1e-4)
        // Equal but for the last bits.
        #expect(EffectSize([0.3 - 0.1, 0.4 - 0.2], [0.1, 0.1]) == nil)
        #expect(EffectSize([1], [1, 2]) == nil && EffectSize([2, 2], [2, 2]) == nil)
        let turned = try #require(EffectSize([2, 3, 4, 5, 6], [4, 5, 6, 7, 8]))
        #expect(abs(turned.g + effect.g) < 1e-12 && abs(turned.low + effect.high) < 1e-12)
    }

    func values(_ days: [(Int, Double)]) -> [DayValue] {
        days.map { DayValue(enrolment: "a", day: $0.0, value: $0.1) }
    }

    @Test func `begin is of the first week, the end the nearest to the day, never too far`() {
        let pair = { (days: [(Int, Double)], day: Int) -> [Double]? in
            GroupComparison.pair(values(days), day).map { [$0.begin ?? -1, $0.end] }
        }
        #expect(pair([(0, 1), (25, 2), (30, 3), (60, 4)], 28) == [1, 3])
        #expect(pair([(0, 1), (26, 2), (30, 3)], 28) == [1, 2])
        #expect(pair([(7, 1), (28, 2)], 28) == [1, 2] && pair([(8, 1), (28, 2)], 28) == nil)
        // A quarter of the time away, no more; fourteen days at most.
        #expect(pair([(0, 1), (21, 2)], 28) == [1, 2] && pair([(0, 1), (20, 2)], 28) == nil)
        #expect(pair([(0, 1), (166, 2)], 180) == [1, 2] && pair([(0, 1), (165, 2)], 180) == nil)
        // One value alone is no change.
        #expect(pair([(1, 1)], 2) == nil && pair([], 28) == nil)
    }

    /// What a study's first page tells before its end, beside the comparison: values at the edges of days, in zones of both sides.
    @Test func `counting both values agrees with comparing them`() throws {
        let portal = try TestPortal()
        let desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        for person in [Person.pia, .quinn] {
            #expect(desk.enrol(person, in: study).status == 201)
            #expect(desk.answer("wellbeing-5", in: study, as: person, Self.sheet(1)).status == 201)
        }
        var chance = SplitMix64(2026)
        var told: Set<Int> = []
        for round in 0..<150 {
            let day = 1 + chance.number(below: round % 2 == 0 ? 8 : 60)
            let zones = ["Pacific/Kiritimati", "Europe/Vienna", "Pacific/Pago_Pago"]
            let zone = zones[chance.number(below: zones.count)]
            let edges = [
                0, GroupComparison.beginDays(day), day - GroupComparison.reach(day),
                day + GroupComparison.reach(day),
            ]
            let moments = (0..<(2 + chance.number(below: 7))).map { _ in
                Int64(edges[chance.number(below: 4)] * 86_400 + chance.number(below: 4 * 86_400) - 2 * 86_400)
            }
            let nulls = moments.map { _ in chance.number(below: 5) == 0 }
            let counts = try portal.services.records.writeUnaudited(.madeUp) { connection -> (Int, Int) in
                let id: ID<Study> = ID(study)
                try connection.run(
                    "UPDATE enrolments SET arm = 'full', timezone = \(zone) WHERE study_id = \(id)")
                let people = try EnrolmentStore.consenting(in: id, connection)
                try Self.fill(moments, nulls, people, id, connection)
                let outcome = TrialDesign.Outcome(
                    isPrimary: true, key: "wellbeing-5", scale: "wellbeing", day: day)
                let groups = TrialDesign(
                    allocation: .alternating, arms: [.full], size: 1, sampleSize: 2, outcomes: [outcome])
                let compared = try GroupComparison(outcome, groups, in: id, of: people, connection)
                let counted = try GroupComparison.complete(outcome, groups, in: id, of: people, connection)
                #expect(counted.people == 2)
                return (counted.complete, compared.arms.reduce(0) { $0 + $1.begins.count })
            }
            #expect(counts.0 == counts.1, "day \(day), \(zone), \(moments)")
            told.insert(counts.0)
        }
        #expect(told == [0, 1, 2])
    }

    /// Puts copies of each person's first sheet in the place of all others, so many seconds after enrolling; odd ones are of the second.
    private static func fill(
        _ moments: [Int64], _ nulls: [Bool], _ people: [EnrolmentRecord], _ study: ID<Study>,
        _ connection: borrowing Connection
    ) throws {
        try connection.run("DELETE FROM contributions WHERE study_id = \(study) AND id LIKE 'copy%'")
        for (index, moment) in moments.enumerated() {
            let person = people[index % people.count]
            let at = try #require(person.enrolledAt).adding(seconds: moment)
            try connection.run(
                """
                INSERT INTO contributions (account_id, id, questionnaire_id, started_at, completed_at, received_at, timezone,
                    answers, answered, asked, study_id, enrolment_id)
                SELECT account_id, \("copy\(index)"), questionnaire_id, \(at), \(at), \(at), timezone, answers, answered,
                    asked, study_id, enrolment_id FROM contributions
                WHERE enrolment_id = \(person.id) AND id NOT LIKE 'copy%'
                """)
            let value: Double? = nulls[index] ? nil : Double(index)
            try connection.run(
                """
                INSERT INTO contribution_scores (account_id, contribution_id, position, scale, value, answered, items, needed)
                VALUES (\(person.accountID), \("copy\(index)"), 0, 'wellbeing', \(value), 5, 5, 4)
                """)
        }
        // The first sheets stand outside of every stretch.
        try connection.run(
            """
            UPDATE contributions SET started_at = 0, completed_at = completed_at + 86400000000, received_at = 0
            WHERE study_id = \(study) AND id NOT LIKE 'copy%' AND started_at > 0
            """)
    }

    static func sheet(_ value: Int) -> String {
        #"{"enjoyed": \#(value), "calm": \#(value), "energy": \#(value), "slept": \#(value), "company": \#(value)}"#
    }

    @Test func `means by week count persons, not sheets`() throws {
        let portal = try TestPortal()
        let desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        for person in [Person.pia, .quinn] { #expect(desk.enrol(person, in: study).status == 201) }
        // Pia answers 1 and 3 in the first week, Quinn 4; Quinn alone answers in the second.
        #expect(desk.answer("wellbeing-5", in: study, as: .pia, Self.sheet(1)).status == 201)
        #expect(desk.answer("wellbeing-5", in: study, as: .quinn, Self.sheet(4)).status == 201)
        try portal.wait(awake: 1)
        #expect(desk.answer("wellbeing-5", in: study, as: .pia, Self.sheet(3)).status == 201)
        try portal.wait(awake: 7)
        #expect(desk.answer("wellbeing-5", in: study, as: .quinn, Self.sheet(0)).status == 201)
        let (weeks, people) = try weeks(of: study, portal)
        let means = WeeklyMeans(nil, people, weeks).weeks
        // Twenty a point: 40 and 80, then 0.
        #expect(means.map(\.week) == [0, 1] && means.map(\.mean) == [60, 0])
        #expect(means.map(\.people) == [2, 1])
    }

    private func weeks(of study: String, _ portal: TestPortal) throws -> ([PersonWeek], [EnrolmentRecord]) {
        try portal.services.records.read { connection in
            let people = try EnrolmentStore.consenting(in: ID(study), connection)
            return (
                try StudyContributionStore.personWeeks(in: ID(study), of: people, connection), people
            )
        }
    }

    @Test func `RP-123 a week of a study begins on the day of enrolling, not at its minute`() throws {
        let portal = try TestPortal()
        let desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        // At ten in the morning; at eight on the eighth day a week of local days is over.
        #expect(desk.enrol(.pia, in: study).status == 201)
        try portal.wait(awake: 6)
        portal.wait(seconds: 13 * 3600)
        #expect(desk.answer("wellbeing-5", in: study, as: .pia, Self.sheet(1)).status == 201)
        portal.wait(seconds: 9 * 3600)
        #expect(desk.answer("wellbeing-5", in: study, as: .pia, Self.sheet(2)).status == 201)
        #expect(try weeks(of: study, portal).0.map(\.week).sorted() == [0, 1])
    }

    @Test func `the page compares the groups by what came in`() throws {
        let portal = try TestPortal()
        let desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        let body = StudyDesk.groups.replacing(
            #""sites": ["#, with: #""sites": [{"name": "Ulm", "email": "ben@example.org"}, "#)
        #expect(portal.change(.put, "/studies/\(study)/groups", body, as: .lena).status == 200)
        let people: [Person] = [.pia, .quinn]
        for person in people { #expect(desk.enrol(person, in: study).status == 201) }
        for person in people {
            #expect(desk.answer("wellbeing-5", in: study, as: person, Self.sheet(1)).status == 201)
        }
        try portal.wait(awake: 28)
        #expect(desk.answer("wellbeing-5", in: study, as: .pia, Self.sheet(4)).status == 201)
        #expect(desk.answer("wellbeing-5", in: study, as: .quinn, Self.sheet(2)).status == 201)
        let page = portal.get("/studies/\(study)/results", as: .lena).text
        #expect(page.contains("Tag 28") && page.contains("primär") && page.contains("zu wenige Werte"))
        #expect(page.contains("Woche 5") && page.contains("Hedges"))
        #expect(page.matches(of: /1 von 1/).count == 2)
        // Begin, end and change with the same digits, so that they can be subtracted as they stand.
        for shown in [">20,00 (–)<", ">80,00 (–)<", ">+60,00 (–)<", ">+20,00 (–)<", ">40,00<"] {
            #expect(page.contains(shown), "\(shown)")
        }
        #expect(portal.get("/studies/\(study)/results", as: .ada).status == 403)
        let told = portal.call(.get, "/studies/\(study)/comparisons", as: .lena).list.first?["attributes"]
        let full = told?["arms"]?.array?.first
        #expect(full?["n"] == .number(1) && full?["change"]?["mean"] == .number(60))
        #expect(told?["effects"]?.array?.first?["g"] == .null && told?["day"] == .number(28))
        let means = portal.call(.get, "/studies/\(study)/results", as: .lena).list.first?["attributes"]
        // 20 and 80 of one, 20 and 40 of the other.
        #expect(
            means?["mean"] == .number(40) && means?["people"] == .number(2) && means?["sheets"] == .number(4))
        #expect(portal.call(.get, "/studies/\(study)/comparisons", as: .ada).status == 403)
    }

    @Test func `who leaves and comes back is one person, with the values of the first time`() throws {
        let portal = try TestPortal()
        let desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        #expect(portal.change(.put, "/studies/\(study)/groups", StudyDesk.groups, as: .lena).status == 200)
        for (begin, end) in [(1, 4), (3, 2)] {
            #expect(desk.enrol(.pia, in: study).attributes["arm"]?.string == "full")
            #expect(desk.answer("wellbeing-5", in: study, as: .pia, Self.sheet(begin)).status == 201)
            try portal.wait(awake: 28)
            #expect(desk.answer("wellbeing-5", in: study, as: .pia, Self.sheet(end)).status == 201)
            #expect(portal.call(.delete, "/studies/\(study)/enrolment", as: .pia).status == 204)
            portal.wait(seconds: 60)
        }
        let told = portal.call(.get, "/studies/\(study)/comparisons", as: .lena).list.first?["attributes"]
        let full = told?["arms"]?.array?.first
        #expect(full?["n"] == .number(1) && full?["people"] == .number(1))
        #expect(full?["change"]?["mean"] == .number(60))
        #expect(portal.call(.get, "/studies/\(study)/participants", as: .lena).list.count == 2)
    }
}
