/// Small pictures, made by hand.
enum PictureSample {
    static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        big(data.count, 4) + Array(name.utf8) + data + [0, 0, 0, 0]
    }

    static func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(number >> ($0 * 8) & 0xff) }
    }

    /// As small as a PNG can be, with other chunks in its middle.
    static func png(_ width: Int, _ height: Int, _ more: [UInt8] = []) -> [UInt8] {
        [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
            + chunk("IHDR", big(width, 4) + big(height, 4) + [8, 0, 0, 0, 0]) + more
            + chunk("IDAT", [0, 0xff, 13, 10, 45, 45]) + chunk("IEND", [])
    }

    static let png = png(1, 1)

    static func jpeg(_ width: Int, _ height: Int, _ more: [UInt8] = []) -> [UInt8] {
        [0xff, 0xd8] + more + [0xff, 0xc0, 0, 11, 8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0]
            + [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0xff, 0, 0x34, 0xff, 0xd0, 0x56, 0xff, 0xd9]
    }
}
