import Psychometrics
import Records
import Web
import Wire
import Wording

/// A rule of delivery as entered by a therapist. Made only by reading.
package struct DeliveryRuleDraft: Sendable, Equatable {
    package let occasion: DeliveryRule.Occasion
    package let questionnaireKey: String?
    package let batteryID: ID<Battery>?
    package let openMinutes: Int
    package let rhythm: DeliveryRule.Rhythm?
    package let watch: DeliveryRule.Watch?
    package let isPermissionConfirmed: Bool

    /// Whether a rule asks for exactly the same: the patient would be asked twice.
    package func says(theSameAs rule: DeliveryRule) -> Bool {
        rule.says(occasion, questionnaireKey, batteryID, rhythm, watch)
    }

    static let longestMinutes = 129_600

    /// The same fields from the form and from the API.
    /// - Throws: `Problem.invalid`.
    package static func read(_ fields: InputReader, today: LocalDate) throws(Problem) -> DeliveryRuleDraft {
        let occasions = DeliveryRule.Occasion.allCases.map(\.rawValue)
        let occasion = fields.choice("occasion", from: occasions, required: true)
            .flatMap(DeliveryRule.Occasion.init(rawValue:))
        let key = fields.text("questionnaire_key", limit: 60)
        let battery: ID<Battery>? = fields.id("battery_id")
        if (key == nil) == (battery == nil) { fields.refuse("questionnaire_key", "delivery.one_of_two") }
        let minutes = minutes(fields, occasion)
        let isConfirmed = fields.bool(Permission.field) ?? false
        // Fields of another occasion are allowed in the form, but not in a call.
        let rhythm = occasion == .repeated ? rhythm(fields, minutes, today) : nil
        let watch = occasion == .result ? watch(fields) : nil
        try fields.finish()
        guard let occasion, let minutes else { throw .invalid(fields.errors) }
        return DeliveryRuleDraft(
            occasion: occasion, questionnaireKey: key, batteryID: battery, openMinutes: minutes,
            rhythm: rhythm, watch: watch, isPermissionConfirmed: isConfirmed)
    }

    /// Minutes it stays open, read as hours: a day before a session, two weeks at begin and end, three days otherwise.
    private static func minutes(_ fields: InputReader, _ occasion: DeliveryRule.Occasion?) -> Int? {
        let usual: Double =
            switch occasion {
            case .beforeSession: 24
            case .therapyBegin, .therapyEnd: 14 * 24
            default: 3 * 24
            }
        let limits = TypedNumber.Limits(minimum: 0.25, maximum: Double(longestMinutes) / 60)
        let hours = fields.number("open_hours", limits) ?? usual
        let minutes = (hours * 60).rounded()
        guard minutes >= 15, minutes <= Double(longestMinutes) else {
            fields.refuse("open_hours", "delivery.open_range")
            return nil
        }
        return Int(minutes)
    }

    private static func rhythm(_ fields: InputReader, _ minutes: Int?, _ today: LocalDate) -> DeliveryRule
        .Rhythm?
    {
        // All of them are read before anything is refused, or the rest would count as unknown.
        let every = fields.number("every", .init(whole: 1...365)) ?? 1
        let at = clock(fields)
        let unit = fields.choice("unit") ?? DeliveryRule.Rhythm.Unit.week
        let starts = fields.date("starts_on") ?? today
        let ends = fields.date("ends_on")
        if let ends, ends < starts { fields.refuse("ends_on", "errors.ends_before_start") }
        if starts < today.adding(days: -366) || starts > today.adding(days: 1827) {
            fields.refuse("starts_on", "errors.window_far")
        }
        if every.rounded() != every || !(1...365).contains(every) {
            fields.refuse("every", "delivery.range")
            return nil
        }
        guard let at else { return nil }
        let rhythm = DeliveryRule.Rhythm(
            every: Int(every), unit: unit, startsOn: starts, atMinute: at, endsOn: ends)
        // Two windows of one rule must not overlap: an answer could belong to either.
        if let minutes, minutes > rhythm.shortestDays * 1440 {
            fields.refuse("open_hours", "delivery.overlap")
        }
        return rhythm
    }

    /// `HH:MM`, nine in the morning by default.
    private static func clock(_ fields: InputReader) -> Int? {
        guard let text = fields.text("at") else { return 9 * 60 }
        let isPlain = text.utf8.count == 5 && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x3a }
        let parts = text.split(separator: ":").map { Int($0) }
        guard isPlain, parts.count == 2, let hour = parts[0], let minute = parts[1], (0...23).contains(hour),
            (0...59).contains(minute)
        else {
            fields.refuse("at", "delivery.at")
            return nil
        }
        return hour * 60 + minute
    }

    private static func watch(_ fields: InputReader) -> DeliveryRule.Watch? {
        // The form names questionnaire and scale together, a call separately.
        let parts =
            fields.text("watched", limit: 130)?.split(separator: "/", maxSplits: 1).map(String.init) ?? []
        let joined = parts.count == 2 ? parts : []
        let key = fields.text("watched_key", limit: 60) ?? joined.first
        let scale = fields.text("watched_scale", limit: 60) ?? joined.last
        let comparison =
            fields.choice("comparison", from: DeliveryRule.Watch.comparisons.map(\.rawValue))
            .flatMap(Threshold.Comparison.init(rawValue:)) ?? .atLeast
        let threshold = fields.number("threshold")
        let rest = fields.number("rest_days", .init(whole: 1...365)) ?? 14
        if key == nil { fields.refuse("watched_key", "errors.required") }
        if scale == nil { fields.refuse("watched_scale", "errors.required") }
        if threshold == nil { fields.refuse("threshold", "errors.required") }
        if rest.rounded() != rest || !(1...365).contains(rest) {
            fields.refuse("rest_days", "delivery.range")
        }
        guard let key, let scale, let threshold, (1...365).contains(rest) else { return nil }
        return DeliveryRule.Watch(
            key: key, scale: scale, threshold: Threshold(comparison, threshold), restDays: Int(rest))
    }

    /// The same with another rhythm: that of a protocol gets dates once a therapy has begun.
    func with(_ rhythm: DeliveryRule.Rhythm?) -> DeliveryRuleDraft {
        DeliveryRuleDraft(
            occasion: occasion, questionnaireKey: questionnaireKey, batteryID: batteryID,
            openMinutes: openMinutes, rhythm: rhythm, watch: watch,
            isPermissionConfirmed: isPermissionConfirmed)
    }

    private init(
        occasion: DeliveryRule.Occasion, questionnaireKey: String?, batteryID: ID<Battery>?, openMinutes: Int,
        rhythm: DeliveryRule.Rhythm?, watch: DeliveryRule.Watch?, isPermissionConfirmed: Bool
    ) {
        self.occasion = occasion
        self.questionnaireKey = questionnaireKey
        self.batteryID = batteryID
        self.openMinutes = openMinutes
        self.rhythm = rhythm
        self.watch = watch
        self.isPermissionConfirmed = isPermissionConfirmed
    }
}
