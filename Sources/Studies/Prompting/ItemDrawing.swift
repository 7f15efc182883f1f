import Records
import Scheduling
import Wire

extension StudyItem {
    /// The prompts of a participant from the first day until a moment, the earliest first. What an older schedule, own times
    /// or zone asked stays. None while the study or the questionnaire is off, after leaving, and on paper.
    ///
    /// - Parameters:
    ///   - drawing: the versions by which days are drawn.
    ///   - own: the participant's own times and their begins, the earliest first.
    ///   - anchors: the dates that leads have entered for its time point, the earliest first.
    func prompts(
        of enrolment: EnrolmentRecord, _ runs: StudyRuns, _ zones: ParticipantZones,
        _ drawing: Drawing = .latest,
        own: [OwnPlan] = [], anchors: [AnchorDate] = [], since: Instant? = nil, until: Instant
    ) -> [Prompt] {
        guard let enrolled = enrolment.enrolledAt, let day = enrolment.day, !enrolment.isOnPaper else {
            return []
        }
        let end = min(until, enrolment.leftAt ?? .distantFuture)
        // A day on which own times are moved is drawn from its begin on.
        let earlier = since?.adding(days: -4)
        let isMoved = earlier.map { earlier in own.contains { $0.since > earlier } } ?? false
        let begin = (isMoved ? earlier : since) ?? .distantPast
        var prompts: [Prompt] = []
        for (index, plan) in plans.enumerated() where plan.isActive {
            let from = max(enrolled, plan.since, begin)
            let to = index + 1 < plans.count ? min(end, plans[index + 1].since) : end
            guard from < to else { continue }
            for part in dated(plan, enrolledOn: day, anchors, from: from, to: to) {
                let draw = ItemDrawing(
                    item: id, enrolment: enrolment.id, day: part.anchor, days: part.days, runs: runs,
                    zones: zones, drawing: drawing)
                for stretch in Self.stretches(own, from: part.from, to: part.to) {
                    draw.add(stretch, plan.schedules, to: &prompts)
                }
            }
        }
        return prompts.filter { $0.at >= since ?? .distantPast && runs.hold($0.at) }
    }

    /// The prompt of what is asked once on the days of a time point; nil where they never come, and on paper.
    ///
    /// - Parameters:
    ///   - anchors: the dates of the anchor, the earliest first: of each session its own.
    ///   - known: of its days those that were planned then, as phones had them.
    func window(
        of enrolment: EnrolmentRecord, _ runs: StudyRuns, _ zones: ParticipantZones, anchors: [AnchorDate],
        known: Instant
    ) -> Prompt? {
        guard let enrolled = enrolment.enrolledAt, let day = enrolment.day, !enrolment.isOnPaper else {
            return nil
        }
        // Of a session that does not take place nothing is asked, and nothing was missed.
        if isAskedEachSession, anchors.last(where: { $0.since <= known })?.date == nil { return nil }
        let windows = windows(enrolledOn: day, anchors, from: enrolled, known: known)
        let prompt = WindowPrompt(runs: runs, zones: zones).prompt(windows)
        return prompt.flatMap { $0.at < enrolment.leftAt ?? .distantFuture ? $0 : nil }
    }

    /// A part of a plan's time with one date of the anchor.
    private struct Dated {
        /// The day that schedules count from.
        let anchor: LocalDate
        /// The days of the time point; nil without one.
        let days: ClosedRange<LocalDate>?
        let from: Instant
        let to: Instant
    }

    /// The parts of a period in which the anchor of its time point has a date, and each has one.
    private func dated(
        _ plan: Plan, enrolledOn day: LocalDate, _ anchors: [AnchorDate], from: Instant, to: Instant
    ) -> [Dated] {
        guard let window = plan.window else { return [Dated(anchor: day, days: nil, from: from, to: to)] }
        return Self.parts(window, enrolledOn: day, anchors, from: from, to: to).compactMap { part in
            part.date.map { Dated(anchor: $0, days: window.days(from: $0), from: part.from, to: part.to) }
        }
    }

    /// The parts of a period with the same date of an anchor; nil where it has none.
    private static func parts(
        _ window: TimePointWindow, enrolledOn day: LocalDate, _ anchors: [AnchorDate], from: Instant,
        to: Instant
    ) -> [(date: LocalDate?, from: Instant, to: Instant)] {
        let edges = window.anchor.isOwn ? anchors.map(\.since).filter { $0 > from && $0 < to } : []
        return zip([from] + edges, edges + [to]).map { begin, end in
            let entered = anchors.last { $0.since <= begin }?.date
            return (window.date(enrolledOn: day, entered: entered), begin, end)
        }
    }

    /// The windows of its time point that were known at a moment, each with the stretch of time for which it is planned.
    private func windows(
        enrolledOn day: LocalDate, _ anchors: [AnchorDate], from enrolled: Instant, known: Instant
    ) -> [WindowPrompt.Stretch] {
        let all = plans.enumerated().flatMap { index, plan -> [WindowPrompt.Stretch] in
            guard plan.isActive, let window = plan.window else { return [] }
            let to = index + 1 < plans.count ? plans[index + 1].since : .distantFuture
            let from = max(enrolled, plan.since)
            guard from < to else { return [] }
            return Self.parts(window, enrolledOn: day, anchors, from: from, to: to).map { part in
                WindowPrompt.Stretch(days: part.date.map(window.days), from: part.from, to: part.to)
            }
        }
        let then = all.filter { $0.from <= known }
        if then.count == all.count { return all }
        guard let last = then.last else { return [] }
        return then.dropLast() + [.init(days: last.days, from: last.from, to: .distantFuture)]
    }

    /// The parts of a period with the same own times.
    private static func stretches(_ own: [OwnPlan], from: Instant, to: Instant) -> [OwnStretch] {
        let edges = own.map(\.since).filter { $0 > from && $0 < to }
        return zip([from] + edges, edges + [to]).map { begin, end in
            OwnStretch(from: begin, to: end, plan: own.last { $0.since <= begin })
        }
    }
}

/// A part of a period with the same own times.
private struct OwnStretch {
    let from: Instant
    let to: Instant
    let plan: OwnPlan?
}

/// Draws the prompts of one questionnaire for one participant.
private struct ItemDrawing {
    let item: ID<StudyItem>
    let enrolment: ID<Enrolment>
    /// The day that schedules count from: that of enrolling, or of the time point's anchor.
    let day: LocalDate
    /// The days of the time point; nil without one.
    let days: ClosedRange<LocalDate>?
    let runs: StudyRuns
    let zones: ParticipantZones
    let drawing: Drawing

    /// Adds the prompts of a stretch to those before it. On the day on which own times are moved they are as many as is left of
    /// the day's number after what has come (RP-125).
    func add(_ stretch: OwnStretch, _ schedules: [Schedule], to prompts: inout [Prompt]) {
        var drawn = all(schedules, stretch.plan?.times, from: stretch.from, until: stretch.to)
        for moved in stretch.plan.map(movedDays) ?? []
        where drawing.isLatest(on: moved) && drawn.contains(where: { $0.day == moved }) {
            // The whole day, so that what stays of it does not change with how far is looked.
            let begin = zones.begin(of: moved)
            let whole = all(
                schedules, stretch.plan?.times, from: begin, until: begin.adding(seconds: Self.longestDay)
            ).filter { $0.day == moved }
            let came = prompts.filter {
                $0.day == moved && $0.at < stretch.from && runs.hold($0.at)
            }
            let left = Self.left(of: whole, since: stretch.from, after: came)
            drawn = drawn.filter { $0.day != moved || left.contains($0.at) }
        }
        prompts = Self.merged(prompts, drawn)
    }

    /// The day on which own times are moved, and the one before it where its night goes on.
    private func movedDays(_ plan: OwnPlan) -> [LocalDate] {
        let day = zones.day(of: plan.since)
        return plan.times?.isOvernight == true ? [day.adding(days: -1), day] : [day]
    }

    /// In seconds, with the night after it and an hour more for a change of the clocks.
    private static let longestDay: Int64 = 50 * 3600

    /// The moments that are left of a day's: set ones first, then random ones all over the rest of the day, not at once after
    /// one of the times before.
    private static func left(
        of whole: [Prompt], since moved: Instant, after came: [Prompt]
    ) -> Set<Instant> {
        let number = max(0, whole.count - came.count)
        let moments = Set(whole.map(\.at))
        let earlier = came.map(\.at).filter { !moments.contains($0) }.max() ?? .distantPast
        let free = earlier.adding(seconds: Int64(PromptSpread.leastMinutesApart) * 60)
        let rest = whole.filter { $0.at >= moved }
        let set = rest.filter { !$0.isRandom }.prefix(number)
        let random = rest.filter { $0.isRandom && $0.at >= free }
        let kept = min(number - set.count, random.count)
        let spread = (0..<kept).map { random[(2 * $0 + 1) * random.count / (2 * kept)] }
        return Set((set + spread).map(\.at))
    }

    /// The prompts of all schedules, the earliest first.
    private func all(
        _ schedules: [Schedule], _ times: NotificationTimes?, from: Instant, until: Instant
    ) -> [Prompt] {
        var prompts: [Prompt] = []
        for (number, schedule) in Self.asked(schedules, times) {
            // Two schedules of one window must not ask at the same moments.
            let seed = Schedule.seed(enrolment.text, item.text, String(number))
            let asked = schedule.prompts(
                enrolledOn: day, zones, drawing, seed: seed, own: times, from: from, until: until)
            let own = days.map { days in asked.filter { days.contains($0.day) } } ?? asked
            prompts = Self.merged(prompts, Self.ordered(own))
        }
        return prompts
    }

    /// In order of time, each moment once. They nearly always are.
    private static func ordered(_ prompts: [Prompt]) -> [Prompt] {
        if zip(prompts, prompts.dropFirst()).allSatisfy({ $0.at < $1.at }) { return prompts }
        return Dictionary(prompts.map { ($0.at, $0) }, uniquingKeysWith: one).values.sorted { $0.at < $1.at }
    }

    /// Both in order of time, each moment once.
    private static func merged(_ first: [Prompt], _ second: [Prompt]) -> [Prompt] {
        if first.isEmpty { return second }
        var all: [Prompt] = []
        all.reserveCapacity(first.count + second.count)
        var place = first.startIndex
        for prompt in second {
            while place < first.endIndex, first[place].at < prompt.at {
                all.append(first[place])
                place += 1
            }
            if place < first.endIndex, first[place].at == prompt.at {
                all.append(one(first[place], prompt))
                place += 1
            } else {
                all.append(prompt)
            }
        }
        return all + first[place...]
    }

    /// Where two coincide one is enough: at a change of zone the later day's, but fixed times stay.
    private static func one(_ first: Prompt, _ second: Prompt) -> Prompt {
        second.isRandom && !first.isRandom ? first : second
    }

    /// With own times one daily schedule sets the days; the times of all others are among the own ones.
    private static func asked(_ schedules: [Schedule], _ own: NotificationTimes?) -> [(
        number: Int, schedule: Schedule
    )] {
        let all = schedules.enumerated().map { (number: $0.offset, schedule: $0.element) }
        guard own != nil else { return all }
        if schedules.isEmpty { return [(0, .everyDay)] }
        guard let daily = all.first(where: { $0.schedule.unit == .day }) else { return all }
        return [daily] + all.filter { $0.schedule.unit != .day }
    }
}
