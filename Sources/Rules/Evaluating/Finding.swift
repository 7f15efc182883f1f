import Psychometrics
import Records
import Secrets
import Templates
import Therapies
import Wire

/// The result of a rule that is met, with its reasons.
package struct Finding: Sendable, Equatable {
    /// The reason of one condition.
    package struct Fact: Sendable, Equatable, Codable {
        package struct Value: Sendable, Equatable, Codable {
            package let at: Instant
            /// Nil where a sheet had no such value.
            package let value: Double?
        }
        /// The index of the condition, from 0.
        let clause: Int
        /// The values it was computed from, the newest first.
        package var values: [Value] = []
        /// A mean, or a difference.
        package var result: Double?
        /// The number of times, or days.
        package var count: Int?
    }

    package let facts: [Fact]
    /// Names of all its evidence: a rule fires only when one of them is new to it.
    let evidence: Set<String>
}

extension Finding {
    /// The names as the table stores them.
    var hashes: [[UInt8]] { evidence.sorted().map { Digest.plain(Array($0.utf8)) } }
}

extension Rule {
    /// Whether the rule is met at a moment; nil when not, and when the data does not suffice.
    /// - Parameter last: ignores later sheets, to judge a late sheet at its own time.
    func finding(in history: History, at now: Instant, upTo last: Instant? = nil) -> Finding? {
        if let days = sessionWithinDays, !history.hasSession(within: days, of: now) { return nil }
        var facts: [Finding.Fact] = []
        var evidence: Set<String> = []
        for (index, clause) in clauses.enumerated() {
            if let met = clause.met(in: history, at: now, upTo: last, index) {
                facts.append(met.fact)
                evidence.formUnion(met.evidence.map { "\(clause.subject):\($0)" })
            } else if combination == .all {
                return nil
            }
        }
        return facts.isEmpty ? nil : Finding(facts: facts, evidence: evidence)
    }
}

extension Clause {
    typealias Met = (fact: Finding.Fact, evidence: [String])

    /// Its subject without the threshold: unchanged when only the threshold is edited.
    fileprivate var subject: String {
        [kind.rawValue, key ?? "", item ?? "", since.rawValue].joined(separator: "/")
    }

    fileprivate func met(
        in history: History, at now: Instant, upTo last: Instant?, _ index: Int
    ) -> Met? {
        switch kind {
        case .answer: counted(history.answers, in: history, at: now, upTo: last, index)
        case .score: counted(history.scores, in: history, at: now, upTo: last, index)
        case .change, .worsening, .improvement: changed(in: history, at: now, upTo: last, index)
        case .mean: averaged(in: history, at: now, upTo: last, index)
        case .missed: missed(in: history, at: now, index)
        case .silent: silent(in: history, at: now, index)
        }
    }

    private var place: History.Item { History.Item(key: key ?? "", name: item ?? "") }

    private func counted(
        _ sheets: [String: [History.Contribution]], in history: History, at now: Instant, upTo last: Instant?,
        _ index: Int
    ) -> Met? {
        let newest = history.newest(of, of: sheets[key ?? ""] ?? [], at: now, upTo: last)
        let hits = newest.filter { sheet in
            (sheet.values[item ?? ""] ?? []).contains(where: threshold.isMet)
        }
        guard hits.count >= times else { return nil }
        let values = newest.map { sheet in
            // Of several choices the one that meets the threshold counts.
            let numbers = sheet.values[item ?? ""] ?? []
            let shown = numbers.first(where: threshold.isMet) ?? numbers.first
            return Finding.Fact.Value(at: sheet.completedAt, value: shown)
        }
        let fact = Finding.Fact(clause: index, values: values, count: hits.count)
        return (fact, hits.map(\.id.text))
    }

    private func changed(
        in history: History, at now: Instant, upTo limit: Instant?, _ index: Int
    ) -> Met? {
        let newest = history.newest(2, of: place, at: now, upTo: limit)
        guard let last = newest.first else { return nil }
        let reference = since == .begin ? history.begin(of: place, at: now) : newest.dropFirst().first
        guard let reference, reference.id != last.id else { return nil }
        let difference = last.value - reference.value
        let isMet: Bool
        switch kind {
        case .worsening: isMet = history.figures[place]?.isWorsening(difference) ?? false
        case .improvement: isMet = history.figures[place]?.isImprovement(difference) ?? false
        default: isMet = threshold.isMet(by: difference)
        }
        guard isMet else { return nil }
        let values = [last, reference].map { Finding.Fact.Value(at: $0.completedAt, value: $0.value) }
        let fact = Finding.Fact(clause: index, values: values, result: difference)
        return (fact, [last.id.text])
    }

    private func averaged(
        in history: History, at now: Instant, upTo last: Instant?, _ index: Int
    ) -> Met? {
        let newest = history.newest(of, of: place, at: now, upTo: last)
        guard newest.count == of, let mean = newest.map(\.value).mean, threshold.isMet(by: mean) else {
            return nil
        }
        let values = newest.map { Finding.Fact.Value(at: $0.completedAt, value: $0.value) }
        let fact = Finding.Fact(clause: index, values: values, result: mean)
        return (fact, newest.map(\.id.text))
    }

    /// Not during a pause: nothing is asked then.
    private func missed(in history: History, at now: Instant, _ index: Int) -> Met? {
        guard !history.isPaused(at: now) else { return nil }
        let closed = History.upTo(now, history.slots[key ?? ""] ?? [], \.closes).reversed().lazy.filter {
            $0.closes < now
        }.prefix(times)
        let slots = Array(closed)
        let isAnswered = slots.contains { slot in slot.answeredAt.map { $0 <= now } ?? false }
        guard slots.count == times, !isAnswered else { return nil }
        let values = slots.map { Finding.Fact.Value(at: $0.closes, value: nil) }
        let fact = Finding.Fact(clause: index, values: values, count: times)
        return (fact, slots.map(\.id.text))
    }

    private func silent(in history: History, at now: Instant, _ index: Int) -> Met? {
        guard !history.isPaused(at: now) else { return nil }
        let since = history.silentSince(at: now)
        let length = (now.seconds - since.seconds) / 86_400
        guard length >= Int64(days) else { return nil }
        let fact = Finding.Fact(
            clause: index, values: [.init(at: since, value: nil)], count: Int(length))
        return (fact, [String(since.milliseconds)])
    }
}
