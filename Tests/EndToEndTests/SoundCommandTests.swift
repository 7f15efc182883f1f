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
