import Database
import Psychometrics
import Records
import Wire
import Wording

extension TrialDesign {
    /// A scale at a time, named before the first participant is in.
    package struct Outcome: Sendable, Equatable {
        /// What several values of one person become (ST-4).
        package enum Value: String, Sendable, CaseIterable, SQLConvertible {
            case first, last, mean

            /// - Parameter values: the earliest first.
            /// - Returns: nil without a value.
            package func of(_ values: [Double]) -> Double? {
                switch self {
                case .first: values.first
                case .last: values.last
                case .mean: values.mean
                }
            }
        }

        package enum When: Sendable, Equatable {
            /// Days after enrolment.
            case day(Int)
            /// A time point of the study by its key, and how several values become one; nil where that follows from the questionnaire.
            case timePoint(String, Value?)
        }

        /// Which sheets it is computed from.
        package enum Source: String, Sendable, CaseIterable, SQLConvertible {
            case study
            /// Those of the participants' therapies that they complete on the days of a time point.
            case therapy
        }

        package let isPrimary: Bool
        package let key: String
        package let scale: String
        package let when: When
        package let source: Source

        package init(isPrimary: Bool, key: String, scale: String, when: When, source: Source = .study) {
            self.isPrimary = isPrimary
            self.key = key
            self.scale = scale
            self.when = when
            self.source = source
        }

        package init(isPrimary: Bool, key: String, scale: String, day: Int) {
            self.init(isPrimary: isPrimary, key: key, scale: scale, when: .day(day))
        }

        /// Nil for one at a time point.
        package var day: Int? {
            if case .day(let day) = when { day } else { nil }
        }

        /// Nil for one by the day.
        package var timePoint: String? {
            if case .timePoint(let key, _) = when { key } else { nil }
        }

        package var value: Value? {
            if case .timePoint(_, let value) = when { value } else { nil }
        }

        /// Whether another one is of the same scale at the same time.
        func isSameMeasure(as other: Outcome) -> Bool {
            key == other.key && scale == other.scale && day == other.day && timePoint == other.timePoint
                && source == other.source
        }
    }

    /// How several values of a scale at a questionnaire of the study become one: as an outcome says it; else the mean of what is asked
    /// repeatedly there, and the first one otherwise.
    package static func value(
        of scale: String, at item: StudyItem, in groups: TrialDesign?
    ) -> Outcome.Value {
        let named = groups?.outcomes.first {
            $0.key == item.key && $0.scale == scale && $0.timePoint != nil && $0.timePoint == item.timePoint
        }
        return named?.value ?? item.value
    }

    /// The same of an outcome of the therapy: how often that asks is not known, but for each session it does so anew.
    package static func value(of outcome: Outcome, at point: TimePoint) -> Outcome.Value {
        outcome.value ?? (point.window.anchor == .eachSession ? .mean : .first)
    }

    /// The same for what an outcome begins with. Of the study's baseline that is the first value: one that is asked again and again would
    /// run into what comes after it.
    package static func value(
        of scale: String, begins item: StudyItem, in groups: TrialDesign?
    ) -> Outcome.Value {
        item.timePoint == nil ? .first : value(of: scale, at: item, in: groups)
    }

    /// - Throws: `Problem.invalid` for an outcome at a time point at which its questionnaire does not stand any more; for one of the
    ///   therapy, where the study asks it itself, or there is no such time point.
    package func requireTimePoints(in study: ID<Study>, _ connection: borrowing Connection) throws {
        if outcomes.allSatisfy({ $0.timePoint == nil }) { return }
        let items = try StudyItemStore.all(in: study, connection)
        let points = try StudyStore.find(study, connection)?.timePoints ?? []
        for outcome in outcomes {
            guard let point = outcome.timePoint else { continue }
            let isThere = items.contains { $0.key == outcome.key && $0.timePoint == point }
            switch outcome.source {
            case .study where !isThere: throw Problem.invalid("outcomes", "studies.outcome_not_there")
            case .therapy where isThere || points[point] == nil:
                throw Problem.invalid("outcomes", "studies.outcome_therapy_not_there")
            default: continue
            }
        }
    }
}

extension StudyItem {
    /// What several values of it become where no outcome says it.
    package var value: TrialDesign.Outcome.Value {
        isAskedEachSession || event != nil ? .mean : isOnetime || schedules.isEmpty ? .first : .mean
    }
}
