import CZlib
import Foundation

@testable import Pictures

/// Small pictures, made by hand.
enum PictureSample {
    static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + data
        return big(data.count, 4) + named + big(Int(crc32(0, named, UInt32(named.count))), 4)
    }

    static func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(number >> ($0 * 8) & 0xff) }
    }

    /// A black PNG, with other chunks in its middle.
    static func png(_ width: Int, _ height: Int, _ more: [UInt8] = []) -> [UInt8] {
        png(width, height, depth: 8, [UInt8](repeating: 0, count: height * (width + 1)), more)
    }

    /// Black and white by chance, a bit a pixel: what holds whole bytes a pixel is larger.
    static func noise(_ side: Int) -> [UInt8] {
        var state: UInt64 = 35
        let row = { () -> [UInt8] in
            [0]
                + (0..<side / 8).map { _ in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return UInt8(truncatingIfNeeded: state >> 56)
                }
        }
        return png(side, side, depth: 1, (0..<side).flatMap { _ in row() })
    }

    private static func png(
        _ width: Int, _ height: Int, depth: UInt8, _ pixels: [UInt8], _ more: [UInt8] = []
    ) -> [UInt8] {
        var length = compressBound(UInt(pixels.count))
        var packed = [UInt8](repeating: 0, count: Int(length))
        compress(&packed, &length, pixels, UInt(pixels.count))
        return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
            + chunk("IHDR", big(width, 4) + big(height, 4) + [depth, 0, 0, 0, 0]) + more
            + chunk("IDAT", Array(packed.prefix(Int(length)))) + chunk("IEND", [])
    }

    /// What the portal makes of a picture.
    static func drawn(_ file: [UInt8]) -> [UInt8] { (try? PictureFile(drawing: file))?.bytes ?? [] }

    /// One that the portal leaves as it is.
    static let png = drawn(png(1, 1))

    /// A grey JPEG of one pixel, whose head says another size.
    static func jpeg(_ width: Int, _ height: Int, _ more: [UInt8] = []) -> [UInt8] {
        var bytes = Array(Data(base64Encoded: pixel) ?? Data())
        guard let frame = bytes.indices.first(where: { bytes[$0...].starts(with: [0xff, 0xc0]) }) else {
            return []
        }
        bytes.replaceSubrange((frame + 5)..<(frame + 9), with: big(height, 2) + big(width, 2))
        return Array(bytes.prefix(2)) + more + bytes.dropFirst(2)
    }

    private static let pixel =
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeX"
        + "BkeFxlZ2P/wAALCAABAAEBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIh"
        + "MUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhI"
        + "WGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/ACv/"
        + "2Q=="
}
