import Database
import JSON
import Records
import Therapies
import Wire

/// An arm of a trial (ST-5).
package struct StudyArm: Sendable, Equatable {
    /// What it is called in calls, files and columns.
    package struct Key: RawRepresentable, Hashable, Sendable, SQLConvertible, CustomStringConvertible {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }
        package init(_ known: Therapy.Arm) { rawValue = known.rawValue }

        package var description: String { rawValue }

        package static let full = Key(.full)
        package static let noInterventions = Key(.noInterventions)
        package static let noApp = Key(.noApp)
    }

    package let key: Key
    /// Nil for one of the house's three that has no other name.
    package let title: LocalizedText?
    /// What its participants' therapies, and apps, do: the same as in the arm of the house that is like it.
    package let treatment: Therapy.Arm
    /// How many of the places come to it, beside the ratios of the others.
    package let ratio: Int
    /// A waiting list: the local day, counted from allocation, from which on there are interventions. Nil for never.
    package let crossesAfter: Int?

    package init(
        key: Key, title: LocalizedText?, treatment: Therapy.Arm, ratio: Int = 1, crossesAfter: Int? = nil
    ) {
        self.key = key
        self.title = title
        self.treatment = treatment
        self.ratio = ratio
        self.crossesAfter = crossesAfter
    }

    /// One of the house's three.
    package init(_ known: Therapy.Arm) { self.init(key: Key(known), title: nil, treatment: known) }

    fileprivate static let parsed = ParsedTexts<[StudyArm]>()

    package static let full = StudyArm(.full)
    package static let noInterventions = StudyArm(.noInterventions)
    package static let noApp = StudyArm(.noApp)

    /// Whether its name says everything about it.
    package var isPlain: Bool { self == StudyArm(treatment) }

    /// Whether another one is the same but for its title, which may change.
    func isSame(as other: StudyArm) -> Bool {
        key == other.key && treatment == other.treatment && ratio == other.ratio
            && crossesAfter == other.crossesAfter
    }

    package var wire: StudyDesign.Arm {
        StudyDesign.Arm(
            key: key.rawValue, title: title, app: treatment != .noApp, interventions: treatment == .full,
            ratio: ratio, crossesAfterDays: crossesAfter)
    }

    /// As it is stored.
    init(_ wire: StudyDesign.Arm) {
        let treatment: Therapy.Arm = !wire.app ? .noApp : wire.interventions ? .full : .noInterventions
        self.init(
            key: Key(rawValue: wire.key), title: wire.title, treatment: treatment, ratio: wire.ratio,
            crossesAfter: wire.crossesAfterDays)
    }
}

extension [StudyArm.Key] {
    package static func stored(_ column: String) -> [StudyArm.Key] {
        column.split(separator: " ").map { StudyArm.Key(rawValue: String($0)) }
    }

    /// As they are stored.
    package var column: String { map(\.rawValue).joined(separator: " ") }
}

extension [StudyArm] {
    package subscript(key: StudyArm.Key) -> StudyArm? { first { $0.key == key } }

    /// Each as often as its ratio, in their order: one turn of all.
    var turn: [StudyArm.Key] { flatMap { Array<StudyArm.Key>(repeating: $0.key, count: $0.ratio) } }

    /// Nil where their names say everything: programs of before read those alone.
    var column: String? {
        get throws {
            if allSatisfy(\.isPlain) { return nil }
            return String(decoding: try JSONWriter.bytes(of: map(\.wire)), as: UTF8.self)
        }
    }

    /// As they are stored.
    /// - Parameter names: of what the therapies do; all there is to say where there is no column.
    static func stored(_ names: String, column: String?) throws -> [StudyArm] {
        guard let column else {
            return names.split(separator: " ").compactMap { Therapy.Arm(rawValue: String($0)) }.map {
                StudyArm($0)
            }
        }
        return try StudyArm.parsed.of(column) { text in
            try JSONReader.value([StudyDesign.Arm].self, from: text.utf8).map { StudyArm($0) }
        }
    }
}
