import Database
import Records
import Scheduling
import Web
import Wire
import Wording

/// A holiday: whole days without questions, of one patient or of a therapist with all patients.
package struct PauseRecord: Sendable, FromRow {
    package let id: ID<PauseRecord>
    package let therapistID: ID<Account>
    /// Nil for the therapist's own holiday.
    package let therapyID: ID<Therapy>?
    package let startsOn: LocalDate
    /// The last day of it.
    package let endsOn: LocalDate
    package let madeAt: Instant
    /// Nil for one in force.
    package let removedAt: Instant?
    private let sealedCover: [UInt8]?

    package init(row: borrowing Row) throws {
        id = try row["id"]
        therapistID = try row["therapist_id"]
        therapyID = try row["therapy_id"]
        startsOn = try row["starts_on"]
        endsOn = try row["ends_on"]
        madeAt = try row["made_at"]
        removedAt = try row["removed_at"]
        sealedCover = try row["cover"]
    }

    /// The substitute meanwhile.
    /// - Parameter key: the therapy's for a patient's pause, else the therapist's.
    package func cover(_ key: PersonKey) throws -> String? {
        try sealedCover.map { try key.open($0, from: PausePlace.cover(id)) }
    }
}

/// The place of a pause's sealed field.
package enum PausePlace {
    package static func cover(_ id: ID<PauseRecord>) -> SealContext { SealContext("pauses", id, "cover") }
}

/// A pause as entered. Made only by reading.
package struct PauseDraft: Sendable {
    package let startsOn: LocalDate
    package let endsOn: LocalDate
    package let cover: String?

    static let longestDays: Int64 = 366

    /// - Throws: `Problem.invalid`: ends before it starts, longer than a year, over already, too far ahead.
    package static func read(_ fields: InputReader, today: LocalDate) throws(Problem) -> PauseDraft {
        let start = fields.date("starts_on", required: true)
        let end = fields.date("ends_on", required: true)
        let cover = fields.text("cover", limit: 200)
        if let start, let end {
            if end < start { fields.refuse("ends_on", "pauses.ends_before") }
            if end < today { fields.refuse("ends_on", "pauses.over") }
            if end.daysSince1970 - start.daysSince1970 >= longestDays {
                fields.refuse("ends_on", "pauses.long")
            }
            if start > today.adding(days: 730) { fields.refuse("starts_on", "errors.window_far") }
        }
        try fields.finish()
        guard let start, let end else { throw .invalid(fields.errors) }
        return PauseDraft(startsOn: start, endsOn: end, cover: cover)
    }

    private init(startsOn: LocalDate, endsOn: LocalDate, cover: String?) {
        self.startsOn = startsOn
        self.endsOn = endsOn
        self.cover = cover
    }
}

/// The pauses of one patient as periods in a zone, merged where they touch.
package struct PauseSpans: Sendable {
    package let spans: [Range<Instant>]
    private let zone: Zone

    package init(_ pauses: [PauseRecord], _ zone: Zone) {
        self.zone = zone
        let ranges = pauses.map { pause in
            let start = zone.instant(pause.startsOn, hour: 0, minute: 0)
            return start..<max(start, zone.instant(pause.endsOn.adding(days: 1), hour: 0, minute: 0))
        }
        var merged: [Range<Instant>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        spans = merged
    }

    package func span(at moment: Instant) -> Range<Instant>? { spans.first { $0.contains(moment) } }

    package func contains(_ day: LocalDate) -> Bool {
        span(at: zone.instant(day, hour: 12, minute: 0)) != nil
    }

    /// The end of the last pause before a moment; nil when there was none.
    package func lastEnd(before moment: Instant) -> Instant? {
        spans.last { $0.upperBound <= moment }?.upperBound
    }

    /// The number of days of pause since a moment, rounded up.
    package func days(since moment: Instant) -> Int {
        let seconds = spans.reduce(Int64(0)) { sum, span in
            sum + max(0, span.upperBound.seconds - max(span.lowerBound, moment).seconds)
        }
        return Int((seconds + 86_399) / 86_400)
    }

    /// The time these pauses add to others.
    package func adding(to others: PauseSpans) -> PauseSpans {
        var rest = spans
        for other in others.spans {
            rest = rest.flatMap { span -> [Range<Instant>] in
                guard span.overlaps(other) else { return [span] }
                var left: [Range<Instant>] = []
                if span.lowerBound < other.lowerBound { left.append(span.lowerBound..<other.lowerBound) }
                if other.upperBound < span.upperBound { left.append(other.upperBound..<span.upperBound) }
                return left
            }
        }
        return PauseSpans(spans: rest, zone)
    }

    private init(spans: [Range<Instant>], _ zone: Zone) { (self.spans, self.zone) = (spans, zone) }

    /// A window moved out of the pauses: from inside one to its end; a pause in its middle does not count.
    package func moved(_ from: Instant, _ due: Instant) -> (from: Instant, due: Instant) {
        var from = from
        var due = due
        for span in spans where span.upperBound > from && span.lowerBound < due {
            let lost = span.upperBound.milliseconds - max(span.lowerBound, from).milliseconds
            due = Instant(milliseconds: due.milliseconds + lost)
            if span.lowerBound <= from { from = span.upperBound }
        }
        return (from, due)
    }
}

extension AuditAction {
    package static let pauseMade = AuditAction(name: "pause.made")
    package static let pauseRemoved = AuditAction(name: "pause.removed")
}
