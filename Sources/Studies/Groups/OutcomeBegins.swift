import Records
import Wire

/// What an outcome at a time point begins with (ST-4). Once there are participants it stays: they are compared as it was planned.
package enum OutcomeBegins {
    /// The same questionnaire as the study's baseline, else at its earliest time point before; nil without either.
    /// - Parameters:
    ///   - end: the key of the outcome's time point.
    ///   - items: those of its questionnaire.
    package static func begin(
        at end: String?, among items: [StudyItem], _ points: [TimePoint]
    ) -> StudyItem? {
        let baseline = items.first { $0.timePoint == nil && $0.baseline != nil }
        if let baseline { return baseline }
        guard let named = end.flatMap({ points[$0] }) else { return nil }
        // What comes again with sessions or events has no place before the others.
        let placed = items.filter { !$0.isAskedEachSession && $0.event == nil }
        let earlier = placed.compactMap { item -> (item: StudyItem, point: TimePoint)? in
            guard let point = item.timePoint.flatMap({ points[$0] }) else { return nil }
            return point != named && points.isEarlier(point, than: named) ? (item, point) : nil
        }
        // Days can be compared where they are counted from the same; the order of the list says the rest.
        let days = earlier.filter { points.isCounted($0.point, as: named) }
        let place = { (point: TimePoint) in points.firstIndex(of: point) ?? 0 }
        let first =
            days.min { $0.point.window.day < $1.point.window.day }
            ?? earlier.min { place($0.point) < place($1.point) }
        return first?.item
    }
}
