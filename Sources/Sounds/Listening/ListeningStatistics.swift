import Records
import Wire
import Wording

/// An account's listening, sound by sound (SN-3). A play is a session of ten seconds and more; the time is the sum of
/// all sessions, and the mean is over all ratings.
package enum ListeningStatistics {
    package enum Order: String, Sendable, CaseIterable { case name, plays, rating }

    package struct Line: Sendable, Equatable {
        package let sound: ID<Sound>
        package let title: String
        package var plays = 0
        package var seconds = 0.0
        package var rated = 0
        package var ratingSum = 0

        package var meanRating: Double? { rated == 0 ? nil : Double(ratingSum) / Double(rated) }

        package var wire: ListeningStatistic {
            ListeningStatistic(
                soundID: sound.text, title: title, plays: plays, listenedSeconds: seconds,
                meanRating: meanRating, rated: rated)
        }
    }

    /// By name; by plays, most first; by rating, the best first and unrated ones last.
    package static func lines(
        of sessions: [ListeningRecord], titles: [ID<Sound>: String], by order: Order
    ) -> [Line] {
        var lines: [ID<Sound>: Line] = [:]
        for session in sessions {
            var line =
                lines[session.soundID]
                ?? Line(sound: session.soundID, title: titles[session.soundID] ?? "")
            if session.counts { line.plays += 1 }
            line.seconds += session.listenedSeconds
            if let rating = session.rating {
                line.rated += 1
                line.ratingSum += rating
            }
            lines[session.soundID] = line
        }
        // Tenths of a second, added as integers to avoid rounding errors.
        let all = lines.values.map { line in
            var line = line
            line.seconds = (line.seconds * 10).rounded() / 10
            return line
        }
        return all.sorted { isBefore($0, $1, order) }
    }

    private static func isBefore(_ left: Line, _ right: Line, _ order: Order) -> Bool {
        switch order {
        case .plays where left.plays != right.plays: return left.plays > right.plays
        case .rating where left.meanRating != right.meanRating:
            return (left.meanRating ?? .infinity) < (right.meanRating ?? .infinity)
        default: break
        }
        return (SortKey(left.title), left.sound) < (SortKey(right.title), right.sound)
    }
}
