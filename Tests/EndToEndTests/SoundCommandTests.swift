import Foundation
import Testing

/// Sounds on the command line.
@Suite(.serialized) struct SoundCommandTests {
    let portal = RunningPortal()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sounds-\(UUID().uuidString)")
        .path

    func scan(_ words: String...) throws -> RunningPortal.Outcome {
        try portal.run(["sound-scan"] + words, withData: false, bare: true)
    }

    @Test func `sound-scan says numbers, or a sentence and 1, or how it is used and 2`() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let page = folder + "/rain.mp3"
        try Data("<!DOCTYPE html><p>Regen".utf8).write(to: URL(fileURLWithPath: page))
        let refused = try scan(page)
        #expect(refused.status == 1 && refused.output == "{\"problem\":\"not_audio\"}\n")
        #expect(refused.error == "intersession: this is neither FLAC, WAV, Ogg Vorbis, Opus nor MP3\n")
        #expect(try scan(folder + "/nothing.wav").error == "intersession: the file cannot be read\n")
        for words in [[], [page, page]] {
            #expect(try portal.run(["sound-scan"] + words, withData: false, bare: true).status == 2)
        }
        #expect(try portal.run(["sounds", "generate"], withData: false, bare: true).status == 2)
        #expect(
            try portal.run(["help", "sounds", "generate"], withData: false, bare: true).output.contains(
                "FOLDER"))
    }

    /// One second of a tone, as WAV.
    private func tone() -> Data {
        let frames = 44_100
        func bytes(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        var file = Array("RIFF".utf8) + bytes(36 + 2 * frames, 4) + Array("WAVEfmt ".utf8) + bytes(16, 4)
        file += bytes(1, 2) + bytes(1, 2) + bytes(frames, 4) + bytes(2 * frames, 4) + bytes(2, 2)
        file += bytes(16, 2) + Array("data".utf8) + bytes(2 * frames, 4)
        for index in 0..<frames {
            file += bytes(Int(8_000 * sin(2 * Double.pi * 440 * Double(index) / Double(frames))), 2)
        }
        return Data(file)
    }

    @Test func `FD-51 sounds import works beside a running server, and beside no other command`() async throws
    {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try tone().write(to: URL(fileURLWithPath: folder + "/tone.wav"))
        try Data(
            """
            {"format": "intersession-sounds/1", "categories": [{"key": "t", "title": {"de": "Töne", "en": "Tones"}}],
             "sounds": [{"file": "tone.wav", "category": "t", "title": {"de": "Ton", "en": "Tone"},
                         "credits": "Ada", "licence": "CC0-1.0", "loop_start": null, "loop_end": null, "picture": null}]}
            """.utf8
        ).write(to: URL(fileURLWithPath: folder + "/sounds.json"))
        try portal.serve()
        #expect(try await portal.call("GET", "/sounds").list.isEmpty)
        let done = try portal.run(["sounds", "import", folder])
        #expect(done.status == 0 && done.output.contains("1 sounds added"), "\(done)")
        let again = try portal.run(["sounds", "import", folder])
        #expect(again.status == 0 && again.output.contains("0 sounds added, 1 were there already"))
        // The server shows it at once, and goes on writing.
        #expect(try await portal.call("GET", "/sounds").list.count == 1)
        #expect(try portal.run(["seed"]).error.contains("another intersession is running"))
        #expect(portal.stop() == 0)
        // Without a server it takes the folder, and finds it sound.
        #expect(try portal.run(["sounds", "import", folder]).output.contains("1 were there already"))
        #expect(try portal.run(["verify"]).output == "sound\n")
        // Something else may be restoring, or changing keys.
        let lock = open(portal.data + "/lock", O_RDWR)
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let refused = try portal.run(["sounds", "import", folder])
        #expect(refused.status == 1 && refused.error.contains("another intersession is running"))
        close(lock)
    }
}

/// The whole set takes a debug build seconds.
@Suite struct SoundCommandSlowTests {
    @Test func `SN-1 the starter set is made and measured`() throws {
        let commands = SoundCommandTests()
        let folder = commands.folder
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let made = try commands.portal.run(["sounds", "generate", folder], withData: false, bare: true)
        #expect(made.status == 0 && made.output.hasPrefix("10 sounds in "), "\(made)")
        let list = try Data(contentsOf: URL(fileURLWithPath: folder + "/sounds.json"))
        let json = try #require(try JSONSerialization.jsonObject(with: list) as? [String: Any])
        for sound in try #require(json["sounds"] as? [[String: Any]]) {
            let file = try #require(sound["file"] as? String)
            let told = try commands.scan("\(folder)/\(file)")
            let numbers = try JSONSerialization.jsonObject(with: Data(told.output.utf8)) as? [String: Any]
            #expect(
                told.status == 0 && told.error.isEmpty && numbers?["length_ms"] as? Int == 20_000, "\(file)")
            #expect(abs(numbers?["gain_db"] as? Double ?? 99) < 0.1, "\(file)")
        }
    }
}
