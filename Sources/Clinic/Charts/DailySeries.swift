import Psychometrics
import Scheduling
import Wire

/// The dailies one by one, the earliest first; extra ones of a period do not count (IO-11).
struct DailySeries: Sendable {
    struct Answer: Sendable, Equatable {
        let at: Instant
        /// Whether the therapy came to mind.
        let thought: Bool
        /// How that felt; only where it came to mind.
        let feeling: Double?
    }

    let answers: [Answer]

    init(_ answers: [Answer]) { self.answers = answers }

    func between(_ from: Instant, _ to: Instant) -> [Answer] {
        let first = place(from)
        return Array(answers[first..<max(first, place(to))])
    }

    /// How many lie before a moment.
    private func place(_ at: Instant) -> Int { answers.partitioningIndex { $0.at >= at } }

    /// Mean and n of the feelings; nil without any.
    static func feeling(_ answers: some Sequence<Answer>) -> (mean: Double, n: Int)? {
        let feelings = answers.compactMap(\.feeling)
        return feelings.mean.map { ($0, feelings.count) }
    }

    /// The mean over the days before each moment. Fewer than `least` answers leave a gap in the line.
    static let least = 3
    static let windowDays: Int64 = 7

    ///
    /// - Parameter now: nothing is drawn beyond it.
    func movingMean(_ axis: TimeAxis, until now: Instant, steps: Int) -> [[(at: Instant, mean: Double)]] {
        let felt = answers.filter { $0.feeling != nil }
        var lines: [[(at: Instant, mean: Double)]] = []
        var line: [(at: Instant, mean: Double)] = []
        var first = 0
        var last = 0
        var sum = 0.0
        for step in 0...steps {
            let seconds = (axis.to.seconds - axis.from.seconds) * Int64(step) / Int64(steps)
            let at = axis.from.adding(seconds: seconds)
            if at > now { break }
            while last < felt.count, felt[last].at <= at {
                sum += felt[last].feeling ?? 0
                last += 1
            }
            let begin = at.adding(days: -Self.windowDays)
            while first < last, felt[first].at <= begin {
                sum -= felt[first].feeling ?? 0
                first += 1
            }
            if last - first >= Self.least {
                line.append((at, sum / Double(last - first)))
            } else if !line.isEmpty {
                lines.append(line)
                line = []
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
