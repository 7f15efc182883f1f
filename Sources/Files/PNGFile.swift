/// The chunks of a PNG file (W3C PNG, third edition, 5).
enum PNGFile {
    /// What draws the picture, its colours as numbers, and the frames of one that moves. Texts, times, profiles, EXIF and
    /// what nobody knows are not among them.
    private static let kept: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "cICP", "sBIT", "bKGD", "acTL",
        "fcTL",
        "fdAT",
    ]

    static func copy(_ reader: inout ByteReader) throws(PictureFile.Fault) -> PictureCopy {
        var copy = PictureCopy([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
        var isFilled = false
        while true {
            var whole = reader
            guard let length = reader.big(4), let name = reader.take(4), let data = reader.take(length),
                reader.take(4) != nil, let chunk = whole.take(length + 12)
            else { throw .broken }
            let type = String(decoding: name, as: UTF8.self)
            // The first chunk is the head, and there is one.
            guard (type == "IHDR") == (copy.width == 0) else { throw .broken }
            if type == "IHDR" { try readHead(data, &copy) }
            if type == "IDAT" { isFilled = true }
            if kept.contains(type) { copy.bytes += chunk }
            if type == "IEND" { break }
        }
        guard isFilled else { throw .broken }
        return copy
    }

    private static func readHead(
        _ data: ArraySlice<UInt8>, _ copy: inout PictureCopy
    ) throws(PictureFile.Fault) {
        var reader = ByteReader(data)
        guard data.count == 13, let width = reader.big(4), let height = reader.big(4) else { throw .broken }
        try copy.setSize(width, height)
    }
}
