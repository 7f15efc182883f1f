import JSON
import Wire
import Wording

/// An item of a form of others, and what it became here.
package struct FormItem: Sendable, Equatable {
    /// What came of an item.
    package enum Outcome: Sendable, Equatable {
        /// A section's words.
        case group
        case words
        case scale
        /// With the name of its kind.
        case question(String)
    }

    package let place: String
    package let linkID: String
    package let text: LocalizedText
    /// How many items stand around it.
    package let level: Int
    /// Nil for one that did not come in.
    package let became: Outcome?

    /// The items with all below them, in the order of the form.
    static func all(
        _ root: JSON, in place: String = "", level: Int = 0, pieces: FHIRPieces, _ taken: [String: Outcome]
    ) -> [FormItem] {
        guard level < 200 else { return [] }
        return (root["item"]?.array ?? []).enumerated().flatMap { index, item -> [FormItem] in
            let own = "\(place)item[\(index)]"
            let text = LocalizedText(
                json: (pieces.translations(item, "text") ?? .null).cleaned(isWords: true))
            let one = FormItem(
                place: own, linkID: item["linkId"]?.string ?? "", text: text, level: level,
                became: taken[own])
            return [one] + all(item, in: own + ".", level: level + 1, pieces: pieces, taken)
        }
    }

    /// The place of the innermost item that a place in a form lies in; nil for one of the form itself.
    static func place(around place: String) -> String? {
        let steps = place.split(separator: ".").prefix { $0.hasPrefix("item[") }
        return steps.isEmpty ? nil : steps.joined(separator: ".")
    }
}
