import Demonstration
import Foundation
import PortalClient
import Scheduling
import Wire

// Steps that each phone of a person counts for itself (RP-105), a ring that hands over days late (RP-101), and single values of which
// some cannot be (RP-113).
extension SimulatedPerson {
    static let ring = "Ring"
    private static let home = "Europe/Vienna"

    func measure(_ app: SimulatedPhone.App, on number: Int) throws {
        let now = app.phone.now
        let today = LocalTime(now, Zone(Self.home)).date
        try tell(dice.number(1...9_000), of: today, by: "Telefon \(number + 1)", app)
        diary.unheldRing.insert(today)
        // The ring belongs to the first phone, which it meets every few days.
        if number == 0, chance(0.3) {
            for date in diary.unheldRing.sorted() {
                try tell(dice.number(1...9_000), of: date, by: Self.ring, app)
            }
            diary.unheldRing = []
        }
        for rate in [Double(dice.number(50...120)), chance(0.2) ? 400 : 60] {
            let value = Client.SingleMeasurement(
                id: UUID().uuidString.lowercased(), type: .heartRate, startsAt: now.adding(seconds: -60),
                endsAt: now.adding(seconds: -60), value: rate, source: .healthConnect)
            try app.store.measured(value)
            diary.rates[value.id] = rate
        }
    }

    private func tell(
        _ steps: Int, of date: LocalDate, by device: String, _ app: SimulatedPhone.App
    ) throws {
        try app.store.measured(
            .steps, date,
            Client.SentDay(
                source: .healthConnect, device: device, zone: Self.home, completeUntil: app.phone.now,
                series: [], total: Double(steps)))
        diary.steps[date, default: [:]][device] = Double(steps)
    }
}

extension PortalState {
    /// Five years are told at once.
    private static let reach = 1_800

    static func measured(
        _ type: MeasurementType, _ client: Client
    ) async throws -> [Item<MeasurementDay>] {
        let begin = LocalTime(SimulatedTime.begin, Zone("UTC")).date
        return try await client.days(
            type, from: begin.adding(days: -7), to: begin.adding(days: reach))
    }
}

extension Agreement {
    /// Of each day the device with the larger sum counts, and of single values all that can be are filed.
    mutating func measurements(_ diary: Diary, _ phones: [PhoneState], _ portal: PortalState) -> [String] {
        let there = Dictionary(
            portal.steps.map { ($0.attributes.date, $0.attributes.total) },
            uniquingKeysWith: { first, _ in first })
        var lines = Set(there.keys).union(diary.steps.keys).sorted().compactMap { date -> String? in
            let most = diary.steps[date]?.values.max()
            let told = there[date] ?? nil
            return told == most ? nil : "steps of \(date.text): \(told ?? 0) instead of \(most ?? 0)"
        }
        let refused = phones.reduce(into: Set<String>()) { $0.formUnion($1.refusedRecords) }
        for (id, rate) in diary.rates
        where MeasurementType.heartRate.range.contains(rate) == refused.contains(id) {
            lines.append("a rate of \(rate) was \(refused.contains(id) ? "refused" : "not refused")")
        }
        let filed = portal.rates.reduce(0) { $0 + $1.attributes.n }
        let good = diary.rates.count { !refused.contains($0.key) }
        if filed != good { lines.append("\(filed) rates are filed instead of \(good)") }
        noteMeasured(days: there.count, values: filed, refused: diary.rates.count - good)
        return lines
    }
}
