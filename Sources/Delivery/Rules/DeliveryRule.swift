import Database
import Psychometrics
import Records
import Therapies
import Wire

/// What a patient is assigned automatically, and when (IO-9).
package struct DeliveryRule: Sendable, FromRow {
    package enum Occasion: String, Sendable, CaseIterable, SQLConvertible {
        case repeated, result
        case beforeSession = "before_session"
        case therapyBegin = "therapy_begin"
        case therapyEnd = "therapy_end"

        /// The source that its assignments name.
        package var source: AssignmentRecord.Source {
            switch self {
            case .beforeSession: .appointment
            case .therapyBegin: .therapyBegin
            case .therapyEnd: .therapyEnd
            case .repeated, .result: .rule
            }
        }
    }

    /// Every so many days, weeks or months from a day on, at a time of the patient's day.
    package struct Rhythm: Sendable, Equatable {
        package enum Unit: String, Sendable, CaseIterable, SQLConvertible { case day, week, month }
        package let every: Int
        package let unit: Unit
        package let startsOn: LocalDate
        let atMinute: Int
        package let endsOn: LocalDate?
    }

    /// A threshold of a score that triggers it.
    package struct Watch: Sendable, Equatable {
        static let comparisons: [Threshold.Comparison] = [.atLeast, .atMost]

        package let key: String
        package let scale: String
        package let threshold: Threshold
        /// At most once in so many days.
        package let restDays: Int
    }

    package let id: ID<DeliveryRule>
    package let therapyID: ID<Therapy>
    package let occasion: Occasion
    /// Exactly one of the two.
    package let questionnaireKey: String?
    package let batteryID: ID<Battery>?
    /// Before a session: minutes from its opening to the session's start. Else how long it stays open.
    package let openMinutes: Int
    package let rhythm: Rhythm?
    package let watch: Watch?
    package let createdAt: Instant
    package let stoppedAt: Instant?
    /// The protocol it comes from (PR-17); nil for the patient's own.
    package let protocolID: ID<TreatmentProtocol>?
    /// Whether the protocol dropped it; a rule stopped by hand stays stopped.
    let isStoppedByProtocol: Bool

    package init(row: borrowing Row) throws {
        id = try row["id"]
        therapyID = try row["therapy_id"]
        occasion = try row["occasion"]
        questionnaireKey = try row["questionnaire_key"]
        batteryID = try row["battery_id"]
        openMinutes = try row["open_minutes"]
        createdAt = try row["created_at"]
        stoppedAt = try row["stopped_at"]
        protocolID = try row["protocol_id"]
        isStoppedByProtocol = try row["stopped_by_protocol"]
        let every: Int? = try row["every"]
        let unit: Rhythm.Unit? = try row["unit"]
        let startsOn: LocalDate? = try row["starts_on"]
        let atMinute: Int? = try row["at_minute"]
        let endsOn: LocalDate? = try row["ends_on"]
        if let every, let unit, let startsOn, let atMinute {
            rhythm = Rhythm(every: every, unit: unit, startsOn: startsOn, atMinute: atMinute, endsOn: endsOn)
        } else {
            rhythm = nil
        }
        let key: String? = try row["watched_key"]
        let scale: String? = try row["watched_scale"]
        let comparison: String? = try row["comparison"]
        let value: Double? = try row["threshold"]
        let restDays: Int? = try row["rest_days"]
        if let key, let scale, let comparison = comparison.flatMap(Threshold.Comparison.init), let value {
            watch = Watch(
                key: key, scale: scale, threshold: Threshold(comparison, value), restDays: restDays ?? 1)
        } else {
            watch = nil
        }
    }
}

extension DeliveryRule {
    /// Whether it asks for this questionnaire on this occasion.
    package func says(
        _ occasion: Occasion, _ questionnaire: String?, _ battery: ID<Battery>?, _ rhythm: Rhythm?,
        _ watch: Watch?
    ) -> Bool {
        self.occasion == occasion && questionnaireKey == questionnaire && batteryID == battery
            && self.rhythm == rhythm && self.watch == watch
    }

    package func says(theSameAs rule: DeliveryRule) -> Bool {
        says(rule.occasion, rule.questionnaireKey, rule.batteryID, rule.rhythm, rule.watch)
    }
}

extension DeliveryRule.Rhythm {
    /// The days it falls on, from a day to another.
    package func days(from first: LocalDate, through last: LocalDate) -> [LocalDate] {
        let end = endsOn.map { min($0, last) } ?? last
        var days: [LocalDate] = []
        var number = firstNumber(reaching: first)
        while let day = day(number), day <= end, days.count < 400 {
            if day >= first { days.append(day) }
            number += 1
        }
        return days
    }

    /// The steps that are surely before the first day: a rule of years ago costs no more than a new one.
    private func firstNumber(reaching first: LocalDate) -> Int {
        let passed = Int(first.daysSince1970 - startsOn.daysSince1970)
        let step = every * (unit == .day ? 1 : unit == .week ? 7 : 31)
        return max(0, passed / step - 1)
    }

    /// Counted from the first day each time: a 31st becomes the last day of shorter months, then the 31st again.
    private func day(_ number: Int) -> LocalDate? {
        switch unit {
        case .day: return startsOn.adding(days: number * every)
        case .week: return startsOn.adding(days: number * every * 7)
        case .month:
            let months = startsOn.month - 1 + number * every
            let year = startsOn.year + months / 12
            let month = months % 12 + 1
            return (28...31).reversed().lazy.compactMap { limit in
                LocalDate(year: year, month: month, day: min(limit, startsOn.day))
            }.first
        }
    }

    var shortestDays: Int {
        switch unit {
        case .day: every
        case .week: every * 7
        case .month: every * 28
        }
    }
}

extension AuditAction {
    static let deliveryRuleMade = AuditAction(name: "delivery_rule.made")
    static let deliveryRuleStopped = AuditAction(name: "delivery_rule.stopped")
    static let deliveryRuleTakenUp = AuditAction(name: "delivery_rule.taken_up")
    package static let dailiesSwitched = AuditAction(name: "dailies.switched")
}

extension DeliveryRule.Rhythm {
    /// `09:30`.
    package var clock: String {
        let hour = atMinute / 60
        let minute = atMinute % 60
        return (hour < 10 ? "0" : "") + "\(hour):" + (minute < 10 ? "0" : "") + "\(minute)"
    }
}
