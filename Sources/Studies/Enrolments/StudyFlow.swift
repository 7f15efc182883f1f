import Wording

/// The flow of all participants taken into a study: each is in exactly one of these numbers (FD-25).
package struct StudyFlow: Sendable, Equatable {
    let takesPart: Int
    /// Their answers stay.
    let left: Int
    /// Withdrew their consent: nothing of them is disclosed any more.
    let withdrawn: Int
    /// Left, with all their answers removed.
    let removed: Int
    /// Their whole account.
    package var erased: Int

    package var total: Int { takesPart + left + withdrawn + removed + erased }

    /// The sum and its parts; empty before the first enrolment.
    package func lines(_ texts: Texts) -> [String] {
        if total == 0 { return [] }
        return [texts.count("studies.flow_all", total)]
            + parts.filter { $0.count > 0 }.map { texts.count("studies.flow_\($0.name)", $0.count) }
    }

    /// Every number with its name in the texts.
    package var parts: [(name: String, count: Int)] {
        [
            ("part", takesPart), ("left", left), ("withdrawn", withdrawn), ("removed", removed),
            ("erased", erased),
        ]
    }
}

extension StudyFlow {
    /// - Parameter people: by their standing: 0 takes part, 1 has left, 2 withdrew, 3 is removed.
    init(_ people: [Int: Int]) {
        self.init(
            takesPart: people[0] ?? 0, left: people[1] ?? 0, withdrawn: people[2] ?? 0,
            removed: people[3] ?? 0, erased: 0)
    }
}
