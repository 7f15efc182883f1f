/// Which side of a photograph is up (TIFF 6, tag 274): phones turn the camera's picture by this number alone, which TurboJPEG does
/// not read.
enum JPEGOrientation {
    /// A segment of EXIF that says this and nothing else; nil where the file says nothing of it, or that it is upright.
    static func segment(of file: [UInt8]) -> [UInt8]? {
        guard let side = find(in: file), (2...8).contains(side) else { return nil }
        let directory: [UInt8] = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(side), 0, 0, 0, 0, 0, 0]
        return [0xff, 0xe1, 0, 34] + Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8] + directory
    }

    /// Goes through the segments before the first scan.
    private static func find(in file: [UInt8]) -> Int? {
        var place = 2
        while let mark = number(file, at: place, 2), mark >= 0xffc0, mark != 0xffda {
            // Any number of ones may stand before a mark.
            if mark == 0xffff {
                place += 1
                continue
            }
            guard let length = number(file, at: place + 2, 2), length >= 2 else { return nil }
            let data = file.dropFirst(place + 4).prefix(length - 2)
            if mark == 0xffe1, data.starts(with: Array("Exif\0\0".utf8)) {
                return orientation(Array(data.dropFirst(6)))
            }
            place += 2 + length
        }
        return nil
    }

    private static func orientation(_ exif: [UInt8]) -> Int? {
        let isLittle = exif.starts(with: Array("II".utf8))
        guard isLittle || exif.starts(with: Array("MM".utf8)),
            let start = number(exif, at: 4, 4, isLittle), let count = number(exif, at: start, 2, isLittle)
        else { return nil }
        for index in 0..<count {
            let entry = start + 2 + index * 12
            guard let tag = number(exif, at: entry, 2, isLittle) else { return nil }
            if tag != 274 { continue }
            guard number(exif, at: entry + 2, 2, isLittle) == 3, number(exif, at: entry + 4, 4, isLittle) == 1
            else {
                return nil
            }
            return number(exif, at: entry + 8, 2, isLittle)
        }
        return nil
    }

    /// A whole number of up to four bytes; nil where they are not there.
    private static func number(_ bytes: [UInt8], at place: Int, _ count: Int, _ isLittle: Bool = false)
        -> Int?
    {
        guard place >= 0, place <= bytes.count - count else { return nil }
        let part = bytes[place..<place + count]
        return isLittle
            ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
    }
}
