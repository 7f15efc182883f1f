import Database
import Instruments
import Psychometrics
import Questionnaires
import Responses
import Therapies
import Web
import Wire
import Wording

/// Rules of delivery as a person would say them.
package struct DeliveryRuleFormatter: Sendable {
    private let c: Context<Caseload>

    package init(_ c: Context<Caseload>) { self.c = c }

    func what(_ rule: DeliveryRule, _ connection: borrowing Connection) throws -> String {
        if let battery = rule.batteryID, let found = try BatteryStore.find(battery, connection) {
            return c.texts["batteries.named", ["name": found.name]]
        }
        let key = rule.questionnaireKey ?? ""
        return try QuestionnaireStore.newest(key, c.services.questionnaires, connection)?.title(c.language)
            ?? key
    }

    package func when(_ rule: DeliveryRule, _ connection: borrowing Connection) throws -> String {
        let open = duration(rule.openMinutes)
        switch rule.occasion {
        case .beforeSession: return c.texts["delivery.when_before_session", ["open": open]]
        case .therapyBegin: return c.texts["delivery.when_therapy_begin", ["open": open]]
        case .therapyEnd:
            let key =
                c.proof.patient.endsOn == nil
                ? "delivery.when_therapy_end_unset" : "delivery.when_therapy_end"
            return c.texts[key, ["open": open]]
        case .repeated: return repeated(rule, open)
        case .result: return try result(rule, open, connection)
        }
    }

    private func repeated(_ rule: DeliveryRule, _ open: String) -> String {
        guard let rhythm = rule.rhythm else { return "" }
        let every = c.texts.count("delivery.every_\(rhythm.unit.rawValue)", rhythm.every)
        let values = ["every": every, "at": rhythm.clock, "from": c.dates.day(rhythm.startsOn), "open": open]
        let words = c.texts["delivery.when_repeated", values]
        return rhythm.endsOn.map { words + " " + c.texts["delivery.until", ["day": c.dates.day($0)]] }
            ?? words
    }

    private func result(
        _ rule: DeliveryRule, _ open: String, _ connection: borrowing Connection
    ) throws -> String {
        guard let watch = rule.watch else { return "" }
        let record = try QuestionnaireStore.newest(watch.key, c.services.questionnaires, connection)
        let language = record?.definition.language(asked: c.language.rawValue) ?? "de"
        let scale = record?.definition.scales.first { $0.key == watch.scale }
        let values = [
            "title": record?.title(c.language) ?? watch.key, "scale": scale?.title[language] ?? watch.scale,
            "n": c.texts.number(watch.threshold.value, digits: 2), "open": open,
            "days": String(watch.restDays),
        ]
        return c.texts["delivery.when_result_\(watch.threshold.comparison.rawValue)", values]
    }

    private func duration(_ minutes: Int) -> String {
        if minutes % 1440 == 0 { return c.texts.count("delivery.days", minutes / 1440) }
        if minutes % 60 == 0 { return c.texts.count("delivery.hours", minutes / 60) }
        return c.texts["timeline.minutes", ["n": String(minutes)]]
    }
}
