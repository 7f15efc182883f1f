import Scheduling
import Wire

extension Texts {
    /// When something is asked: the one way in which pages say it. Of a random time that is still to come the day alone: `später
    /// heute`, `morgen zu einer zufälligen Zeit`; else `heute 12:41`.
    package func when(_ time: PromptTime, _ dates: DateFormat) -> String {
        if time.isTold(at: dates.now) { return dates.short(time.at) }
        let day = LocalTime(time.at, dates.zone).date
        switch day.daysSince1970 - dates.today.daysSince1970 {
        case ...0: return self["dates.later_today"]
        case 1: return self["dates.random_tomorrow"]
        default: return self["dates.random_day", ["day": dates.shortDay(day)]]
        }
    }

    /// The same in a sentence such as `ab {when}`; a random time that is to come stands alone.
    package func opening(_ time: PromptTime, _ dates: DateFormat, in sentence: String) -> String {
        let words = when(time, dates)
        return time.isTold(at: dates.now) ? self[sentence, ["when": words]] : words
    }

    /// Until when it can be answered, in a sentence such as `bis {when}`. What ends with a random time says what ends it.
    package func closing(_ time: PromptTime, _ dates: DateFormat, in sentence: String) -> String {
        let isTold = time.isTold(at: dates.now)
        return self[sentence, ["when": isTold ? dates.short(time.at) : self["dates.next_one"]]]
    }
}
