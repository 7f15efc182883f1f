import CSndfile
import Foundation

@testable import SoundFiles

/// Sound files made for a test, in a folder that goes with it.
final class SoundSample {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sounds-\(UUID().uuidString)")
        .path

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The program beside the tests.
    static let scan = SoundScan()

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    /// A sine on all channels, as a WAV file of floats whose head may lie.
    static func wav(
        seconds: Double = 1, hertz: Double = 440, level: Double = -20, channels: Int = 1, rate: Int = 48_000,
        toldRate: Int? = nil, format: UInt16 = 3, bits: UInt16 = 32
    ) -> [UInt8] {
        let frames = Int(seconds * Double(rate))
        let samples = sine(frames: frames, hertz: hertz, level: level, channels: channels, rate: rate)
        return wav(samples, channels: channels, rate: toldRate ?? rate, format: format, bits: bits)
    }

    static func wav(
        _ samples: [Float], channels: Int, rate: Int, format: UInt16 = 3, bits: UInt16 = 32
    ) -> [UInt8] {
        let data = samples.withUnsafeBytes { Array($0) }
        return head(dataLength: data.count, channels: channels, rate: rate, format: format, bits: bits) + data
    }

    static func head(dataLength: Int, channels: Int, rate: Int, format: UInt16, bits: UInt16) -> [UInt8] {
        func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        let block = UInt16(channels) * (bits / 8)
        return Array("RIFF".utf8) + little(UInt32(36 + dataLength)) + Array("WAVEfmt ".utf8)
            + little(UInt32(16))
            + little(format) + little(UInt16(channels)) + little(UInt32(rate))
            + little(UInt32(truncatingIfNeeded: rate * Int(block))) + little(block) + little(bits)
            + Array("data".utf8) + little(UInt32(dataLength))
    }

    static func sine(frames: Int, hertz: Double, level: Double, channels: Int, rate: Int) -> [Float] {
        let height = pow(10, level / 20)
        return (0..<frames).flatMap { index in
            let sample = Float(height * sin(2 * Double.pi * hertz * Double(index) / Double(rate)))
            return [Float](repeating: sample, count: channels)
        }
    }

    /// The same sine, two seconds, as each of the formats; written by the library that others use as well.
    func file(_ kind: SoundKind, named name: String? = nil, channels: Int = 2, seconds: Double = 2) throws
        -> String
    {
        let path = path(name ?? "sine-\(channels).\(kind.fileExtension)")
        let rate = 48_000
        let format: UInt32 =
            switch kind {
            case .flac: SF_FORMAT_FLAC.bits | SF_FORMAT_PCM_16.bits
            case .wav: SF_FORMAT_WAV.bits | SF_FORMAT_PCM_16.bits
            case .vorbis: SF_FORMAT_OGG.bits | SF_FORMAT_VORBIS.bits
            case .opus: SF_FORMAT_OGG.bits | SF_FORMAT_OPUS.bits
            case .mp3: SF_FORMAT_MPEG.bits | SF_FORMAT_MPEG_LAYER_III.bits
            }
        let samples = Self.sine(
            frames: Int(seconds * Double(rate)), hertz: 1000, level: -20, channels: channels, rate: rate)
        try Self.write(samples, format: format, channels: channels, rate: rate, to: path)
        return path
    }

    static func write(_ samples: [Float], format: UInt32, channels: Int, rate: Int, to path: String) throws {
        var info = SF_INFO()
        info.samplerate = Int32(rate)
        info.channels = Int32(channels)
        info.format = Int32(format)
        guard let file = sf_open(path, Int32(SFM_WRITE.bits), &info) else { throw SoundProblem.unreadable }
        let frames = samples.count / channels
        // Vorbis takes no long piece at once.
        for start in stride(from: 0, to: frames, by: 4096) {
            let part = Array(samples[start * channels..<min(start + 4096, frames) * channels])
            sf_writef_float(file, part, sf_count_t(part.count / channels))
        }
        sf_close(file)
    }
}

/// Runs what has to fail.
func problem(_ body: () throws -> SoundMeasure) -> SoundProblem? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? SoundProblem
    }
}
