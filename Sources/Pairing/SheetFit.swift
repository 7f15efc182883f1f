import Foundation

/// How far the printed pairing sheet shrinks so that it is one page of A4 or Letter, whatever names, steps and numbers are on it (RP-227).
/// Estimated on the large side from the words, because the page has to print without scripts. All lengths are CSS pixels at full size.
struct SheetFit {
    /// What is written on the sheet.
    struct Words {
        var title = ""
        var lead = ""
        var therapist = ""
        var link: String?
        var steps: [[String]] = []
        var note = ""
        var crisis: [(label: String, number: String)] = []
        /// The two columns at the foot.
        var foot: [[String]] = []
        /// Whether the steps are in smaller letters already.
        var isDense = false
    }

    /// In percent; the style sheet has a rule for each.
    static let steps = [100, 92, 84, 76, 68, 60, 52, 44, 36]

    /// The narrower and the lower of the two formats, within `@page`'s margins, with a little left over.
    private static let page = (width: 650.0, height: 930.0)
    /// The QR code keeps its size.
    private static let code = 189.0

    /// The largest step at which everything fits; the smallest where nothing does.
    static func percent(_ words: Words) -> Int {
        steps.first { height(words, at: Double($0) / 100) <= page.height / (Double($0) / 100) }
            ?? steps[steps.count - 1]
    }

    /// The height of the sheet at a zoom, in its own pixels: it is wider by as much as it is smaller.
    static func height(_ words: Words, at zoom: Double) -> Double {
        let width = page.width / zoom
        let code = code / zoom
        let values = [words.therapist, "C000000"].map { lines($0, 20, width - code - 62) * 30 + 4 }
        let ticket = max(code, values.reduce(58 + 60, +)) + 19
        var height = lines(words.title, 24, width) * 29 + lines(words.lead, 17, width) * 26 + 16 + ticket
        if let link = words.link { height += lines(link, 13, width) * 20 + 8 }
        let letters = words.isDense ? 13.0 : 15
        for list in words.steps {
            height += 48 + list.map { lines($0, letters, width - 22) * letters * 1.5 + 4 }.reduce(0, +)
        }
        height += lines(words.note, 13, width - 26) * 20 + 22
        height += 48 + crisis(words.crisis, width - 27)
        let columns = words.foot.map { column in
            column.map { lines($0, 13, (width - 16) / 2) * 20 }.reduce(0, +)
        }
        return height + (columns.max() ?? 0) + 8
    }

    /// Numbers stand beside each other as far as they fit.
    private static func crisis(_ list: [(label: String, number: String)], _ width: Double) -> Double {
        var height = 0.0
        var row = (width: 0.0, height: 0.0)
        for one in list {
            let size = min(width, max(Self.width(one.label, 13), Self.width(one.number, 22)) + 24)
            if row.width > 0, row.width + size > width {
                height += row.height + 4
                row = (0, 0)
            }
            row.width += size
            row.height = max(row.height, lines(one.label, 13, width) * 20 + lines(one.number, 22, width) * 27)
        }
        return height + row.height
    }

    /// The lines that a text takes; words that do not fit leave a part of each line empty.
    private static func lines(_ text: String, _ letters: Double, _ width: Double) -> Double {
        text.isEmpty ? 0 : (Self.width(text, letters) * 1.06 / max(width, letters)).rounded(.up)
    }

    /// Of letters of the widest fonts that stand in for the first one.
    private static func width(_ text: String, _ letters: Double) -> Double {
        text.unicodeScalars.reduce(0) { sum, sign in
            switch sign.value {
            case 0x2e80...: sum + letters * 1.05
            case _ where sign.properties.isUppercase || sign == "@" || sign == "m" || sign == "w":
                sum + letters * 0.86
            default: sum + letters * 0.58
            }
        }
    }
}
