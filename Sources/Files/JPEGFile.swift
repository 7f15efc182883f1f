/// The segments of a JPEG file (ITU T.81, annex B).
enum JPEGFile {
    private static let start: UInt8 = 0xd8
    private static let end: UInt8 = 0xd9
    private static let scan: UInt8 = 0xda
    /// Tables, restart intervals, and the number of lines.
    private static let tables: Set<UInt8> = [0xc4, 0xcc, 0xda, 0xdb, 0xdc, 0xdd]
    /// Heads of frames; three codes between them mean something else.
    private static let frames = Set(UInt8(0xc0)...0xcf).subtracting([0xc4, 0xc8, 0xcc])

    /// What is behind the first two bytes.
    static func copy(_ reader: inout ByteReader) throws(PictureFile.Fault) -> PictureCopy {
        var copy = PictureCopy([0xff, start])
        var hasScan = false
        var hasOrientation = false
        while let code = try marker(&reader), code != end {
            guard let length = reader.big(2), length >= 2, let data = reader.take(length - 2) else {
                throw .broken
            }
            if frames.contains(code) {
                guard copy.width == 0 else { throw .broken }
                try readFrame(data, &copy)
                append(code, Array(data), to: &copy)
            } else if tables.contains(code) {
                append(code, Array(data), to: &copy)
            } else if let kept = application(code, data, &hasOrientation) {
                append(code, kept, to: &copy)
            }
            if code == scan {
                guard copy.width > 0 else { throw .broken }
                hasScan = true
                copy.bytes += coded(&reader)
            }
        }
        // One that was cut off is drawn as far as it goes.
        guard hasScan else { throw .broken }
        copy.bytes += [0xff, end]
        return copy
    }

    private static func append(_ code: UInt8, _ data: [UInt8], to copy: inout PictureCopy) {
        let length = data.count + 2
        copy.bytes += [0xff, code, UInt8(length >> 8 & 0xff), UInt8(length & 0xff)] + data
    }

    /// The code behind one or more bytes of ones; nil at the end.
    private static func marker(_ reader: inout ByteReader) throws(PictureFile.Fault) -> UInt8? {
        guard reader.rest > 0 else { return nil }
        guard reader.skip([0xff]) else { throw .broken }
        while reader.skip([0xff]) {}
        guard let code = reader.take(1)?.first else { return nil }
        guard code >= 0xc0, code != start, !isCoded(code) else { throw .broken }
        return code
    }

    private static func readFrame(
        _ data: ArraySlice<UInt8>, _ copy: inout PictureCopy
    ) throws(PictureFile.Fault) {
        var reader = ByteReader(data)
        guard reader.take(1) != nil, let height = reader.big(2), let width = reader.big(2) else {
            throw .broken
        }
        try copy.setSize(width, height)
    }

    /// The coded bytes of a scan: up to a marker that is no part of them.
    private static func coded(_ reader: inout ByteReader) -> ArraySlice<UInt8> {
        var ahead = reader
        guard let rest = ahead.take(reader.rest) else { return [] }
        var last = rest.startIndex
        while last < rest.endIndex {
            let next = last + 1
            if rest[last] == 0xff, next == rest.endIndex || !isCoded(rest[next]) { break }
            last = next
        }
        return reader.take(last - rest.startIndex) ?? []
    }

    /// Whether a byte behind one of ones belongs to what is coded: a stuffed nought, or a restart.
    private static func isCoded(_ byte: UInt8) -> Bool { byte == 0 || (0xd0...0xd7).contains(byte) }

    // MARK: What programs have added

    /// What is kept of it: that it is JFIF, how its colours are meant, and which side is up.
    private static func application(
        _ code: UInt8, _ data: ArraySlice<UInt8>, _ hasOrientation: inout Bool
    ) -> [UInt8]? {
        var reader = ByteReader(data)
        switch code {
        case 0xe0 where reader.skip(Array("JFIF\0".utf8)):
            // Version and density; the small picture that may follow is left out.
            return reader.take(7).map { Array("JFIF\0".utf8) + $0 + [0, 0] }
        case 0xee where reader.skip(Array("Adobe".utf8)):
            return reader.take(7).map { Array("Adobe".utf8) + $0 }
        case 0xe1 where !hasOrientation && reader.skip(Array("Exif\0\0".utf8)):
            guard let side = orientation(&reader), (2...8).contains(side) else { return nil }
            hasOrientation = true
            let directory: [UInt8] = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(side), 0, 0, 0, 0, 0, 0]
            return Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8] + directory
        default: return nil
        }
    }

    /// Which side is up (TIFF 6, tag 274): phones turn the camera's picture by this number alone.
    private static func orientation(_ reader: inout ByteReader) -> Int? {
        let isLittle = reader.starts(with: Array("II".utf8))
        guard isLittle || reader.starts(with: Array("MM".utf8)), let all = reader.take(reader.rest) else {
            return nil
        }
        var directory = ByteReader(all)
        let number = { (reader: inout ByteReader, count: Int) in
            isLittle ? reader.little(count) : reader.big(count)
        }
        guard directory.take(4) != nil, let offset = number(&directory, 4), offset >= 8,
            directory.take(offset - 8) != nil, let count = number(&directory, 2)
        else { return nil }
        for _ in 0..<count {
            guard let tag = number(&directory, 2), let type = number(&directory, 2),
                let values = number(&directory, 4), let value = number(&directory, 2),
                directory.take(2) != nil
            else { return nil }
            if tag == 274 { return type == 3 && values == 1 ? value : nil }
        }
        return nil
    }
}
