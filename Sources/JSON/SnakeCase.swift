/// Names of properties as they cross the network: `studyID` is `study_id`, `isGPSOn` is `is_gps_on`.
public enum SnakeCase {
    /// Whether keys of a type are the properties of a type of ours. Keys that are data, as answers by question or words by
    /// language, are any text, and stay as they are; an enumeration of properties has no room for a text.
    @inlinable
    public static func holds<Key: CodingKey>(for keys: Key.Type) -> Bool {
        MemoryLayout<Key>.size < MemoryLayout<String>.size
    }

    /// The name of a property on the wire.
    public static func name(_ property: String) -> String {
        var bytes: [UInt8] = []
        append(property, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The name of a key on the wire.
    public static func name<Key: CodingKey>(of key: Key) -> String {
        holds(for: Key.self) ? name(key.stringValue) : key.stringValue
    }

    static func append(_ property: String, to bytes: inout [UInt8]) {
        var property = property
        property.withUTF8 { letters in
            var start = 0
            for index in letters.indices where isCapital(letters[index]) {
                bytes.append(contentsOf: letters[start..<index])
                if beginsWord(letters, index) { bytes.append(UInt8(ascii: "_")) }
                bytes.append(letters[index] | 0x20)
                start = index + 1
            }
            bytes.append(contentsOf: letters[start...])
        }
    }

    private static func isCapital(_ letter: UInt8) -> Bool {
        letter >= UInt8(ascii: "A") && letter <= UInt8(ascii: "Z")
    }

    /// Several capitals are one word up to the last, which begins the next one (`isGPSOn`); not before the s of a plural
    /// (`ruleIDs`).
    private static func beginsWord(_ letters: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        guard index > 0 else { return false }
        guard isCapital(letters[index - 1]) else { return true }
        guard index + 1 < letters.count, !isCapital(letters[index + 1]) else { return false }
        let isPlural =
            letters[index + 1] == UInt8(ascii: "s")
            && (index + 2 == letters.count || isCapital(letters[index + 2]))
        return !isPlural
    }
}
