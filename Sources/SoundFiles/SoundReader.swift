import CSndfile

/// Reads a sound file by libsndfile, only in the child made for it: decoders are where files do harm.
final class SoundReader {
    private let file: OpaquePointer
    let channels: Int
    let sampleRate: Int
    /// The length stated by the file; it may be false, or unknown.
    let toldFrames: Int

    /// `toldFrames` of a stream without a stated length.
    static let unknownLength = Int.max

    /// - Parameters:
    ///   - descriptor: closed with the reader.
    ///   - kind: from the first bytes; the decoder must agree.
    init(_ descriptor: Int32, _ kind: SoundKind) throws(SoundProblem) {
        var info = SF_INFO()
        guard let file = sf_open_fd(descriptor, Int32(SFM_READ.bits), &info, 1) else { throw .damaged }
        self.file = file
        channels = Int(info.channels)
        sampleRate = Int(info.samplerate)
        toldFrames = Int(info.frames)
        guard try Self.isPlayed(UInt32(bitPattern: info.format), kind) else { throw .damaged }
    }

    deinit { sf_close(file) }

    private static func isPlayed(_ format: UInt32, _ kind: SoundKind) throws(SoundProblem) -> Bool {
        let type = format & SF_FORMAT_TYPEMASK.bits
        let subtype = format & SF_FORMAT_SUBMASK.bits
        switch kind {
        case .flac: return type == SF_FORMAT_FLAC.bits
        case .vorbis: return type == SF_FORMAT_OGG.bits && subtype == SF_FORMAT_VORBIS.bits
        case .opus: return type == SF_FORMAT_OGG.bits && subtype == SF_FORMAT_OPUS.bits
        case .mp3: return type == SF_FORMAT_MPEG.bits && subtype == SF_FORMAT_MPEG_LAYER_III.bits
        case .wav:
            guard type == SF_FORMAT_WAV.bits || type == SF_FORMAT_WAVEX.bits else { return false }
            let played = [
                SF_FORMAT_PCM_U8, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24, SF_FORMAT_PCM_32, SF_FORMAT_FLOAT,
                SF_FORMAT_DOUBLE,
            ]
            guard played.contains(where: { $0.bits == subtype }) else { throw .encoding }
            return true
        }
    }

    /// Reads the next samples, interleaved.
    /// - Returns: how many of each channel; 0 at the end.
    func read(into samples: UnsafeMutableBufferPointer<Float>) -> Int {
        guard let start = samples.baseAddress else { return 0 }
        return Int(sf_readf_float(file, start, sf_count_t(samples.count / channels)))
    }

    /// Whether the decoder has failed.
    var hasFailed: Bool { sf_error(file) != 0 }

    /// The loudspeakers of the channels, if the file states them.
    var places: [LoudnessPlace] {
        var map = [Int32](repeating: 0, count: channels)
        let size = Int32(MemoryLayout<Int32>.size * channels)
        guard sf_command(file, Int32(SFC_GET_CHANNEL_MAP_INFO.bits), &map, size) == SF_TRUE.bits else {
            return []
        }
        return map.map { value in
            switch UInt32(bitPattern: value) {
            case SF_CHANNEL_MAP_LEFT.bits, SF_CHANNEL_MAP_FRONT_LEFT.bits: .left
            case SF_CHANNEL_MAP_RIGHT.bits, SF_CHANNEL_MAP_FRONT_RIGHT.bits: .right
            case SF_CHANNEL_MAP_CENTER.bits, SF_CHANNEL_MAP_FRONT_CENTER.bits, SF_CHANNEL_MAP_MONO.bits:
                .centre
            case SF_CHANNEL_MAP_REAR_LEFT.bits, SF_CHANNEL_MAP_SIDE_LEFT.bits: .leftSurround
            case SF_CHANNEL_MAP_REAR_RIGHT.bits, SF_CHANNEL_MAP_SIDE_RIGHT.bits: .rightSurround
            default: .uncounted
            }
        }
    }
}

/// Swift imports C's anonymous enumerations as types with such raw values.
extension RawRepresentable where RawValue == UInt32 {
    var bits: UInt32 { rawValue }
}

extension BinaryInteger {
    var bits: UInt32 { UInt32(truncatingIfNeeded: self) }
}
