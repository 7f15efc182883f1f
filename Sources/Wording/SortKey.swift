import Foundation

/// The place of a name in a list, as DIN 5007-1 and the root of CLDR have it: by letters first, then by their accents, then by
/// case. ä is as a, ß as ss, and a blank comes before every letter.
///
/// It knows blanks, ASCII's signs in CLDR's order (others behind those of their kind), digits of every script, and the Latin letters
/// of European languages (up to U+017F, and what decomposes to them). Letters of other scripts follow by their code points, small
/// and capital as one.
package struct SortKey: Sendable, Comparable {
    private let bytes: [UInt8]

    package init(_ name: String) {
        var levels = Levels()
        for scalar in name.decomposedStringWithCompatibilityMapping.unicodeScalars { levels.add(scalar) }
        bytes = levels.letters + [0] + levels.accents + [0] + levels.cases
    }

    package static func < (left: SortKey, right: SortKey) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

extension Sequence {
    /// As people look names up; equal ones by their ids.
    package func sorted(
        byName name: (Element) -> String, then id: (Element) -> some Comparable
    ) -> [Element] {
        map { (key: SortKey(name($0)), id: id($0), element: $0) }
            .sorted { ($0.key, $0.id) < ($1.key, $1.id) }.map(\.element)
    }
}

/// The three levels of a key: each tells apart only what those before it do not.
private struct Levels {
    var letters: [UInt8] = []
    var accents: [UInt8] = []
    var cases: [UInt8] = []

    mutating func add(_ scalar: Unicode.Scalar) {
        let properties = scalar.properties
        if let accent = Self.marks.firstIndex(of: scalar) {
            accents.append(Self.firstMark + UInt8(accent))
        } else if properties.canonicalCombiningClass != .notReordered {
            accents.append(Self.firstMark + UInt8(Self.marks.count))
        } else if properties.isWhitespace
            || properties.generalCategory != .control && !properties.isDefaultIgnorableCodePoint
        {
            add(letter: scalar)
        }
    }

    private mutating func add(letter scalar: Unicode.Scalar) {
        let isCapital = scalar.properties.lowercaseMapping != String(scalar)
        let small = isCapital ? scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar : scalar
        let (parts, mark) = Self.composed[small] ?? ([small], nil)
        for part in parts {
            letters += Self.weight(part)
            accents.append(Self.plain)
            cases.append(isCapital ? 2 : 1)
        }
        if let mark { accents.append(mark) }
    }

    private static let plain: UInt8 = 1
    private static let firstMark: UInt8 = 2

    /// Accents in the order of CLDR: acute, grave, breve, circumflex, caron, ring, diaeresis, double acute, tilde, dot, slash,
    /// cedilla, ogonek, macron, bar.
    private static let marks: [Unicode.Scalar] = [
        "\u{301}", "\u{300}", "\u{306}", "\u{302}", "\u{30C}", "\u{30A}", "\u{308}", "\u{30B}", "\u{303}",
        "\u{307}", "\u{338}", "\u{327}", "\u{328}", "\u{304}", "\u{335}",
    ]

    /// Letters that are others with a slash or bar, variants of them, or two as one, though they do not decompose to them.
    private static let composed: [Unicode.Scalar: (parts: [Unicode.Scalar], mark: UInt8?)] = {
        let slash = firstMark + 10
        let bar = firstMark + 14
        // Behind every accent.
        let variant = firstMark + UInt8(marks.count) + 1
        return [
            "ø": (["o"], slash), "đ": (["d"], bar), "ħ": (["h"], bar), "ł": (["l"], bar),
            "ð": (["d"], variant),
            "æ": (["a", "e"], variant), "œ": (["o", "e"], variant), "ß": (["s", "s"], variant),
        ]
    }()

    /// Blanks, then signs and letters in order, in one byte; all else behind those of its kind, by code point.
    private static func weight(_ scalar: Unicode.Scalar) -> [UInt8] {
        if let known = known[scalar] { return [known] }
        let properties = scalar.properties
        if properties.isWhitespace { return [first] }
        if properties.numericType == .decimal, let digit = properties.numericValue,
            let known = known[Unicode.Scalar(UInt8(ascii: "0") + UInt8(digit))]
        {
            return [known]
        }
        let value = scalar.value
        return [behind(properties.generalCategory)]
            + [16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static let first: UInt8 = 2

    private static func behind(_ category: Unicode.GeneralCategory) -> UInt8 {
        switch category {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
            .initialPunctuation, .finalPunctuation, .otherPunctuation:
            ends.punctuation
        case .mathSymbol, .modifierSymbol, .otherSymbol: ends.symbols
        case .currencySymbol: ends.currency
        default: 0xFF
        }
    }

    private static let punctuation = Array("_-,;:!?.'\"()[]{}@*/\\&#%".unicodeScalars)
    private static let symbols = Array("`^+<=>|~".unicodeScalars)
    private static let currency = Array("$".unicodeScalars)
    private static let digitsAndLetters = Array(
        "0123456789abcdeəfghiıjklmnŋopqĸrstŧuvwxyzʒþ".unicodeScalars)

    /// The bytes behind which unknown signs of a kind go.
    private static let ends: (punctuation: UInt8, symbols: UInt8, currency: UInt8) = {
        let end = first + UInt8(punctuation.count) + 1
        let next = end + UInt8(symbols.count) + 1
        return (end, next, next + UInt8(currency.count) + 1)
    }()

    private static let known: [Unicode.Scalar: UInt8] = {
        var weights: [Unicode.Scalar: UInt8] = [:]
        for (list, start) in [
            (punctuation, first + 1), (symbols, ends.punctuation + 1), (currency, ends.symbols + 1),
            (digitsAndLetters, ends.currency + 1),
        ] {
            for (index, scalar) in list.enumerated() { weights[scalar] = start + UInt8(index) }
        }
        return weights
    }()
}
