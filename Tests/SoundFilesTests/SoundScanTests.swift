import CSndfile
import Foundation
import Testing

@testable import SoundFiles

/// Files are measured by a child, which answers with numbers or with what is wrong.
@Suite struct SoundScanTests {
    let sample: SoundSample
    let scan = SoundSample.scan

    init() throws { sample = try SoundSample() }

    @Test(arguments: SoundKind.allCases, [1, 2]) func `SN-1 every format is measured`(
        kind: SoundKind, channels: Int
    ) throws {
        let path = try sample.file(kind, channels: channels)
        let measure = try scan.run(file: path, name: "Regen.\(kind.fileExtension)", claimed: kind.mediaType)
        #expect(measure.kind == kind && measure.channels == channels && measure.sampleRate == 48_000)
        #expect(measure.isGapless == (kind != .mp3))
        // MP3 and Opus round up to whole blocks.
        #expect(kind == .mp3 ? (95_000...101_000).contains(measure.frames) : measure.frames == 96_000)
        #expect(measure.loopsWithoutGap == measure.isGapless)
        #expect(abs(measure.lengthMilliseconds - 2000) < 110)
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        #expect(measure.bytes == size)
        #expect(abs(try #require(measure.loudness) + 20) < 0.5, "\(measure)")
        #expect(abs(try #require(measure.truePeak) + 20) < 0.5)
        #expect(abs(measure.gain - -3) < 0.5)
        #expect((380...400).contains(measure.waveform.count))
        #expect(measure.waveform[200] == [-13, 13] || kind != .wav, "\(measure.waveform[200])")
    }

    @Test func `silence and what is too short for a loudness have none and are not made louder`() throws {
        let silence = try sample.write(
            "silence.wav", SoundSample.wav([Float](repeating: 0, count: 96_000), channels: 2, rate: 48_000))
        let measure = try scan.run(file: silence)
        #expect(measure.loudness == nil && measure.truePeak == nil && measure.gain == 0)
        #expect(measure.waveform.allSatisfy { $0 == [0, 0] })
        let click = try scan.run(file: try sample.write("click.wav", SoundSample.wav(seconds: 0.1)))
        #expect(click.loudness == nil && click.truePeak != nil && click.gain == 0)
    }

    // MARK: Bad input

    @Test func `HTML named mp3 is no sound`() throws {
        let page = Array("<!DOCTYPE html><title>Not found</title>".utf8)
        #expect(problem { try scan.run(file: try sample.write("rain.mp3", page)) } == .notAudio)
        #expect(problem { try scan.run(file: try sample.write("empty.flac", [])) } == .notAudio)
        let ogg = Array("OggS".utf8) + [UInt8](repeating: 0, count: 24) + Array("\u{80}theora".utf8)
        #expect(problem { try scan.run(file: try sample.write("film.ogg", ogg)) } == .notAudio)
    }

    @Test(arguments: [40, 300, 70_000])
    func `RP-121 a FLAC behind a tag is no damaged MP3, and what to do is said`(
        length: Int
    ) throws {
        let flac = try [UInt8](Data(contentsOf: URL(fileURLWithPath: sample.file(.flac))))
        let told = [21, 14, 7, 0].map { UInt8(length >> $0 & 0x7f) }
        let tag = Array("ID3".utf8) + [4, 0, 0] + told + [UInt8](repeating: 0, count: length)
        #expect(problem { try scan.run(file: try sample.write("rain.flac", tag + flac)) } == .tagBeforeFLAC)
        let mp3 = try [UInt8](Data(contentsOf: URL(fileURLWithPath: sample.file(.mp3))))
        #expect(try scan.run(file: try sample.write("rain.mp3", tag + mp3)).kind == .mp3)
    }

    /// What recorders and converters leave that write into a pipe.
    @Test(arguments: [0, 0xffff_ffff]) func `RP-121 a WAV without its length is taken, or says what to do`(
        told: UInt32
    )
        throws
    {
        var wav = SoundSample.wav(seconds: 1)
        let little = withUnsafeBytes(of: told.littleEndian) { Array($0) }
        wav.replaceSubrange(4..<8, with: little)
        wav.replaceSubrange(40..<44, with: little)
        let path = try sample.write("stream-\(told).wav", wav)
        do throws(SoundProblem) {
            #expect(try scan.run(file: path).lengthMilliseconds == 1000)
        } catch {
            #expect(error == .lengthMissing)
        }
    }

    @Test func `a name or a claimed type that says another format is refused`() throws {
        let wav = try sample.write("rain.mp3", SoundSample.wav())
        #expect(problem { try scan.run(file: wav) } == .mismatch)
        let part = try sample.write("upload.part", SoundSample.wav())
        #expect(problem { try scan.run(file: part, name: "rain.mp3") } == .mismatch)
        #expect(problem { try scan.run(file: part, name: "rain.html") } == .mismatch)
        #expect(problem { try scan.run(file: part, name: "rain.wav", claimed: "audio/mpeg") } == .mismatch)
        for claimed in [nil, "", "audio/x-wav", "audio/WAV; rate=1", "application/octet-stream"] {
            #expect(try scan.run(file: part, name: "RAIN.WAV", claimed: claimed).kind == .wav)
        }
        #expect(
            SoundKind.opus.fits(name: "a.ogg", claimed: "audio/ogg") && !SoundKind.vorbis.fits(name: "a.opus")
        )
    }

    @Test func `no samples, too many bytes, an hour and a sample`() throws {
        let none = try sample.write("none.wav", SoundSample.wav([], channels: 1, rate: 48_000))
        #expect(problem { try scan.run(file: none) } == .noSamples)
        let large = try sample.write("large.wav", SoundSample.wav())
        #expect(truncate(large, off_t(SoundLimits.bytes) + 1) == 0)
        #expect(problem { try scan.run(file: large) } == .tooLarge)
        for (more, expected) in [(0, nil), (1, SoundProblem.tooLong)] {
            let frames = 3600 * 8000 + more
            let head = SoundSample.head(dataLength: frames, channels: 1, rate: 8000, format: 1, bits: 8)
            let long = try sample.write("long.wav", head)
            #expect(truncate(long, off_t(head.count + frames)) == 0)
            #expect(problem { try scan.run(file: long) } == expected)
        }
    }

    @Test func `channels, sample rates and encodings that no phone plays`() throws {
        let seven = try sample.write("seven.wav", SoundSample.wav(channels: 7))
        #expect(problem { try scan.run(file: seven) } == .tooManyChannels)
        for rate in [4000, 384_000] {
            let path = try sample.write("rate.wav", SoundSample.wav(toldRate: rate))
            #expect(problem { try scan.run(file: path) } == .sampleRate)
        }
        let path = sample.path("law.wav")
        try SoundSample.write(
            SoundSample.sine(frames: 48_000, hertz: 440, level: -20, channels: 1, rate: 48_000),
            format: SF_FORMAT_WAV.bits | SF_FORMAT_ULAW.bits, channels: 1, rate: 48_000, to: path)
        #expect(problem { try scan.run(file: path) } == .encoding)
    }

    @Test func `what breaks off, or holds what is no number, is damaged`() throws {
        let flac = Array(try Data(contentsOf: URL(fileURLWithPath: try sample.file(.flac))))
        #expect(
            problem { try scan.run(file: try sample.write("half.flac", Array(flac.prefix(flac.count / 2)))) }
                == .damaged)
        #expect(
            problem { try scan.run(file: try sample.write("head.flac", Array(flac.prefix(20)))) } == .damaged)
        for wrong in [Float.nan, .infinity] {
            let bytes = SoundSample.wav([0, 0.1, wrong, 0.1], channels: 1, rate: 48_000)
            #expect(problem { try scan.run(file: try sample.write("nan.wav", bytes)) } == .damaged)
        }
    }

    @Test func `what is no file is not read`() throws {
        #expect(problem { try scan.run(file: sample.path("nothing.wav")) } == .unreadable)
        #expect(problem { try scan.run(file: sample.folder) } == .unreadable)
        #expect(mkfifo(sample.path("pipe.wav"), 0o600) == 0)
        #expect(problem { try scan.run(file: sample.path("pipe.wav")) } == .unreadable)
        #expect(problem { try scan.run(file: "/dev/zero") } == .unreadable)
    }

    @Test func `loop points lie in the sound, in their order`() throws {
        let measure = try scan.run(file: try sample.write("loop.wav", SoundSample.wav()))
        #expect(measure.frames == 48_000)
        for fine in [(nil, nil), (0, 48_000), (100, nil), (nil, 200), (47_999, 48_000)] as [(Int?, Int?)] {
            #expect(measure.problem(loopStart: fine.0, loopEnd: fine.1) == nil)
        }
        for wrong in [(200, 100), (100, 100), (-1, 100), (nil, 0)] as [(Int?, Int?)] {
            #expect(measure.problem(loopStart: wrong.0, loopEnd: wrong.1) == .loopOrder)
        }
        for past in [(0, 48_001), (nil, 50_000), (48_000, nil), (50_000, 50_001)] as [(Int?, Int?)] {
            #expect(measure.problem(loopStart: past.0, loopEnd: past.1) == .loopPastEnd)
        }
    }

    // MARK: The child

    private func script(_ text: String) throws -> String {
        let path = try sample.write("script-\(UUID().uuidString)", Array("#!/bin/sh\n\(text)\n".utf8))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return path
    }

    @Test func `a child that is killed, crashes, chatters or says nonsense is a failed decoder`() throws {
        for text in [
            "kill -9 $$", "kill -SEGV $$", "exit 3", "echo '{\"kind\": \"wav\"}'", "echo nonsense", "yes",
            "echo '{\"problem\": \"unheard of\"}'",
        ] {
            let scan = SoundScan(program: try script(text), timeout: .seconds(60))
            #expect(problem { try scan.run(file: "x") } == .decoderFailed, "\(text)")
        }
        #expect(problem { try SoundScan(program: sample.path("none")).run(file: "x") } == .decoderFailed)
    }

    @Test func `a child that hangs or used up its time is ended`() throws {
        let began = ContinuousClock.now
        for text in ["exec sleep 1000", "exec >&-; exec sleep 1000", "kill -XCPU $$"] {
            let scan = SoundScan(program: try script(text), timeout: .milliseconds(300))
            #expect(problem { try scan.run(file: "x") } == .decoderTimedOut, "\(text)")
        }
        #expect(ContinuousClock.now - began < .seconds(60))
    }

    @Test func `a child gets no descriptor, no variable and no log`() throws {
        let path = try sample.write("secret", [1])
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        #expect(descriptor >= 0)
        let said = { (command: String) -> String in
            let child = try #require(Child("/bin/sh", ["-c", command]))
            let bytes = child.output(until: .now + .seconds(60), limit: 10_000)
            #expect(child.end(by: .now + .seconds(60)) == 0)
            return String(decoding: try #require(bytes), as: UTF8.self)
        }
        let descriptors = try said("ls -l /proc/self/fd; echo noise >&2")
        #expect(!descriptors.contains("secret") && !descriptors.contains("noise"))
        #expect(descriptors.contains("2 -> /dev/null") && descriptors.contains("0 -> /dev/null"))
        let variables = try said("env").split(separator: "\n").filter {
            !$0.hasPrefix("PWD=") && !$0.hasPrefix("_=")
        }
        #expect(variables == ["SWIFT_BACKTRACE=enable=no"])
    }
}
