import Wording

/// What became of all who were taken into a study: everybody stands in exactly one of these numbers (FD-25).
package struct StudyFlow: Sendable, Equatable {
    let takesPart: Int
    /// What they gave stays.
    let left: Int
    /// Their consent: nothing of them is told any more.
    let withdrawn: Int
    /// Left with everything they gave.
    let removed: Int
    /// Their whole account.
    var erased: Int

    var total: Int { takesPart + left + withdrawn + removed + erased }

    /// The sum, and what it is made of; nothing while nobody was taken in.
    func lines(_ texts: Texts) -> [String] {
        if total == 0 { return [] }
        let parts = [
            ("part", takesPart), ("left", left), ("withdrawn", withdrawn), ("removed", removed),
            ("erased", erased),
        ]
        return [texts.count("studies.flow_all", total)]
            + parts.filter { $0.1 > 0 }.map { texts.count("studies.flow_\($0.0)", $0.1) }
    }
}
