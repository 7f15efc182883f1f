import Database
import Instruments
import Psychometrics
import Questionnaires
import Records
import Therapies
import Web
import Wire
import Wording

/// The terms of a delivery, for a patient or in a protocol.
package protocol DeliveryTerms {
    var occasion: DeliveryRule.Occasion { get }
    var questionnaireKey: String? { get }
    var batteryID: ID<Battery>? { get }
    var openMinutes: Int { get }
    var rhythm: DeliveryRule.Rhythm? { get }
    var watch: DeliveryRule.Watch? { get }
}

extension DeliveryRule: DeliveryTerms {}
extension DeliveryRuleDraft: DeliveryTerms {}

/// Rules of delivery as sentences.
package struct DeliveryRuleFormatter: Sendable {
    private let texts: Texts
    private let dates: DateFormat
    private let language: Language
    private let cache: QuestionnaireCache
    /// Whether an end of the therapy is planned; nil in a protocol.
    private let hasEnd: Bool?

    package init(_ c: Context<Caseload>) {
        self.init(c, hasEnd: c.proof.patient.endsOn != nil)
    }

    /// - Parameter hasEnd: nil in a protocol, whose rhythms count days of the therapy.
    package init<P>(_ c: Context<P>, hasEnd: Bool?) {
        texts = c.texts
        dates = c.dates
        language = c.language
        cache = c.services.questionnaires
        self.hasEnd = hasEnd
    }

    package func what(_ rule: some DeliveryTerms, _ connection: borrowing Connection) throws -> String {
        if let battery = rule.batteryID, let found = try BatteryStore.find(battery, connection) {
            return texts["batteries.named", ["name": found.name]]
        }
        let key = rule.questionnaireKey ?? ""
        return try QuestionnaireStore.newest(key, cache, connection)?.title(language) ?? key
    }

    package func when(_ rule: some DeliveryTerms, _ connection: borrowing Connection) throws -> String {
        let open = duration(rule.openMinutes)
        switch rule.occasion {
        case .beforeSession: return texts["delivery.when_before_session", ["open": open]]
        case .therapyBegin: return texts["delivery.when_therapy_begin", ["open": open]]
        case .therapyEnd:
            let key = hasEnd == false ? "delivery.when_therapy_end_unset" : "delivery.when_therapy_end"
            return texts[key, ["open": open]]
        case .repeated: return repeated(rule, open)
        case .result: return try result(rule, open, connection)
        }
    }

    private func repeated(_ rule: some DeliveryTerms, _ open: String) -> String {
        guard let rhythm = rule.rhythm else { return "" }
        let every = texts.count("delivery.every_\(rhythm.unit.rawValue)", rhythm.every)
        let values = ["every": every, "at": rhythm.clock, "from": first(rhythm.startsOn), "open": open]
        let words = texts["delivery.when_repeated", values]
        return rhythm.endsOn.map { words + " " + last($0) } ?? words
    }

    private func first(_ day: LocalDate) -> String {
        hasEnd == nil ? texts["protocols.from_day", ["n": number(day)]] : dates.day(day)
    }

    private func last(_ day: LocalDate) -> String {
        hasEnd == nil
            ? texts["protocols.until_day", ["n": number(day)]]
            : texts["delivery.until", ["day": dates.day(day)]]
    }

    private func number(_ day: LocalDate) -> String {
        String(day.daysSince1970 - ProtocolDelivery.dayZero.daysSince1970)
    }

    private func result(
        _ rule: some DeliveryTerms, _ open: String, _ connection: borrowing Connection
    ) throws -> String {
        guard let watch = rule.watch else { return "" }
        let record = try QuestionnaireStore.newest(watch.key, cache, connection)
        let language = record?.definition.language(asked: self.language.rawValue) ?? "de"
        let scale = record?.definition.scales.first { $0.key == watch.scale }
        let values = [
            "title": record?.title(self.language) ?? watch.key,
            "scale": scale?.title[language] ?? watch.scale,
            "n": texts.number(watch.threshold.value, digits: 2), "open": open,
            "days": String(watch.restDays),
        ]
        return texts["delivery.when_result_\(watch.threshold.comparison.rawValue)", values]
    }

    private func duration(_ minutes: Int) -> String {
        if minutes % 1440 == 0 { return texts.count("delivery.days", minutes / 1440) }
        if minutes % 60 == 0 { return texts.count("delivery.hours", minutes / 60) }
        return texts["timeline.minutes", ["n": String(minutes)]]
    }
}
