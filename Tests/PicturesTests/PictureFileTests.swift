import CTurboJPEG
import CWebP
import CZlib
import Dispatch
import Foundation
import Testing

@testable import Pictures
@testable import SoundFiles

/// Pictures lose what they tell besides, and are drawn anew by a child.
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

    /// In this process: the decoders are the same.
    private func fault(_ file: [UInt8]) -> PictureFile.Fault? {
        do {
            _ = try PictureFile(drawing: file)
            return nil
        } catch { return error }
    }

    @Test(arguments: names) func `a picture of any kind is drawn anew by the child, and so is what was drawn`(
        name: String
    ) throws {
        let read = try PictureFile(try Self.file(name))
        #expect(read.width == 24 && read.height == 16)
        #expect(name.hasSuffix("." + read.kind.rawValue.dropFirst("image/".count)))
        let again = try PictureFile(read.bytes)
        #expect(again.kind == read.kind && again.width == 24 && again.height == 16)
        #expect(try PictureFile(drawing: Self.file(name)) == read)
    }

    @Test(arguments: ["texts.png", "turned.jpeg", "lossy.webp", "moving.webp"])
    func `place, author, programs and profiles are left out`(name: String) throws {
        let file = try Self.file(name)
        let told = ["Uma Berger", "xmpmeta", "place", "acsp"]
        let text = String(decoding: file, as: UTF8.self)
        #expect(told.contains { text.contains($0) })
        let rest = String(decoding: try PictureFile(drawing: file).bytes, as: UTF8.self)
        #expect(told.allSatisfy { !rest.contains($0) })
        #expect(!rest.contains("ICCP") && !rest.contains("EXIF") && !rest.contains("iCCP"))
    }

    @Test func `what is behind the end is left out too`() throws {
        for name in Self.names {
            let file = try Self.file(name)
            let plain = try PictureFile(drawing: file)
            #expect(try PictureFile(drawing: file + Array("and a film".utf8)) == plain, "\(name)")
        }
    }

    /// Phones turn the camera's picture by this number alone.
    @Test func `a photograph stays upright`() throws {
        let left = try PictureFile(drawing: try Self.file("turned.jpeg")).bytes
        let directory: [UInt8] = [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
        #expect(left.starts(with: [0xff, 0xd8, 0xff, 0xe1, 0, 34] + Array("Exif\0\0MM\0*".utf8) + directory))
        #expect(try PictureFile(drawing: left).bytes.starts(with: left.prefix(38)))
    }

    @Test(
        arguments: [
            [], [0xff, 0xe1, 0], [0xff, 0xe1, 0, 1], [0xff, 0xe1, 0, 8] + Array("Exif\0\0".utf8),
            [0xff, 0xe1, 0, 18] + Array("Exif\0\0MM\0*".utf8) + [0xff, 0xff, 0xff, 0xff, 0, 0],
            // Sixty thousand entries that are not there.
            [0xff, 0xe1, 0, 18] + Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0, 0xff, 0xff],
            // A side that there is not.
            [0xff, 0xe1, 0, 34] + Array("Exif\0\0MM\0*".utf8) + [
                0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 9, 0, 0, 0, 0, 0, 0,
            ],
        ] as [[UInt8]])
    func `what says no side that there is leaves it out`(_ segment: [UInt8]) {
        #expect(JPEGOrientation.segment(of: [0xff, 0xd8] + segment) == nil)
    }

    @Test(arguments: names) func `one that is cut off anywhere is refused or drawn`(name: String) throws {
        let file = try Self.file(name)
        for count in 0..<file.count {
            let cut = Array(file[..<count])
            guard let read = try? PictureFile(drawing: cut) else { continue }
            #expect(read.width == 24 && read.height == 16 && fault(read.bytes) == nil)
        }
    }

    @Test(arguments: names) func `one that is changed anywhere is refused or drawn`(name: String) throws {
        let file = try Self.file(name)
        var numbers = SeededNumbers(seed: 7)
        for _ in 0..<300 {
            var changed = file
            for _ in 0..<4 {
                changed[Int(numbers.next() % UInt64(file.count))] = UInt8(truncatingIfNeeded: numbers.next())
            }
            guard let read = try? PictureFile(drawing: changed) else { continue }
            #expect((1...4096).contains(read.width) && (1...4096).contains(read.height))
        }
    }

    @Test func `sizes are limited wherever they stand`() throws {
        var png = try Self.file("texts.png")
        png.replaceSubrange(16..<20, with: [0, 0, 0x10, 1])
        // A changed head needs the sum that belongs to it.
        png.replaceSubrange(29..<33, with: HostilePNG.sum(Array(png[12..<29])))
        #expect(fault(png) == .tooLarge)
        var lossless = try Self.file("lossless.webp")
        lossless.replaceSubrange(21..<23, with: [0, 0xd0])
        #expect(fault(lossless) == .tooLarge)
        // A head that says more than the picture in it.
        var lossy = try Self.file("lossy.webp")
        lossy.replaceSubrange(24..<27, with: [0, 0x10, 0])
        #expect(fault(lossy) == .broken)
        var photograph = try Self.file("progressive.jpeg")
        let frame = try #require(photograph.indices.first { photograph[$0...].starts(with: [0xff, 0xc2]) })
        photograph.replaceSubrange((frame + 7)..<(frame + 9), with: [0x10, 1])
        #expect(fault(photograph) == .tooLarge)
        // A head that says less than the picture in it.
        var inside = try Self.file("lossy.webp")
        let key = try #require(inside.indices.first { inside[$0...].starts(with: [0x9d, 0x01, 0x2a]) })
        inside.replaceSubrange((key + 3)..<(key + 5), with: [1, 0x10])
        #expect(fault(inside) == .broken)
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

    @Test func `a child that says nothing, or what cannot be, makes it a damaged one`() throws {
        let file = try Self.file("palette.png")
        for program in ["/bin/true", "/bin/false", "/bin/echo"] {
            #expect(throws: PictureFile.Fault.broken) { try PictureFile(file, by: program) }
        }
    }

    @Test func `where no child can be started, nothing is said of the picture`() throws {
        let file = try Self.file("palette.png")
        #expect(throws: PictureFile.Fault.unavailable) { try PictureFile(file, by: "/nothing/there") }
    }

    @Test func `a picture waits for its turn, and the server says so where none comes`() throws {
        let file = try Self.file("palette.png")
        let turns = DispatchSemaphore(value: 0)
        #expect(throws: PictureFile.Fault.unavailable) {
            try PictureScan.answer(file, by: "/bin/echo", turns: turns, wait: .milliseconds(1))
        }
        DispatchQueue.global().async { turns.signal() }
        let said = try PictureScan.answer(file, by: "/bin/echo", turns: turns)
        #expect(said == Array("picture-scan\n".utf8))
        // The turn is there again for the next.
        #expect(turns.wait(timeout: .now()) == .success)
    }

    @Test func `sixteen bits become eight of the same colour`() throws {
        // One line without a filter, one pixel.
        let line: [UInt8] = [0, 0x80, 0x80, 0x40, 0x40, 0x20, 0x20]
        let drawn = try PictureFile(
            drawing: HostilePNG.file(1, 1, depth: 16, colour: 2, data: HostilePNG.packed(line)))
        #expect(HostilePNG.line(of: drawn.bytes).suffix(3) == [0x80, 0x40, 0x20])
    }

    @Test func `bytes between two segments do not make a photograph a broken one`() throws {
        var file = HostileJPEG.file([UInt8](repeating: 90, count: 24 * 24 * 3), 24, progressive: false)
        // Behind the begin and the first segment, which is always as long.
        file.insert(contentsOf: [0, 0x11], at: 20)
        #expect(try PictureFile(drawing: file).width == 24)
    }
}

/// Files that are made to do harm.
@Suite struct HostilePictureTests {
    /// By the child, and how long it took.
    private func draw(_ file: [UInt8]) -> (fault: PictureFile.Fault?, width: Int?) {
        do {
            return (nil, try PictureFile(file).width)
        } catch { return (error, nil) }
    }

    @Test func `the largest picture of each kind is drawn within the child's limits`() throws {
        let side = 4096
        let png = HostilePNG.file(side, side, colour: 6, data: HostilePNG.packed(side * (side * 4 + 1)))
        #expect(draw(png).width == side)
        var pixels = [UInt8](repeating: 200, count: side * side * 3)
        for index in stride(from: 0, to: pixels.count, by: 7) {
            pixels[index] = UInt8(truncatingIfNeeded: index &* 31)
        }
        #expect(draw(HostileJPEG.file(pixels, side, progressive: true)).width == side)
    }

    @Test func `texts and profiles that unpack to a hundred megabytes do no harm`() throws {
        let bomb = HostilePNG.packed(100 << 20)
        #expect(bomb.count < 200_000)
        let profile = HostilePNG.chunk("iCCP", Array("p\0\0".utf8) + bomb)
        let text = HostilePNG.chunk("zTXt", Array("t\0\0".utf8) + bomb)
        for more in [profile, text, profile + text + text] {
            let file = HostilePNG.file(1, 1, colour: 0, data: HostilePNG.packed(2), more: more)
            let drawn = draw(file)
            #expect(drawn.width == 1 || drawn.fault == .broken)
        }
    }

    @Test
    func `a picture that unpacks to more or less than its head says is drawn as far as it says, or refused`()
    {
        let large = draw(HostilePNG.file(1, 1, colour: 0, data: HostilePNG.packed(100 << 20)))
        #expect(large.width == 1 || large.fault == .broken)
        #expect(draw(HostilePNG.file(4096, 4096, colour: 6, data: HostilePNG.packed(100))).fault == .broken)
    }

    @Test(arguments: [0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0])
    func `a head that lies about its size is refused`(_ width: Int) {
        #expect(draw(HostilePNG.file(width, 1, colour: 0, data: HostilePNG.packed(2))).fault == .broken)
    }

    @Test func `a chunk that is longer than the file is refused`() {
        var file = HostilePNG.file(1, 1, colour: 0, data: HostilePNG.packed(2))
        file[33] = 0x7f
        #expect(draw(file).fault == .broken)
    }

    @Test func `a JPEG of thousands of scans is refused before they are all read`() throws {
        let plain = HostileJPEG.file([UInt8](repeating: 90, count: 1024 * 1024 * 3), 1024, progressive: true)
        // The last scan again and again.
        let last = try #require(plain.indices.dropLast().last { plain[$0] == 0xff && plain[$0 + 1] == 0xda })
        let scan = Array(plain[last..<plain.count - 2])
        let many =
            Array(plain.dropLast(2)) + Array(repeating: scan, count: 3000).flatMap(\.self) + [0xff, 0xd9]
        let began = ContinuousClock.now
        #expect(draw(many).fault == .broken)
        #expect(ContinuousClock.now - began < .seconds(60))
    }

    private static let noise: [UInt8] = {
        var numbers = SeededNumbers(seed: 7)
        return (0..<256 * 256 * 3).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
    }()

    @Test(arguments: [(50, 1.4), (70, 1.1), (88, 1.05), (95, 1)])
    func `a photograph of little quality does not become twice as large`(_ quality: Int32, _ most: Double)
        throws
    {
        for file in [
            HostileJPEG.file(Self.noise, 256, quality: quality, progressive: false),
            HostileWebP.file(Self.noise, 256, quality: quality),
        ] {
            let drawn = try PictureFile(drawing: file)
            let share = Double(drawn.bytes.count) / Double(file.count)
            #expect(share <= most, "\(drawn.kind): \(share)")
        }
    }

    @Test func `more bytes than are looked at are refused`() throws {
        let file = try PictureFileTests.file("palette.png") + [UInt8](repeating: 0, count: 16 << 20)
        #expect(throws: PictureFile.Fault.broken) { try PictureFile(file) }
    }
}

/// PNG files, piece by piece.
enum HostilePNG {
    static func file(
        _ width: Int, _ height: Int, depth: UInt8 = 8, colour: UInt8, data: [UInt8], more: [UInt8] = []
    ) -> [UInt8] {
        [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
            + chunk("IHDR", big(width) + big(height) + [depth, colour, 0, 0, 0]) + more + chunk("IDAT", data)
            + chunk("IEND", [])
    }

    static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + data
        return big(data.count) + named + sum(named)
    }

    static func sum(_ named: [UInt8]) -> [UInt8] { big(Int(crc32(0, named, UInt32(named.count)))) }

    static func big(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - $0 * 8)) }
    }

    /// Noughts, packed.
    static func packed(_ count: Int) -> [UInt8] { packed([UInt8](repeating: 0, count: count)) }

    static func packed(_ plain: [UInt8]) -> [UInt8] {
        var length = compressBound(UInt(plain.count))
        var bytes = [UInt8](repeating: 0, count: Int(length))
        compress(&bytes, &length, plain, UInt(plain.count))
        return Array(bytes.prefix(Int(length)))
    }

    /// The unpacked data of a picture of one line, its filter first.
    static func line(of file: [UInt8]) -> [UInt8] {
        guard let data = file.indices.first(where: { file[$0...].starts(with: Array("IDAT".utf8)) }) else {
            return []
        }
        let packed = Array(file[(data + 4)...])
        var length: UInt = 64
        var plain = [UInt8](repeating: 0, count: 64)
        uncompress(&plain, &length, packed, UInt(packed.count))
        return Array(plain.prefix(Int(length)))
    }
}

enum HostileJPEG {
    static func file(_ pixels: [UInt8], _ side: Int, quality: Int32 = 80, progressive: Bool) -> [UInt8] {
        guard let writer = tjInitCompress() else { return [] }
        defer { tjDestroy(writer) }
        var output: UnsafeMutablePointer<UInt8>?
        var length: UInt = 0
        defer { tjFree(output) }
        tjCompress2(
            writer, pixels, Int32(side), 0, Int32(side), Int32(TJPF_RGB.rawValue), &output, &length,
            Int32(TJSAMP_420.rawValue), quality, progressive ? Int32(TJFLAG_PROGRESSIVE) : 0)
        return Array(UnsafeBufferPointer(start: output, count: Int(length)))
    }
}

enum HostileWebP {
    /// With losses.
    static func file(_ pixels: [UInt8], _ side: Int32, quality: Int32) -> [UInt8] {
        var output: UnsafeMutablePointer<UInt8>?
        defer { WebPFree(output) }
        let length = WebPEncodeRGB(pixels, side, side, side * 3, Float(quality), &output)
        return Array(UnsafeBufferPointer(start: output, count: length))
    }
}
