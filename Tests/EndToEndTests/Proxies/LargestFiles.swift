import Foundation

/// The largest files that are taken, to the byte.
struct LargestFiles {
    /// 200,000,000 bytes, WAV.
    let sound: String
    /// 2,000,000 bytes, JPEG.
    let picture: String
    private let folder: String

    init() throws {
        folder =
            FileManager.default.temporaryDirectory.appendingPathComponent("largest-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        sound = folder + "/sound.wav"
        picture = folder + "/picture.jpg"
        try Self.write(sound: 200_000_000, to: sound)
        try Self.picture(2_000_000).write(to: URL(fileURLWithPath: picture))
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    /// A file of so many bytes that takes no room on the disk.
    func hole(_ bytes: Int) throws -> String {
        let path = "\(folder)/hole-\(bytes)"
        try RunningPortal.shell("truncate -s \(bytes) \(path)")
        return path
    }

    private static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// A tone of 16 bits in stereo, at the highest rate: four minutes.
    private static func write(sound size: Int, to path: String) throws {
        let (head, rate) = (44, 192_000)
        var file = Array("RIFF".utf8) + bytes(size - 8, 4) + Array("WAVEfmt ".utf8) + bytes(16, 4)
        file += bytes(1, 2) + bytes(2, 2) + bytes(rate, 4) + bytes(4 * rate, 4) + bytes(4, 2) + bytes(16, 2)
        file += Array("data".utf8) + bytes(size - head, 4)
        _ = FileManager.default.createFile(atPath: path, contents: Data(file))
        let second = Data(
            (0..<rate).flatMap { frame in
                let value = bytes(Int(8_000 * sin(2 * Double.pi * 440 * Double(frame) / Double(rate))), 2)
                return value + value
            })
        guard let handle = FileHandle(forWritingAtPath: path) else { throw CocoaError(.fileWriteUnknown) }
        try handle.seekToEnd()
        var left = size - head
        while left > 0 {
            try handle.write(contentsOf: second.prefix(left))
            left -= min(left, second.count)
        }
        try handle.close()
    }

    /// A small picture with comments behind its first mark.
    private static func picture(_ size: Int) throws -> Data {
        let small = try Data(
            contentsOf: URL(
                fileURLWithPath: RunningPortal.root + "/Tests/Fuzz/corpus/picture/progressive.jpeg"))
        var comments = Data()
        var left = size - small.count
        while left > 0 {
            // None of the comments may be left with less room than its own four bytes.
            let count = left > 65_000 + 4 ? 65_000 : left
            comments += [0xFF, 0xFE, UInt8((count - 2) >> 8), UInt8((count - 2) & 0xFF)]
            comments += Data(repeating: 0x20, count: count - 4)
            left -= count
        }
        return small.prefix(2) + comments + small.dropFirst(2)
    }
}
