public import JSON

/// The measurements of a sound, taken once before it is kept.
public struct SoundMeasure: Sendable, Equatable, Encodable {
    public let kind: SoundKind
    public let bytes: Int
    /// Samples of one channel.
    public let frames: Int
    public let sampleRate: Int
    public let channels: Int
    /// Integrated, after EBU R128; nil for silence and for sounds shorter than one block of 400 ms.
    public let loudness: Double?
    /// In dB over full scale; nil for digital silence.
    public let truePeak: Double?
    /// For the upload page: at most `Waveform.pairs` slices, the lowest and the highest sample of each, in 127ths.
    public let waveform: [[Int]]

    public init(
        kind: SoundKind, bytes: Int, frames: Int, sampleRate: Int, channels: Int, loudness: Double?,
        truePeak: Double?, waveform: [[Int]]
    ) {
        self.kind = kind
        self.bytes = bytes
        self.frames = frames
        self.sampleRate = sampleRate
        self.channels = channels
        self.loudness = loudness
        self.truePeak = truePeak
        self.waveform = waveform
    }

    public var mediaType: String { kind.mediaType }

    public var lengthMilliseconds: Int { (frames * 1000 + sampleRate / 2) / sampleRate }

    public var isGapless: Bool { kind.isGapless }

    /// Whether players, who decode into memory for it, can loop it without a gap.
    public var loopsWithoutGap: Bool {
        isGapless && lengthMilliseconds <= SoundLimits.gaplessSeconds * 1000
    }

    /// The gain of players in dB, so that all sounds are about equally loud.
    public var gain: Double { Self.gain(loudness: loudness, truePeak: truePeak) }

    /// Aims at -23 LUFS with a true peak of at most -1 dB. Sounds too quiet to be measured are never amplified.
    static func gain(loudness: Double?, truePeak: Double?) -> Double {
        let room = min(12, -1 - (truePeak ?? -.infinity))
        let wanted = loudness.map { -23 - $0 } ?? 0
        return rounded(max(-24, min(wanted, room)))
    }

    /// To hundredths; zero has no sign.
    static func rounded(_ decibels: Double) -> Double { (decibels * 100).rounded() / 100 + 0 }

    /// Checks loop points, in samples from the begin; the end is the first sample that is not played. A missing point
    /// stands for the begin or the end of the sound.
    public func problem(loopStart: Int?, loopEnd: Int?) -> SoundProblem? {
        let start = loopStart ?? 0
        let end = loopEnd ?? frames
        if start < 0 || end <= start { return start >= frames ? .loopPastEnd : .loopOrder }
        return end > frames ? .loopPastEnd : nil
    }

    private enum CodingKeys: String, CodingKey {
        case kind, mediaType = "media_type", bytes, frames, sampleRate = "sample_rate", channels
        case length = "length_ms", loudness = "loudness_lufs", truePeak = "true_peak_db", gain = "gain_db"
        case isGapless = "gapless", waveform
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(kind.rawValue, forKey: .kind)
        try fields.encode(mediaType, forKey: .mediaType)
        try fields.encode(bytes, forKey: .bytes)
        try fields.encode(frames, forKey: .frames)
        try fields.encode(sampleRate, forKey: .sampleRate)
        try fields.encode(channels, forKey: .channels)
        try fields.encode(lengthMilliseconds, forKey: .length)
        try fields.encodeIfPresent(loudness, forKey: .loudness)
        try fields.encodeIfPresent(truePeak, forKey: .truePeak)
        try fields.encode(gain, forKey: .gain)
        try fields.encode(isGapless, forKey: .isGapless)
        try fields.encode(waveform, forKey: .waveform)
    }

    /// Reads the output of `encode` from a child that has read an untrusted file; impossible values are refused.
    public init?(_ json: JSON) {
        guard let kind = json["kind"]?.string.flatMap(SoundKind.init(rawValue:)),
            let bytes = Self.whole(json["bytes"], 1...SoundLimits.bytes),
            let rate = Self.whole(json["sample_rate"], SoundLimits.sampleRates),
            let frames = Self.whole(json["frames"], 1...SoundLimits.longest(at: rate)),
            let channels = Self.whole(json["channels"], 1...SoundLimits.channels),
            let pairs = json["waveform"]?.array, pairs.count <= Waveform.pairs
        else { return nil }
        let waveform = pairs.compactMap { $0.array?.compactMap { Self.whole($0, -127...127) } }
        guard waveform.count == pairs.count, waveform.allSatisfy({ $0.count == 2 }) else { return nil }
        self.init(
            kind: kind, bytes: bytes, frames: frames, sampleRate: rate, channels: channels,
            loudness: json["loudness_lufs"]?.number, truePeak: json["true_peak_db"]?.number,
            waveform: waveform)
    }

    private static func whole(_ value: JSON?, _ range: ClosedRange<Int>) -> Int? {
        value?.number.flatMap(Int.init(exactly:)).flatMap { range.contains($0) ? $0 : nil }
    }
}
