/// Why a file is refused for the library. The raw value crosses the pipe between child and server.
public enum SoundProblem: String, Error, Sendable, CaseIterable {
    /// None of the formats, whatever its name.
    case notAudio = "not_audio"
    /// Name or claimed type belong to another format than the first bytes.
    case mismatch
    case noSamples = "no_samples"
    /// FLAC has tags of its own, and some players stop at another one before it.
    case tagBeforeFLAC = "tag_before_flac"
    /// As programs leave it behind that write a stream: the head says that nothing follows.
    case lengthMissing = "length_missing"
    case tooLarge = "too_large"
    case tooLong = "too_long"
    case tooManyChannels = "too_many_channels"
    case sampleRate = "sample_rate"
    /// One of the formats, in an encoding that browsers do not play.
    case encoding
    /// Broken behind a valid beginning.
    case damaged
    case loopOrder = "loop_order"
    case loopPastEnd = "loop_past_end"
    /// The file cannot be read, which is no fault of its bytes.
    case unreadable
    /// The decoder ended without an answer, or used more memory than allowed.
    case decoderFailed = "decoder_failed"
    case decoderTimedOut = "decoder_timed_out"

    /// For the command line; pages have texts of their own.
    public var sentence: String {
        switch self {
        case .notAudio: "this is neither FLAC, WAV, Ogg Vorbis, Opus nor MP3"
        case .mismatch: "the name says another format than the first bytes of the file"
        case .noSamples: "the file holds no sound"
        case .tagBeforeFLAC: "an ID3 tag stands before the FLAC; remove the tag, or save the sound again"
        case .lengthMissing: "the head of this WAV does not say how long it is; save the sound again"
        case .tooLarge: "the file is larger than \(SoundLimits.bytes / 1_000_000) MB"
        case .tooLong: "the sound is longer than \(SoundLimits.minutes) minutes"
        case .tooManyChannels: "the sound has more than \(SoundLimits.channels) channels"
        case .sampleRate:
            "the sample rate is not between \(SoundLimits.sampleRates.lowerBound) and \(SoundLimits.sampleRates.upperBound) Hz"
        case .encoding: "browsers do not play this encoding; PCM or float in WAV, or FLAC, are played by all"
        case .damaged: "the file is damaged"
        case .loopOrder: "the loop ends before it begins"
        case .loopPastEnd: "the loop ends past the end of the sound"
        case .unreadable: "the file cannot be read"
        case .decoderFailed: "reading the file made the decoder fail"
        case .decoderTimedOut: "measuring the file took too long"
        }
    }
}

public enum SoundLimits {
    public static let bytes = 200_000_000
    public static let minutes = 60
    /// As in a file of 5.1; headphones have two.
    public static let channels = 6
    public static let sampleRates = 8_000...192_000

    /// The longest sound that fits into a phone's memory when decoded.
    public static let gaplessSeconds = 60

    static func longest(at rate: Int) -> Int { minutes * 60 * rate }
}
