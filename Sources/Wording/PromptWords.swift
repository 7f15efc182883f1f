import Scheduling
import Wire

extension Texts {
    /// The time of a prompt in words, as all pages show it. For a coming random time the day alone: `später heute`,
    /// `morgen zu einer zufälligen Zeit`; otherwise `heute 12:41`.
    package func when(_ time: PromptTime, _ dates: DateFormat) -> String {
        if time.isTold(at: dates.now) { return dates.short(time.at) }
        let day = LocalTime(time.at, dates.zone).date
        switch day.daysSince1970 - dates.today.daysSince1970 {
        case ...0: return self["dates.later_today"]
        case 1: return self["dates.random_tomorrow"]
        default: return self["dates.random_day", ["day": dates.shortDay(day)]]
        }
    }

    /// The same in a sentence such as `ab {when}`; a coming random time stands alone.
    package func opening(_ time: PromptTime, _ dates: DateFormat, in sentence: String) -> String {
        let words = when(time, dates)
        return time.isTold(at: dates.now) ? self[sentence, ["when": words]] : words
    }

    /// The deadline, in a sentence such as `bis {when}`. A random deadline is described by the event that ends it.
    package func closing(_ time: PromptTime, _ dates: DateFormat, in sentence: String) -> String {
        let isTold = time.isTold(at: dates.now)
        return self[sentence, ["when": isTold ? dates.short(time.at) : self["dates.next_one"]]]
    }
}
