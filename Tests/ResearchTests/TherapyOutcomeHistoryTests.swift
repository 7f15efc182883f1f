import Database
import Scheduling
import Testing
import Therapies
import Wire

@testable import PortalTesting
@testable import Records
@testable import Research
@testable import Studies
@testable import Web

/// ST-4: outcomes of therapies over random lives, against a count of their own.
@Suite struct TherapyOutcomeHistoryTests {
    private static let zones = [
        "Europe/Vienna", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Australia/Lord_Howe", "UTC",
    ]
    private static let arms: [Therapy.Arm] = [.full, .noInterventions]
    private static let day: Int64 = 86_400

    private struct Sheet {
        let id: String
        let at: Instant
        /// Nil where the scale could not be computed.
        let value: Double?
        /// Of the therapy, in the questionnaire that the outcome names.
        let counts: Bool
    }

    private struct Life {
        let id: String
        let zone: Zone
        let arm: Therapy.Arm
        let enrolled: Instant
        var left: Instant?
        /// Their words on research, the earliest first.
        var agrees: [Bool] = []
        var therapies: [(paired: Instant, ended: Instant?)] = []
        /// The dates from which days are counted, by time point; of sessions those that take place.
        var dates: [String: [LocalDate]] = [:]
        var sheets: [Sheet] = []

        var isTold: Bool { agrees.last == true }
        var hasTherapy: Bool {
            therapies.contains { one in
                one.paired <= left ?? .distantFuture && one.ended ?? .distantFuture >= enrolled
            }
        }

        func day(_ moment: Instant) -> LocalDate { LocalTime(moment, zone).date }
    }

    private let portal: TestPortal
    private let study: StudyRecord
    private let wanted: String
    private let other: String

    init() throws {
        portal = try TestPortal()
        let desk = StudyDesk(portal: portal)
        wanted = try portal.publish("wellbeing-5")
        other = portal.cast.questionnaire
        let id = desk.begin(
            """
            {"tells_session_dates": true, "time_points": [
                {"key": "fixed", "title": {"de": "A"}, "anchor": "enrolment", "day": 9, "before": 2, "after": 3},
                {"key": "lead", "title": {"de": "B"}, "anchor": "lead", "day": 1, "after": 2},
                {"key": "end", "title": {"de": "C"}, "anchor": "therapy_end", "day": -1, "after": 4},
                {"key": "each", "title": {"de": "D"}, "anchor": "each_session", "before": 1, "after": 2}]}
            """)
        study = try portal.services.records.read { try #require(try StudyStore.find(ID(id), $0)) }
    }

    private func life(_ number: Int, _ chance: inout SplitMix64) -> Life {
        let zone = Zone(Self.zones[chance.number(below: Self.zones.count)])
        let enrolled = portal.now.adding(seconds: Int64(chance.number(below: 400_000)))
        func moment() -> Instant {
            enrolled.adding(seconds: Int64(chance.number(below: Int(30 * Self.day))) - 5 * Self.day)
        }
        var life = Life(
            id: "00000000-0000-4000-8000-0000000\(10_000 + number)", zone: zone,
            arm: Self.arms[chance.number(below: 2)], enrolled: enrolled)
        if chance.number(below: 5) == 0 {
            life.left = enrolled.adding(seconds: Int64(1 + chance.number(below: Int(20 * Self.day))))
        }
        life.agrees = (0..<chance.number(below: 4)).map { _ in chance.number(below: 3) > 0 }
        let therapies = chance.number(below: 3)
        for place in 0..<therapies {
            let paired = moment()
            // One at a time.
            let ends = chance.number(below: 2) == 0 || place + 1 < therapies
            life.therapies.append(
                (paired, ends ? paired.adding(seconds: Int64(chance.number(below: 900_000))) : nil))
        }
        for (key, most) in [("lead", 2), ("end", 2), ("each", 5)] {
            life.dates[key] = (0..<chance.number(below: most)).map { _ in life.day(moment()) }
        }
        for sheet in 0..<chance.number(below: 14) {
            let isTherapys = !life.therapies.isEmpty && chance.number(below: 5) > 0
            let isWanted = chance.number(below: 5) > 0
            life.sheets.append(
                Sheet(
                    id: "00000000-0000-4000-9000-\(100 + sheet)0000\(10_000 + number)", at: moment(),
                    value: chance.number(below: 6) == 0 ? nil : Double(chance.number(below: 100)),
                    counts: isTherapys && isWanted))
        }
        return life
    }

    private func plant(_ life: Life, _ number: Int, _ connection: borrowing Connection) throws {
        let ada = portal.cast.accounts[.ada] ?? ""
        let account: ID<Account> = ID(life.id)
        try connection.run(
            """
            INSERT INTO accounts (id, kind, wrapped_key, email, email_lookup, password_hash, language, timezone, created_at)
            SELECT \(life.id), kind, wrapped_key, email, \(Array(life.id.utf8)), password_hash, language, timezone, created_at
            FROM accounts WHERE id = \(portal.cast.accounts[.quinn])
            """)
        _ = try EnrolmentStore.insert(
            id: ID(life.id), in: study.id, account: account, codename: "S\(800_000 + number)",
            isPending: false,
            consent: study.consentVersion, way: .app, timezone: life.zone.identifier, at: life.enrolled,
            connection)
        try connection.run(
            """
            UPDATE enrolments SET arm = \(life.arm), left_at = \(life.left),
                state = CASE WHEN \(life.left == nil) THEN 'enrolled' ELSE 'left' END WHERE id = \(life.id)
            """)
        for agrees in life.agrees {
            try connection.run(
                """
                INSERT INTO consent_choices (account_id, changed_at, research_consent)
                VALUES (\(life.id), \(portal.now), \(agrees))
                """)
        }
        for (place, therapy) in life.therapies.enumerated() {
            try connection.run(
                """
                INSERT INTO therapies (id, therapist_id, account_id, codename, wrapped_key, created_at, paired_at, started_on,
                    ended_at, ended_on)
                VALUES (\("\(life.id)-\(place)"), \(ada), \(life.id), \("P\(number)-\(place)"), \([UInt8(0)]), \(therapy.paired),
                    \(therapy.paired), \(life.day(therapy.paired)), \(therapy.ended), \(therapy.ended.map(life.day)))
                """)
        }
        for (key, dates) in life.dates {
            for (place, date) in dates.enumerated() {
                let session: ID<Session>? = key == "each" ? ID("session-\(place)") : nil
                // What was moved, or called off and planned again, has its last date.
                for (step, date) in [date.adding(days: 40), nil, date].enumerated() {
                    try AnchorStore.set(
                        date, for: key, session: session, of: ID(life.id),
                        since: life.enrolled.adding(seconds: Int64(10 * place + step)), connection)
                }
            }
        }
        for sheet in life.sheets {
            let isTherapys = sheet.counts || (!life.therapies.isEmpty && sheet.id.last == "1")
            let therapy = isTherapys ? "\(life.id)-0" : nil
            try connection.run(
                """
                INSERT INTO contributions (account_id, id, therapy_id, study_id, enrolment_id, questionnaire_id, started_at,
                    completed_at, received_at, timezone, answers, answered, asked)
                VALUES (\(life.id), \(sheet.id), \(therapy), \(isTherapys ? nil : study.id), \(isTherapys ? nil : life.id),
                    \(sheet.counts || !isTherapys ? wanted : other), \(sheet.at), \(sheet.at), \(sheet.at), 'UTC', \([UInt8(0)]), 5, 5)
                """)
            try connection.run(
                """
                INSERT INTO contribution_scores (account_id, contribution_id, position, scale, value, answered, items, needed)
                VALUES (\(life.id), \(sheet.id), 0, 'wellbeing', \(sheet.value), 5, 5, 5)
                """)
        }
    }

    private func windows(_ key: String, of life: Life) -> [ClosedRange<LocalDate>] {
        let span = { (date: LocalDate, from: Int, to: Int) in date.adding(days: from)...date.adding(days: to)
        }
        let dates = life.dates[key] ?? []
        switch key {
        case "fixed": return [span(life.day(life.enrolled), 7, 12)]
        case "lead": return dates.suffix(1).map { span($0, 1, 3) }
        case "end": return dates.suffix(1).map { span($0, -1, 3) }
        default: return dates.map { span($0, -1, 2) }
        }
    }

    private func value(
        _ key: String, _ asked: TrialDesign.Outcome.Value?, of life: Life
    ) -> Double? {
        guard life.isTold else { return nil }
        let own = windows(key, of: life)
        let held = life.sheets.filter { sheet in
            sheet.counts && sheet.value != nil && sheet.at >= life.enrolled
                && sheet.at <= life.left ?? .distantFuture
                && own.contains { $0.contains(life.day(sheet.at)) }
        }.sorted { ($0.at, $0.id) < ($1.at, $1.id) }.compactMap(\.value)
        switch asked ?? (key == "each" ? .mean : .first) {
        case .first: return held.first
        case .last: return held.last
        case .mean: return held.isEmpty ? nil : held.reduce(0, +) / Double(held.count)
        }
    }

    private func applies(_ key: String, to life: Life) -> Bool {
        let needsDate = key == "end" || key == "each"
        return life.isTold && life.hasTherapy && (!needsDate || life.dates[key]?.isEmpty == false)
    }

    @Test func `ST-4 what outcomes of therapies say of random lives is what a count of its own says`() throws
    {
        var chance = SplitMix64(4)
        let lives = (0..<160).map { life($0, &chance) }
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            for (number, life) in lives.enumerated() { try plant(life, number, connection) }
        }
        let byID = Dictionary(uniqueKeysWithValues: lives.map { (ID<Enrolment>($0.id), $0) })
        var found = 0
        try portal.services.records.read { connection in
            let people = try connection.all(
                "SELECT * FROM enrolments WHERE study_id = \(study.id)", EnrolmentRecord.init)
            #expect(people.count == lives.count)
            for key in ["fixed", "lead", "end", "each"] {
                for asked in [nil] + TrialDesign.Outcome.Value.allCases.map(Optional.some) {
                    let outcome = TrialDesign.Outcome(
                        isPrimary: true, key: "wellbeing-5", scale: "wellbeing", when: .timePoint(key, asked),
                        source: .therapy)
                    let groups = TrialDesign(
                        allocation: .alternating, arms: Self.arms.map { StudyArm($0) }, size: 1,
                        sampleSize: 300,
                        outcomes: [outcome])
                    let therapy = try #require(
                        try TherapyOutcome(outcome, in: study, of: people, connection))
                    let values = try therapy.values(connection)
                    let excluded = try therapy.excluded(connection)
                    for (id, life) in byID {
                        #expect(values[id] == value(key, asked, of: life), "\(key) \(life)")
                        #expect(excluded.contains(id) != applies(key, to: life), "\(key) \(life)")
                    }
                    found += values.count
                    let compared = try GroupComparison(
                        outcome, groups, in: study.id, of: people, connection)
                    for arm in compared.arms {
                        let own = lives.filter { StudyArm.Key($0.arm) == arm.arm }
                        let applying = own.filter { applies(key, to: $0) }
                        let ends = applying.compactMap { value(key, asked, of: $0) }
                        #expect(arm.people == own.count && arm.applying == applying.count)
                        #expect(arm.ends.sorted() == ends.sorted() && arm.begins.isEmpty)
                    }
                    let counted = try GroupComparison.complete(
                        outcome, groups, in: study.id, of: people, connection)
                    #expect(counted.complete == compared.arms.reduce(0) { $0 + $1.ends.count })
                    #expect(counted.people == compared.arms.reduce(0) { $0 + $1.applying })
                }
            }
        }
        #expect(found > 200)
    }
}
