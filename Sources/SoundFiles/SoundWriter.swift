import CSndfile

/// Writes samples as a FLAC file of 16 bits.
enum SoundWriter {
    struct Failure: Error, CustomStringConvertible {
        let path: String
        var description: String { "\(path) cannot be written" }
    }

    /// - Parameter samples: interleaved.
    static func writeFLAC(_ samples: [Float], channels: Int, rate: Int, to path: String) throws(Failure) {
        var info = SF_INFO()
        info.samplerate = Int32(rate)
        info.channels = Int32(channels)
        info.format = Int32(SF_FORMAT_FLAC.bits | SF_FORMAT_PCM_16.bits)
        guard let file = sf_open(path, Int32(SFM_WRITE.bits), &info) else { throw Failure(path: path) }
        let frames = sf_count_t(samples.count / channels)
        let written = sf_writef_float(file, samples, frames)
        guard sf_close(file) == 0, written == frames else { throw Failure(path: path) }
    }
}
