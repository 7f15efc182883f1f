import Database
import Instruments
import Records
import Scheduling
import Therapies
import Web
import Wire

/// Keeps every running therapy's dailies planned a week ahead. Planned days stay unchanged, except when the zone
/// changes: then the future is planned again.
package struct DailyPlanning: Sendable {
    package let questionnaire: ID<QuestionnaireVersion>
    package let chance: Randomness
    package let now: Instant
    private var clocks: [String: ZoneClock] = [:]
    /// All holidays that are not over: they are few.
    private let pauses: [PauseRecord]

    /// Nil without a questionnaire for dailies.
    package init?(_ services: Services, now: Instant, _ connection: borrowing Connection) throws {
        let record = try QuestionnaireStore.newest(
            DailyPlan.questionnaireKey, services.questionnaires, connection)
        guard let record else { return nil }
        questionnaire = record.id
        chance = services.chance
        self.now = now
        let yesterday = LocalTime(now, Zone("UTC")).date.adding(days: -1)
        pauses = try PauseStore.notOver(by: yesterday, connection)
    }

    /// Plans all therapies that need it, a part at a time: other writes come in between.
    /// - Returns: how many there were.
    @discardableResult
    package static func run(_ services: Services, part: Int = 1000) throws -> Int {
        let now = services.clock.now
        let latest = LocalTime(now, Zone("UTC")).date.adding(days: DailyPlan.daysAhead)
        guard let planning = try services.records.read({ try DailyPlanning(services, now: now, $0) }) else {
            return 0
        }
        var clocks = planning
        var last: ID<Therapy> = ""
        var count = 0
        while true {
            let courses = try services.records.read { connection in
                try DailyStore.due(until: latest, after: last, limit: part, connection)
            }
            guard let end = courses.last else { return count }
            last = end.therapy
            count = count + courses.count
            let before = clocks
            clocks = try services.records.writeUnaudited(.plan) { connection in
                var planning = before
                for course in courses { try planning.plan(course, connection) }
                return planning
            }
        }
    }

    /// Brings one therapy's plan up to date, before a device reads it.
    package static func ensure<P>(_ therapy: ID<Therapy>, _ c: Context<P>) throws {
        let isDue = try c.read { connection in
            guard let course = try DailyStore.course(therapy, connection), course.isOn else { return false }
            let last = LocalTime(c.now, Zone(course.zone)).date.adding(days: DailyPlan.daysAhead)
            return course.plannedZone != course.zone || course.until.map { $0 < last } ?? true
        }
        guard isDue else { return }
        try c.writeUnaudited(.plan) { [services = c.services, now = c.now] connection in
            try plan(therapy, services, now: now, connection)
        }
    }

    package static func plan(
        _ therapy: ID<Therapy>, _ services: Services, now: Instant, _ connection: borrowing Connection
    ) throws {
        guard var planning = try DailyPlanning(services, now: now, connection),
            let course = try DailyStore.course(therapy, connection), course.isOn
        else { return }
        try planning.plan(course, connection)
    }

    /// The windows that will be planned when their week comes, for answers of a device that was offline until then.
    package static func beyond(
        _ therapy: ID<Therapy>, days: Int, _ services: Services, now: Instant,
        _ connection: borrowing Connection
    ) throws -> (questionnaire: ID<QuestionnaireVersion>, windows: [DailyPlan.Window])? {
        guard let planning = try DailyPlanning(services, now: now, connection),
            let course = try DailyStore.course(therapy, connection), course.isOn, let until = course.until
        else { return nil }
        var clock = ZoneClock(Zone(course.zone))
        let rest = PauseSpans(planning.pauses(of: course), clock.zone)
        let last = LocalTime(now, clock.zone).date.adding(days: days)
        let windows = DailyPlan(therapy: therapy).windows(after: until, through: last, at: now, &clock)
        return (planning.questionnaire, windows.filter { !rest.contains($0.day) })
    }

    private func pauses(of course: DailyStore.Course) -> [PauseRecord] {
        pauses.filter { pause in
            pause.therapyID.map { $0 == course.therapy } ?? (pause.therapistID == course.therapist)
        }
    }

    private mutating func plan(_ course: DailyStore.Course, _ connection: borrowing Connection) throws {
        var clock = clocks[course.zone] ?? ZoneClock(Zone(course.zone))
        defer { clocks[course.zone] = clock }
        let today = LocalTime(now, clock.zone).date
        let pauses = pauses(of: course)
        let isSameZone = course.plannedZone == course.zone
        if !isSameZone && course.plannedZone != nil {
            try DailyStore.clearFuture(in: course.therapy, at: now, connection)
            try DailyStore.revive(
                in: course.therapy, zone: course.zone, through: today.adding(days: DailyPlan.daysAhead),
                at: now,
                connection)
            for pause in pauses {
                try DailyStore.clear(
                    from: pause.startsOn, through: pause.endsOn, in: course.therapy, at: now, connection)
            }
        }
        if course.plannedZone != nil {
            try DailyStore.adopt(questionnaire: questionnaire, in: course.therapy, at: now, connection)
        }
        let paired = LocalTime(course.pairedAt, clock.zone).date
        let next = isSameZone ? course.until?.adding(days: 1) : nil
        var day = max(today, paired.adding(days: 1), next ?? today)
        let last = today.adding(days: DailyPlan.daysAhead)
        guard day <= last else { return }
        // Without a plan to continue, earlier ones may have taken periods and left windows open.
        let taken =
            next == nil
            ? try DailyStore.taken(in: course.therapy, from: day.adding(days: -1), connection) : []
        let plan = DailyPlan(therapy: course.therapy)
        let rest = PauseSpans(pauses, clock.zone)
        var windows: [DailyPlan.Window] = []
        while day <= last {
            if !rest.contains(day) {
                windows += plan.windows(on: day, &clock).filter { window in
                    window.opens >= now && !taken.contains { $0.isInTheWay(of: window) }
                }
            }
            day = day.adding(days: 1)
        }
        let ids: [ID<Assignment>] = chance.ids(windows.count, at: now)
        for (window, id) in zip(windows, ids) {
            try DailyStore.insert(
                window, id: id, therapy: course.therapy, questionnaire: questionnaire, zone: course.zone,
                at: now, connection)
        }
        try TherapyStore.setPlanned(until: last, zone: course.zone, in: course.therapy, connection)
    }
}
