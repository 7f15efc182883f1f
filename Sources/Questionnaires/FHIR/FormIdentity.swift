import Foundation
import JSON
import Wording

/// By what a form of others is known again: its canonical address, else its identifiers.
package struct FormIdentity: Sendable, Equatable {
    /// One of them.
    package struct Mark: Sendable, Equatable, Codable {
        /// Which kind of mark.
        package enum Kind: String, Sendable, Codable { case url, identifier }
        package let kind: Kind
        package let value: String

        package init(_ kind: Kind, _ value: String) {
            self.kind = kind
            self.value = value
        }
    }

    /// All of them.
    package let marks: [Mark]
    /// Whether its key was made of a name that others may have, too: of none of its own.
    package let isNameless: Bool

    /// The key that all forms without a name had before they were known by their marks.
    package static let formerKey = "fhir"

    /// The ones that decide: the address where there is one.
    package var deciding: [Mark] {
        let addresses = marks.filter { $0.kind == .url }
        return addresses.isEmpty ? marks : addresses
    }

    package var url: String? { marks.first { $0.kind == .url }?.value }

    /// Nil for a form that this program exported: it goes by its key.
    init?(_ root: JSON) {
        let identifiers = root["identifier"]?.array ?? []
        if identifiers.contains(where: { $0["system"]?.string == FHIRWriter.own + "key" }) { return nil }
        var marks: [Mark] = []
        if let url = Self.address(root) { marks.append(Mark(.url, url)) }
        for identifier in identifiers {
            // Without its system a number says nothing: others count from one, too.
            guard let value = Self.plain(identifier["value"]), let system = Self.plain(identifier["system"])
            else { continue }
            let mark = Mark(.identifier, "\(system)|\(value)")
            if !marks.contains(mark) { marks.append(mark) }
        }
        self.marks = marks
        isNameless = Self.plain(root["name"]) == nil && Self.plain(root["id"]) == nil
    }

    private static let limit = 1_000

    /// Marks longer than any that a table finds things by.
    package var faults: [QuestionnaireFile.Fault] {
        marks.filter { $0.value.utf8.count > Self.limit }.map { mark in
            let message = Message("file.long", ["limit": String(Self.limit)])
            return QuestionnaireFile.Fault(place: mark.kind.rawValue, message: message)
        }
    }

    /// A key from the form's name or id, else from its title, else from the end of its address.
    static func key(_ root: JSON, title: String?) -> String {
        if let name = plain(root["name"]) ?? plain(root["id"]) { return FHIRPieces.key(name) }
        return slug(title) ?? slug(address(root)?.split(separator: "/").last.map(String.init)) ?? "form"
    }

    /// Without the version behind the bar.
    private static func address(_ root: JSON) -> String? {
        plain(root["url"]).flatMap { text in
            plain(.string(String(text.unicodeScalars.prefix { $0 != "|" })))
        }
    }

    private static func plain(_ json: JSON?) -> String? {
        let text = json?.string?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        return text.isEmpty ? nil : text
    }

    /// Small letters and digits of English; what has none of them is no name.
    private static func slug(_ text: String?) -> String? {
        let folded = (text ?? "").folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
        let words = folded.unicodeScalars.split { scalar in
            !(scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil))
        }
        let joined = words.map { String($0) }.joined(separator: "-")
        return joined.isEmpty ? nil : String(joined.prefix(60))
    }
}
