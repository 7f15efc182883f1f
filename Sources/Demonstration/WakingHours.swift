import Scheduling
import Wire

/// The times of answers: from 7:00 to 22:30 in the person's zone, never on the minute.
struct WakingHours {
    let zone: Zone
    let dice: SeededRandom

    private static let opens = 7 * 60
    private static let closes = 22 * 60 + 30

    /// The same moment, or a time on the next morning for one in the night.
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

    /// Usually on the evening before; otherwise on the morning of the deadline's day, if that is before it.
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
