extension JSON {
    /// The place of the first repeated key, with dots between names and numbers: `answers.q3`. Only for bytes that
    /// `parse` refused for such a key; the parser gives its line alone.
    public static func placeOfDuplicate(in bytes: [UInt8]) -> String? {
        var search = DuplicateSearch(bytes: bytes)
        return search.find()
    }
}

/// Walks over the tokens of a text up to its first repeated key; the text before it is valid JSON.
private struct DuplicateSearch {
    private enum Level {
        /// - Parameter key: the last one read; nil where one comes next.
        case object(known: Set<String>, key: String?)
        case array(index: Int)
    }

    let bytes: [UInt8]
    private var position = 0
    private var levels: [Level] = []

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func find() -> String? {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "{"): levels.append(.object(known: [], key: nil))
            case UInt8(ascii: "["): levels.append(.array(index: 0))
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = levels.popLast()
            case UInt8(ascii: ","): next()
            case UInt8(ascii: "\""):
                let text = string()
                if case .object(var known, nil)? = levels.last {
                    let isNew = known.insert(text).inserted
                    levels[levels.count - 1] = .object(known: known, key: text)
                    if !isNew { return place }
                }
                continue
            default: break
            }
            position += 1
        }
        return nil
    }

    private mutating func next() {
        switch levels.last {
        case .object(let known, _): levels[levels.count - 1] = .object(known: known, key: nil)
        case .array(let index): levels[levels.count - 1] = .array(index: index + 1)
        case nil: break
        }
    }

    /// Reads a string; one key may be written in several ways.
    private mutating func string() -> String {
        let start = position
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        position = min(position + 1, bytes.count)
        return (try? JSON.parse(Array(bytes[start..<position]), allowsNull: true))?.string ?? ""
    }

    private var place: String {
        levels.map { level in
            switch level {
            case .object(_, let key): key ?? ""
            case .array(let index): String(index)
            }
        }.joined(separator: ".")
    }
}
