import Scheduling
import Wire

/// When people answer: between seven in the morning and half past ten at night where they live, never on the minute.
struct WakingHours {
    let zone: Zone
    let dice: SeededRandom

    private static let opens = 7 * 60
    private static let closes = 22 * 60 + 30

    /// The same moment, or somewhen on the morning after for one in the night.
    func awake(_ moment: Instant) -> Instant {
        let local = LocalTime(moment, zone)
        let minute = local.hour * 60 + local.minute
        if minute >= Self.opens, minute < Self.closes {
            return moment.adding(seconds: Int64(dice.number(1...29)))
        }
        let day = minute < Self.opens ? local.date : local.date.adding(days: 1)
        return zone.instant(day, hour: 7, minute: dice.number(0...150)).adding(
            seconds: Int64(dice.number(1...59)))
    }

    /// The evening before a day, mostly; else its morning, where there is one before the moment that it has to be done by.
    func before(_ due: Instant, isEvening: Bool = false) -> Instant {
        let day = LocalTime(due, zone).date
        let morning = zone.instant(day, hour: 7, minute: 2)
        let evening = max(
            zone.instant(day.adding(days: -1), hour: 17, minute: 12), due.adding(seconds: 300 - 86_400))
        let night = zone.instant(day.adding(days: -1), hour: 22, minute: 15)
        let left = (due.seconds - morning.seconds) / 60 - 25
        let isMorning = dice.share() < 0.4 && left > 0 && !isEvening
        let minutes = isMorning ? min(left, 600) : (night.seconds - evening.seconds) / 60
        let seconds = dice.number(0...Int(minutes)) * 60 + dice.number(1...59)
        return (isMorning ? morning : evening).adding(seconds: Int64(seconds))
    }
}
