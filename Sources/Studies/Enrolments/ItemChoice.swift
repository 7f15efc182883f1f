import Records
import Wire

/// What a participant agreed to or declined beside the answers: the position, or a kind of measurements.
package struct ItemChoice: Sendable, Equatable {
    package enum Kind: Hashable, Sendable {
        case location
        case measure(StudyMeasures.Measure)

        package static let all = [Kind.location] + StudyMeasures.Measure.ordered.map(Kind.measure)

        package init?(name: String) {
            guard let kind = Self.all.first(where: { $0.name == name }) else { return nil }
            self = kind
        }

        /// In the database and on the wire.
        package var name: String {
            switch self {
            case .location: "location"
            case .measure(let measure): measure.rawValue
            }
        }

        /// Of its words in the texts.
        package var key: String {
            switch self {
            case .location: "own_studies.location"
            case .measure(let measure): "health.\(measure.rawValue)"
            }
        }
    }

    package let kind: Kind
    package let isGiven: Bool
    /// Nil where the moment was not kept yet, and for what was never answered.
    package let at: Instant?
    /// The sentence about measurements that it was chosen under; nil for the position.
    package let sentence: Int?

    /// Whether it was a consent to research that counted for it, before it was asked one by one.
    var isByResearch: Bool { isGiven && sentence == StudyMeasures.researchSentence }
}

extension EnrolmentRecord {
    /// What stands now: the enrolment says what, the choices say since when.
    /// - Parameters:
    ///   - choices: all of the enrolment, the earliest first.
    ///   - asked: what the study asks for now; what was chosen before stays in the list.
    package func items(_ choices: [ItemChoice], asked: Set<ItemChoice.Kind>) -> [ItemChoice] {
        // What was asked for after the end was never asked of them.
        let asked = leftAt == nil ? asked : []
        return ItemChoice.Kind.all.compactMap { kind in
            let last = choices.last { $0.kind == kind }
            switch kind {
            case .location:
                guard let location else {
                    return asked.contains(kind)
                        ? ItemChoice(kind: kind, isGiven: false, at: nil, sentence: nil) : nil
                }
                // A refusal that follows from another study's question was not answered here, and has no moment.
                let isGiven = location == .allowed
                let noted = last.flatMap { $0.isGiven == isGiven ? $0 : nil }
                return ItemChoice(kind: kind, isGiven: isGiven, at: noted?.at, sentence: nil)
            case .measure(let measure):
                let isGiven = measurements.contains(measure)
                guard isGiven || last != nil || asked.contains(kind) else { return nil }
                let noted = last.flatMap { $0.isGiven == isGiven ? $0 : nil }
                return ItemChoice(
                    kind: kind, isGiven: isGiven, at: noted?.at ?? (isGiven ? tickedAt : nil),
                    sentence: noted?.sentence ?? (isGiven ? sentence : nil))
            }
        }
    }
}
