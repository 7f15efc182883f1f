/// How pages show a secret.
enum Base32 {
    /// Base32 read back (RFC 4648, 6).
    static func decoded(_ text: String) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var bytes: [UInt8] = []
        var buffer: UInt32 = 0
        var bits: Int = 0
        for letter in text where letter != " " {
            buffer = buffer << 5 | UInt32(alphabet.firstIndex(of: letter) ?? 0)
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(buffer >> UInt32(bits) & 0xff))
            }
        }
        return bytes
    }
}
