import Contributions
import Database
import Psychometrics
import Records
import Therapies
import Wire
import Wording

/// The figures of a period's dailies. Periods differ in length: they are compared by shares with their n (PR-1).
package struct DailyFigures: Sendable {
    /// Delivered periods, and the answered ones of them.
    package let delivered: Int
    package let answered: Int
    /// Answers that count, and those with a thought of the therapy.
    package let answers: Int
    package let thoughts: Int
    /// The mood that came with the thoughts.
    package let mood: (mean: Double, n: Int)?

    /// - Parameter until: not beyond now, for planned dailies.
    package init(
        in therapy: ID<Therapy>, from: Instant, until: Instant, now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let slots = try DailyStore.slots(in: therapy, from: from, until: min(until, now), connection)
        delivered = slots.count(where: \.isDelivered)
        answered = slots.count { $0.isDelivered && $0.isAnswered }
        let sheets = try ContributionStore.dailies(
            inTherapy: therapy, from: from, until: until, connection)
        answers = sheets.count
        thoughts = sheets.count { $0.thought > 0 }
        let moods = sheets.compactMap(\.feeling)
        mood = moods.mean.map { ($0, moods.count) }
    }

    package var isEmpty: Bool { delivered == 0 && answers == 0 }
}

extension Texts {
    /// `62 %`; a dash when `all` is 0.
    package func percent(_ number: Int, of all: Int) -> String {
        all == 0
            ? "–"
            : self["figures.percent", ["n": self.number(Double(Share.percent(number, of: all)), digits: 0)]]
    }

    /// `62 % (13 von 21)`; a dash when `all` is 0.
    package func share(_ number: Int, of all: Int) -> String {
        all == 0 ? "–" : "\(percent(number, of: all)) (\(count("contributions.items", number, of: all)))"
    }

    /// The difference of two shares in percentage points: `+5 Punkte`; nil where one has no basis.
    package func difference(_ first: (n: Int, of: Int), _ second: (n: Int, of: Int)) -> String? {
        guard first.of > 0, second.of > 0 else { return nil }
        // From the printed shares, so that the figures shown add up.
        let points = Share.percent(second.n, of: second.of) - Share.percent(first.n, of: first.of)
        let number = self.number(Double(points), digits: 0)
        let isOne = ["1", "-1", "−1"].contains(number)
        return self[
            isOne ? "figures.points_one" : "figures.points_many",
            ["n": points > 0 && number != "0" ? "+" + number : number]]
    }

    /// A mean with its basis: `3,6 (11 von 27)`; a dash without any.
    package func mean(_ mean: (mean: Double, n: Int)?, of all: Int) -> String {
        mean.map { "\(number($0.mean)) (\(count("contributions.items", $0.n, of: all)))" } ?? "–"
    }
}
