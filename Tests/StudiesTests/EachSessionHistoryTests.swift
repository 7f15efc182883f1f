import Database
import HTTP
import Testing
import Therapies
import Wire

@testable import PortalTesting
@testable import Records
@testable import Scheduling
@testable import Studies
@testable import Web

/// ST-1: random histories of sessions that are added, moved and called off, over ten years in six zones, and a participant that answers
/// some of what is open.
@Suite struct EachSessionHistoryTests {
    private static let zones = [
        "Europe/Vienna", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Australia/Lord_Howe", "UTC",
    ]

    private let all: StudyPrompts
    private let item: StudyItem
    private let enrolment: EnrolmentRecord

    init() throws {
        let portal = try TestPortal()
        let desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        let study = desk.begin(
            """
            {"tells_session_dates": true, "time_points": [
                {"key": "each", "title": {"de": "Jede Sitzung"}, "anchor": "each_session", "before": 1, "after": 3}]}
            """)
        _ = desk.add("wellbeing-5", to: study, #", "time_point": "each""#)
        #expect(desk.enrol(.pia, in: study).status == 201)
        (all, enrolment) = try portal.services.records.read { connection in
            let record = try #require(try StudyStore.find(ID(study), connection))
            let own = try #require(
                try EnrolmentStore.find(
                    in: record.id, of: portal.cast.accounts[.pia] ?? "", connection))
            return (try StudyPrompts(record, connection), own)
        }
        item = try #require(all.items.first)
    }

    /// What is known of a participant at one moment of a history.
    private struct Life {
        var sessions: [ID<Session>: [AnchorDate]] = [:]
        var answered: [ID<Assignment>: Instant] = [:]
        /// What a phone showed as open, with the moment.
        var shown: [(at: Instant, id: ID<Assignment>)] = []

        func current(_ session: ID<Session>) -> LocalDate? { sessions[session]?.last?.date }
    }

    private func prompts(_ life: Life, _ zone: [(at: Instant, zone: Zone)]) -> ParticipantPrompts {
        let dates = life.sessions.map { SessionDates(session: $0.key, dates: $0.value) }
        return all.of(
            enrolment, zones: zone, own: [:], anchors: [:],
            sessions: ParticipantSessions(dates: ["each": dates], answered: life.answered), firsts: [:])
    }

    private func id(_ prompt: Prompt) -> ID<Assignment> { PromptMatch.id(prompt, of: item, as: enrolment) }

    @Test func `ST-1 property one prompt for each session, in its window, and what was answered stays`()
        throws
    {
        let window = try #require(item.plans.last?.window)
        var open = 0
        var moved = 0
        for number in 0..<300 {
            var chance = SplitMix64(UInt64(number) &* 7919 &+ 17)
            func pick(_ range: ClosedRange<Int>) -> Int {
                range.lowerBound + chance.number(below: range.count)
            }
            let enrolled = try #require(enrolment.enrolledAt)
            var zone = [(at: enrolled.adding(days: -5), zone: Zone(Self.zones[number % 6]))]
            var now = enrolled.adding(days: Int64(pick(0...3600))).adding(seconds: Int64(pick(0...86_399)))
            if pick(0...2) == 0 {
                zone.append((at: now.adding(days: Int64(pick(0...9))), zone: Zone(Self.zones[pick(0...5)])))
            }
            var life = Life()
            for _ in 0..<pick(4...24) {
                now = now.adding(seconds: Int64(pick(1...400_000)))
                let today = prompts(life, zone).zones.day(of: now)
                let known = life.sessions.keys.sorted()
                let far = today.adding(days: pick(-3...9))
                switch known.isEmpty ? 0 : pick(0...4) {
                case 0, 1: life.sessions[ID("s\(known.count)")] = [AnchorDate(since: now, date: far)]
                case 2, 3:
                    let session = known[pick(0...known.count - 1)]
                    life.sessions[session]?.append(AnchorDate(since: now, date: far))
                    moved += 1
                default:
                    let session = known[pick(0...known.count - 1)]
                    life.sessions[session]?.append(AnchorDate(since: now, date: nil))
                }
                let own = prompts(life, zone)
                try check(own, life, window, at: now)
                let present = own.planned(item, until: .distantFuture).filter {
                    $0.at.seconds <= now.seconds && now.seconds <= $0.dueAt.seconds
                }
                open += present.count
                life.shown += present.map { (at: now, id: id($0)) }
                let unanswered = present.filter { !own.isAnswered($0, of: item) }
                #expect(own.awaited(item, at: now).map(id) == first(unanswered))
                if !unanswered.isEmpty, pick(0...1) == 0 {
                    let chosen = unanswered[pick(0...unanswered.count - 1)]
                    life.answered[id(chosen)] = chosen.at
                }
                try check(prompts(life, zone), life, window, at: now)
                // What a phone showed is taken, wherever its session has gone since (RP-103).
                for (at, shown) in life.shown {
                    let found = prompts(life, zone).windows(item, completedAt: at).first { id($0) == shown }
                    let prompt = try #require(found)
                    #expect(life.answered[shown] != nil || prompt.at.seconds <= at.seconds)
                    #expect(life.answered[shown] != nil || at.seconds <= prompt.dueAt.seconds)
                }
            }
        }
        #expect(open > 1000 && moved > 500)
    }

    /// The one that ends first.
    private func first(_ prompts: [Prompt]) -> ID<Assignment>? {
        prompts.min { $0.dueAt < $1.dueAt }.map(id)
    }

    private func check(
        _ own: ParticipantPrompts, _ life: Life, _ window: TimePointWindow, at now: Instant
    ) throws {
        let found = own.planned(item, until: .distantFuture)
        // Each is told apart by its id and by its moment, and is about one session.
        #expect(Set(found.map(id)).count == found.count)
        #expect(Set(found.map(\.at)).count == found.count)
        #expect(Set(found.compactMap(\.session)).count == found.count)
        #expect(found.map(\.at) == found.map(\.at).sorted())
        for (answered, at) in life.answered {
            #expect(found.contains { id($0) == answered && $0.at == at })
        }
        for prompt in found where life.answered[id(prompt)] == nil {
            let session = ID<Session>(try #require(prompt.session))
            // One that does not take place is neither asked nor missed.
            let day = try #require(life.current(session))
            let dates = try #require(life.sessions[session])
            let days = window.days(from: day)
            let begin = own.zones.begin(of: days.lowerBound)
            let end = own.zones.begin(of: days.upperBound.adding(days: 1)).adding(seconds: -1)
            #expect(prompt.at.seconds <= prompt.dueAt.seconds)
            // It begins with one of the days on which its session was planned, or when that came to be known.
            let begins = dates.compactMap { date -> Instant? in
                date.date.map {
                    max(own.zones.begin(of: window.days(from: $0).lowerBound), date.since)
                }
            }
            #expect(begins.contains { prompt.at.milliseconds - $0.milliseconds <= 30 && $0 <= prompt.at })
            // What is open now, or is still to come, ends with the present days.
            if prompt.dueAt >= now {
                #expect(prompt.dueAt == end || prompt.dueAt == prompt.at)
                #expect(prompt.at <= now || prompt.at.seconds >= begin.seconds)
            }
        }
        // What is planned to come is asked.
        for (session, dates) in life.sessions {
            guard let day = life.current(session), let since = dates.last?.since else { continue }
            let days = window.days(from: day)
            let end = own.zones.begin(of: days.upperBound.adding(days: 1))
            if end > max(since, now) { #expect(found.contains { $0.session == session.text }) }
        }
    }
}
