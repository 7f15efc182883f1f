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
        let parts = [
            ("part", takesPart), ("left", left), ("withdrawn", withdrawn), ("removed", removed),
            ("erased", erased),
        ]
        return [texts.count("studies.flow_all", total)]
            + parts.filter { $0.1 > 0 }.map { texts.count("studies.flow_\($0.0)", $0.1) }
    }
}
