import Contributions
import Records
import Scheduling
import Therapies
import Wire
import Wording

/// What is shaded behind all figures, and what the key says of it.
extension Charting {
    func pauses() -> String {
        var shade = PathText()
        for pause in shownPauses {
            let from = axis.x(begin(of: pause))
            shade.bar(from, 0, width: axis.x(end(of: pause)) - from, to: height)
        }
        return shade.text
    }

    private func begin(of pause: PauseRecord) -> Instant {
        dates.zone.instant(pause.startsOn, hour: 0, minute: 0)
    }

    private func end(of pause: PauseRecord) -> Instant {
        dates.zone.instant(pause.endsOn.adding(days: 1), hour: 0, minute: 0)
    }

    private var shownPauses: [PauseRecord] {
        data.pauses.filter { end(of: $0) > axis.from && begin(of: $0) < axis.to }
    }

    /// Pauses and sessions that did not take place, in words with their days.
    func key() -> String? {
        let away = shownPauses.map { pause in
            let values = ["from": dates.numericDay(pause.startsOn), "until": dates.numericDay(pause.endsOn)]
            return texts["charts.from_until", values]
        }
        let missed = off().map { entry in
            let day = dates.numericDay(LocalTime(entry.session.startsAt, dates.zone).date)
            return "\(texts["sessions.state_\(entry.state.rawValue)"]) \(day)"
        }
        let lines = [("charts.pause_key", away), ("charts.off_key", missed)].filter { !$0.1.isEmpty }.map {
            texts[$0.0, ["days": $0.1.joined(separator: ", ")]]
        }
        return lines.isEmpty ? nil : lines.joined(separator: " · ")
    }
}
