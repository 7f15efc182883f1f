import Files
import Foundation
import Testing

/// Pictures lose what they tell besides, and keep what draws them.
@Suite struct PictureFileTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fuzz/corpus/picture")

    static func file(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    static let names = [
        "cmyk.jpeg", "lossless.webp", "lossy.webp", "moving.png", "moving.webp", "palette.png",
        "progressive.jpeg", "texts.png", "turned.jpeg",
    ]

    @Test(arguments: names) func `a picture of any kind is read, and reading it again changes nothing`(
        name: String
    ) throws {
        let read = try PictureFile(try Self.file(name))
        #expect(read.width == 24 && read.height == 16)
        #expect(name.hasSuffix("." + read.kind.rawValue.dropFirst("image/".count)))
        #expect(try PictureFile(read.bytes) == read)
    }

    @Test(arguments: ["texts.png", "turned.jpeg", "lossy.webp", "moving.webp"])
    func `place, author, programs and profiles are left out`(name: String) throws {
        let file = try Self.file(name)
        let told = ["Uma Berger", "xmpmeta", "place", "acsp"]
        let text = String(decoding: file, as: UTF8.self)
        #expect(told.contains { text.contains($0) })
        let left = try PictureFile(file).bytes
        #expect(left.count < file.count)
        let rest = String(decoding: left, as: UTF8.self)
        #expect(told.allSatisfy { !rest.contains($0) })
        #expect(!rest.contains("ICCP") && !rest.contains("EXIF") && !rest.contains("iCCP"))
    }

    @Test func `what is behind the end is left out too`() throws {
        for name in Self.names {
            let file = try Self.file(name)
            let plain = try PictureFile(file)
            #expect(try PictureFile(file + Array("and a film".utf8)) == plain, "\(name)")
        }
    }

    /// Phones turn the camera's picture by this number alone.
    @Test func `a photograph stays upright`() throws {
        let left = try PictureFile(try Self.file("turned.jpeg")).bytes
        let start = try #require(
            left.indices.first { left[$0...].starts(with: Array("Exif\0\0MM\0*".utf8)) })
        let directory: [UInt8] = [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
        #expect(Array(left[(start + 10)..<(start + 32)]) == directory)
        #expect(Array(left[(start - 4)..<start]) == [0xff, 0xe1, 0, 34])
    }

    @Test func `a small picture in a picture is left out`() throws {
        let file = try Self.file("progressive.jpeg")
        // JFIF with a preview of one pixel.
        let preview: [UInt8] =
            [0xff, 0xe0, 0, 19] + Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 1, 1, 9, 9, 9]
        let told = [0xff, 0xd8] + preview + file.dropFirst(2)
        let left = try PictureFile(told).bytes
        #expect(left.starts(with: [0xff, 0xd8, 0xff, 0xe0, 0, 16]))
        #expect(Array(left[6..<20]) == Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
    }

    @Test(arguments: names) func `one that is cut off anywhere is refused or read, and never more`(
        name: String
    )
        throws
    {
        let file = try Self.file(name)
        for count in 0..<file.count {
            let cut = Array(file[..<count])
            guard let read = try? PictureFile(cut) else { continue }
            #expect(read.bytes.count <= count + 2)
            #expect(try PictureFile(read.bytes) == read)
        }
    }

    @Test func `sizes are limited wherever they stand`() throws {
        // The place of a width in each kind, and its bytes for 4,097 pixels.
        for (name, place, bytes) in [
            ("texts.png", 16, [UInt8](arrayLiteral: 0, 0, 0x10, 1)), ("lossy.webp", 24, [0, 0x10, 0]),
            ("lossless.webp", 21, [0, 0xd0]),
        ] {
            var file = try Self.file(name)
            file.replaceSubrange(place..<(place + bytes.count), with: bytes)
            #expect(throws: PictureFile.Fault.tooLarge) { try PictureFile(file) }
        }
        var photograph = try Self.file("progressive.jpeg")
        let frame = try #require(photograph.indices.first { photograph[$0...].starts(with: [0xff, 0xc2]) })
        photograph.replaceSubrange((frame + 7)..<(frame + 9), with: [0x10, 1])
        #expect(throws: PictureFile.Fault.tooLarge) { try PictureFile(photograph) }
        // A head that says less than the picture in it.
        var inside = try Self.file("lossy.webp")
        let key = try #require(inside.indices.first { inside[$0...].starts(with: [0x9d, 0x01, 0x2a]) })
        inside.replaceSubrange((key + 3)..<(key + 5), with: [1, 0x10])
        #expect(throws: PictureFile.Fault.tooLarge) { try PictureFile(inside) }
    }

    @Test func `what is no picture is told from one that is damaged`() {
        for none in [
            [], Array("<svg/>".utf8), Array("RIFF____WAVE".utf8), Array("GIF89a".utf8), [0xff, 0xd8],
        ] {
            #expect(throws: PictureFile.Fault.unknown) { try PictureFile(none) }
        }
        for damaged in [
            Array("RIFF____WEBP".utf8), [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
            [0xff, 0xd8, 0xff, 0xd9],
        ] {
            #expect(throws: PictureFile.Fault.broken) { try PictureFile(damaged) }
        }
    }
}
