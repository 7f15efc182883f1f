/// The chunks of a WebP file (RFC 9649).
enum WebPFile {
    /// - Parameter chunks: what is behind the file's own head.
    static func copy(_ chunks: ArraySlice<UInt8>) throws(PictureFile.Fault) -> PictureCopy {
        var reader = ByteReader(chunks)
        var copy = PictureCopy([])
        guard let first = try chunk(&reader) else { throw .broken }
        var isFilled = false
        if first.name == "VP8X" {
            append("VP8X", try readHead(first.data, &copy), to: &copy.bytes)
            while let next = try chunk(&reader) {
                guard let kept = try kept(next, &isFilled) else { continue }
                append(next.name, kept, to: &copy.bytes)
            }
        } else {
            guard let (width, height) = size(of: first) else { throw .broken }
            try copy.setSize(width, height)
            append(first.name, Array(first.data), to: &copy.bytes)
            isFilled = true
        }
        guard isFilled else { throw .broken }
        copy.bytes = Array("RIFF".utf8) + little(copy.bytes.count + 4) + Array("WEBP".utf8) + copy.bytes
        return copy
    }

    private struct Chunk {
        let name: String
        let data: ArraySlice<UInt8>
    }

    /// Nil at the end.
    private static func chunk(_ reader: inout ByteReader) throws(PictureFile.Fault) -> Chunk? {
        if reader.rest == 0 { return nil }
        guard let name = reader.take(4), let size = reader.little(4), let data = reader.take(size) else {
            throw .broken
        }
        // Behind an odd number stands a byte that counts for nothing; some leave it out at the end.
        if size % 2 == 1 { _ = reader.take(1) }
        return Chunk(name: String(decoding: name, as: UTF8.self), data: data)
    }

    private static func append(_ name: String, _ data: [UInt8], to bytes: inout [UInt8]) {
        bytes += Array(name.utf8) + little(data.count) + data
        if data.count % 2 == 1 { bytes.append(0) }
    }

    private static func little(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(number >> ($0 * 8) & 0xff) }
    }

    /// The head of a file with more than one chunk, without the marks for what is left out.
    private static func readHead(
        _ data: ArraySlice<UInt8>, _ copy: inout PictureCopy
    ) throws(PictureFile.Fault) -> [UInt8] {
        var reader = ByteReader(data)
        guard data.count == 10, let marks = reader.take(1)?.first, reader.take(3) != nil,
            let width = reader.little(3), let height = reader.little(3)
        else { throw .broken }
        try copy.setSize(width + 1, height + 1)
        let profile: UInt8 = 0x20
        let exif: UInt8 = 0x08
        let xmp: UInt8 = 0x04
        return [marks & ~(profile | exif | xmp), 0, 0, 0] + data.dropFirst(4)
    }

    /// What is copied of a chunk; nil for one that draws nothing.
    private static func kept(_ chunk: Chunk, _ isFilled: inout Bool) throws(PictureFile.Fault) -> [UInt8]? {
        switch chunk.name {
        case "ANIM", "ALPH": return Array(chunk.data)
        case "VP8 ", "VP8L":
            guard let (width, height) = size(of: chunk) else { throw .broken }
            try PictureCopy.check(width, height)
            isFilled = true
            return Array(chunk.data)
        case "ANMF": return try frame(chunk.data, &isFilled)
        // A second head would say something else than the first.
        case "VP8X": throw .broken
        default: return nil
        }
    }

    /// One picture of several.
    private static func frame(
        _ data: ArraySlice<UInt8>, _ isFilled: inout Bool
    ) throws(PictureFile.Fault) -> [UInt8] {
        var reader = ByteReader(data)
        guard let head = reader.take(16) else { throw .broken }
        var bytes = Array(head)
        while let chunk = try chunk(&reader) {
            guard chunk.name != "ANMF" else { throw .broken }
            if let kept = try kept(chunk, &isFilled) { append(chunk.name, kept, to: &bytes) }
        }
        return bytes
    }

    /// Of a chunk with the picture itself: RFC 6386, 9.1, or RFC 9649, 3.4.
    private static func size(of chunk: Chunk) -> (Int, Int)? {
        var reader = ByteReader(chunk.data)
        if chunk.name == "VP8 " {
            guard let mark = reader.take(3)?.first, mark & 1 == 0, reader.skip([0x9d, 0x01, 0x2a]),
                let width = reader.little(2), let height = reader.little(2)
            else { return nil }
            return (width & 0x3fff, height & 0x3fff)
        }
        guard chunk.name == "VP8L", reader.skip([0x2f]), let bits = reader.little(4) else { return nil }
        return ((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1)
    }
}
