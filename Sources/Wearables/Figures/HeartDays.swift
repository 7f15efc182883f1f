import Database
import Records
import Wire

/// Heart rates day by day: combined from the chosen days of three types.
enum HeartDays {
    static func all(
        of account: ID<Account>, from: LocalDate, to: LocalDate, _ connection: borrowing Connection
    ) throws -> [HeartDay] {
        let rates = try byDate(.heartRate, of: account, from: from, to: to, connection)
        let resting = try byDate(.restingHeartRate, of: account, from: from, to: to, connection)
        let energy = try byDate(.activeEnergy, of: account, from: from, to: to, connection)
        return Set(rates.keys).union(resting.keys).sorted().map { date in
            HeartDay(
                date: date, resting: resting[date]?.value, mean: rates[date]?.value,
                calories: energy[date]?.value, zones: rates[date]?.zones)
        }
    }

    private static func byDate(
        _ type: MeasurementType, of account: ID<Account>, from: LocalDate, to: LocalDate,
        _ connection: borrowing Connection
    ) throws -> [LocalDate: MeasurementDayRecord] {
        let days = try MeasurementDays.chosen(type, of: account, from: from, to: to, connection)
        return Dictionary(days.map { ($0.date, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
