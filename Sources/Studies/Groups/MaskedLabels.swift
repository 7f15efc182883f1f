import Database
import JSON
import Wire

/// What arms are called where no arm may be told (ST-5): letters in an order drawn at random, which leads do not choose.
package struct MaskedLabels: Sendable, Equatable {
    private let letters: [StudyArm.Key: String]

    /// As many as a study may have arms.
    private static let alphabet = (UInt8(ascii: "A")...UInt8(ascii: "L")).map {
        String(decoding: [$0], as: UTF8.self)
    }

    package subscript(key: StudyArm.Key) -> String? { letters[key] }

    /// Arms that stay keep theirs; others get the first free ones, in any order.
    init(drawnFor arms: [StudyArm.Key], keeping known: MaskedLabels?) {
        var letters = known?.letters.filter { arms.contains($0.key) } ?? [:]
        let missing = arms.filter { letters[$0] == nil }
        let free = Self.alphabet.filter { !letters.values.contains($0) }.prefix(missing.count)
        for (arm, letter) in zip(missing, free.shuffled()) { letters[arm] = letter }
        self.letters = letters
    }

    /// As they are stored.
    init(column: String) throws {
        let stored = try JSONReader.value([StudyDesign.MaskedLabel].self, from: column.utf8)
        letters = Dictionary(stored.map { (StudyArm.Key(rawValue: $0.arm), $0.label) }) { first, _ in first }
    }

    var column: String {
        get throws {
            String(decoding: try JSONWriter.bytes(of: wire), as: UTF8.self)
        }
    }

    /// By their letters.
    package var wire: [StudyDesign.MaskedLabel] {
        letters.map { StudyDesign.MaskedLabel(arm: $0.key.rawValue, label: $0.value) }
            .sorted { $0.label < $1.label }
    }
}
