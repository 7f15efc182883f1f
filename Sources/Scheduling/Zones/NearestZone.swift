extension ZoneData {
    /// The name that a word is nearest to: the one from which the fewest letters differ, or whose place is the word.
    public func nearest(to word: String) -> String {
        let typed = Self.letters(word.utf8.prefix(60))
        let distances = names.map { name in
            let letters = Self.letters(name.utf8[...])
            let place = letters.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
            return (name: name, distance: min(Self.distance(typed, letters), Self.distance(typed, place)))
        }
        return distances.min { $0.distance < $1.distance }?.name ?? "UTC"
    }

    /// Small ones, with underscores for blanks.
    private static func letters(_ bytes: Substring.UTF8View) -> [UInt8] {
        bytes.map { (65...90).contains($0) ? $0 | 0x20 : $0 == UInt8(ascii: " ") ? UInt8(ascii: "_") : $0 }
    }

    /// The letters to change, to take out and to put in (Levenshtein).
    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var row = Array(0...other.count)
        for (index, letter) in one.enumerated() {
            var corner = row[0]
            row[0] = index + 1
            for (place, wanted) in other.enumerated() {
                let changed = corner + (letter == wanted ? 0 : 1)
                corner = row[place + 1]
                row[place + 1] = min(changed, corner + 1, row[place] + 1)
            }
        }
        return row[other.count]
    }
}
