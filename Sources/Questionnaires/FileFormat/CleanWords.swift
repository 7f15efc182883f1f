import Foundation
import JSON
import Wire
import Wording

extension JSON {
    /// A questionnaire's file whose words are lines of text, composed, without control signs (RP-25). Keys and numbers
    /// stay as they are: they are checked, not mended.
    package var withCleanWords: JSON { cleaned(isWords: false) }

    /// - Parameter isWords: whether every text in it is words, whatever it is called.
    func cleaned(isWords: Bool) -> JSON {
        switch self {
        case .string(let text) where isWords:
            .string(TypedLines.read(text).precomposedStringWithCanonicalMapping)
        case .array(let list): .array(list.map { $0.cleaned(isWords: isWords) })
        case .object(let members):
            .object(
                members.map { member in
                    Member(
                        member.key,
                        member.value.cleaned(
                            isWords: isWords || DocumentPath.isWords(member.key)))
                })
        default: self
        }
    }
}
