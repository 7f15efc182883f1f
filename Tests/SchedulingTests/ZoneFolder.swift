import Foundation
import Programs

@testable import Scheduling

/// A folder of zones that `zic` has compiled, with their list.
final class ZoneFolder {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("zones-\(UUID().uuidString)")
        .path

    init(_ rules: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try write("tzdata.zi", Array(rules.utf8))
        _ = try Self.output("/usr/sbin/zic", ["-b", "slim", "-d", path, path + "/tzdata.zi"])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var data: ZoneData { ZoneData(folder: path) }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }

    func bytes(_ name: String) -> [UInt8] {
        [UInt8](FileManager.default.contents(atPath: "\(path)/\(name)") ?? Data())
    }

    static func output(_ program: String, _ arguments: [String]) throws -> String {
        let process = Program()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }

    /// What changed in 2026 (tz NEWS 2026b, 2026c, 2026d), in our own words, and a link.
    static let of2026 = """
        # version 2026f
        Rule N 2007 max - Mar Sun>=8 2:00 1 D
        Rule N 2007 max - Nov Sun>=1 2:00 0 S
        Zone Africa/Casablanca 1 - +01 2026 Sep 20 2:00
         0 - +00
        Zone America/Vancouver -8 N P%sT 2026 Mar 9
         -7 - MST
        Zone America/Edmonton -7 N M%sT 2026 Jun 18
         -6 - CST
        Zone America/Inuvik -7 N M%sT 2026 Oct 1
         -6 - CST
        Zone Europe/Vienna 1 - CET
        Link America/Edmonton Canada/Mountain

        """
}
