import Foundation

extension SoundMeasure {
    /// Decodes a whole file and measures it, in this process: untrusted files only in the child of `SoundScan`.
    /// - Parameter beforeDecoding: called when the file is open, before a decoder reads it.
    static func measure(file path: String, beforeDecoding: () -> Void = {}) throws(SoundProblem)
        -> SoundMeasure
    {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable }
        var isHandedOn = false
        defer { if !isHandedOn { close(descriptor) } }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { throw .unreadable }
        let bytes = Int(facts.st_size)
        guard bytes <= SoundLimits.bytes else { throw .tooLarge }
        var head = [UInt8](repeating: 0, count: SoundKind.headLength)
        let count = pread(descriptor, &head, head.count, 0)
        guard count >= 0 else { throw .unreadable }
        guard let kind = SoundKind(head: Array(head.prefix(count))) else { throw .notAudio }
        if kind == .mp3, isFLAC(behindTag: head, descriptor) { throw .tagBeforeFLAC }
        beforeDecoding()
        isHandedOn = true
        return try measure(SoundReader(descriptor, kind), kind, bytes: bytes)
    }

    /// Bytes that a WAV without any sound may have; behind more than these are samples.
    private static let mostHead = 4096

    /// Whether an ID3v2 tag, whose length is written in four times seven bits, stands before a FLAC.
    private static func isFLAC(behindTag head: [UInt8], _ descriptor: Int32) -> Bool {
        guard head.starts(with: Array("ID3".utf8)) else { return false }
        let length = head[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7f) }
        let footer = head[5] & 0x10 == 0 ? 0 : 10
        var behind = [UInt8](repeating: 0, count: 4)
        let count = pread(descriptor, &behind, behind.count, off_t(10 + length + footer))
        return count == behind.count && behind == Array("fLaC".utf8)
    }

    private static func measure(_ reader: SoundReader, _ kind: SoundKind, bytes: Int) throws(SoundProblem)
        -> SoundMeasure
    {
        guard reader.channels >= 1 else { throw .damaged }
        guard reader.channels <= SoundLimits.channels else { throw .tooManyChannels }
        guard SoundLimits.sampleRates.contains(reader.sampleRate) else { throw .sampleRate }
        let longest = SoundLimits.longest(at: reader.sampleRate)
        // A merely claimed length is not worth hours of decoding.
        let told =
            kind.knowsItsLength && reader.toldFrames < SoundReader.unknownLength ? reader.toldFrames : nil
        guard told ?? 0 <= longest else { throw .tooLong }
        guard
            let meter = LoudnessMeter(
                channels: reader.channels, sampleRate: reader.sampleRate, places: reader.places)
        else { throw .decoderFailed }
        var waveform = Waveform()
        let frames = try read(reader, longest: longest, meter, &waveform)
        guard !reader.hasFailed else { throw .damaged }
        guard frames > 0 else { throw kind == .wav && bytes > mostHead ? .lengthMissing : .noSamples }
        guard frames >= told ?? 0 else { throw .damaged }
        let loudness = meter.loudness
        let peak = meter.truePeak
        guard !loudness.isNaN, loudness < .infinity, !peak.isNaN, peak < .infinity else { throw .damaged }
        return SoundMeasure(
            kind: kind, bytes: bytes, frames: frames, sampleRate: reader.sampleRate,
            channels: reader.channels,
            loudness: loudness.isFinite ? rounded(loudness) : nil,
            truePeak: peak.isFinite ? rounded(peak) : nil,
            waveform: waveform.result())
    }

    private static func read(
        _ reader: SoundReader, longest: Int, _ meter: LoudnessMeter, _ waveform: inout Waveform
    ) throws(SoundProblem) -> Int {
        let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: 4096 * reader.channels)
        defer { samples.deallocate() }
        var frames = 0
        while true {
            let count = reader.read(into: samples)
            guard count > 0 else { return frames }
            frames += count
            guard frames <= longest else { throw .tooLong }
            let part = UnsafeBufferPointer(rebasing: samples[..<(count * reader.channels)])
            guard part.allSatisfy(\.isFinite) else { throw .damaged }
            guard meter.add(part) else { throw .decoderFailed }
            waveform.add(part, channels: reader.channels)
        }
    }
}

extension SoundKind {
    /// Whether the length in the header is reliable; the others are streams that may end anywhere.
    fileprivate var knowsItsLength: Bool { self == .flac || self == .wav }
}
