import Foundation
import HTTP
import Testing

@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web

/// RP-222: every template, text and asset is read at the start, and what is missing is named.
@Suite struct ShippedFileTests {
    /// A folder with all that the program comes with, of its own.
    private func copy() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("shipped-\(UUID())").path
        for path in ShippedFiles.paths {
            let target = URL(fileURLWithPath: "\(folder)/\(path)")
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: "\(Cast.root)/\(path)", toPath: target.path)
        }
        return folder
    }

    @Test func `RP-222 the program knows every file of templates and static`() throws {
        let found = try ["templates", "static"].flatMap { top in
            let folder = "\(Cast.root)/\(top)"
            return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
                var isFolder: ObjCBool = false
                _ = FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder)
                return !isFolder.boolValue
            }.map { "\(top)/\($0)" }
        }
        let known = Set(ShippedFiles.paths)
        #expect(Set(found).subtracting(known) == [], "to be added to ShippedFiles.swift")
        #expect(known.subtracting(found) == [], "to be removed from ShippedFiles.swift")
        #expect(known.count == ShippedFiles.paths.count)
    }

    @Test func `RP-222 one file of each kind that is missing, empty or damaged is named`() throws {
        let folder = try copy()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let refusal = { () -> String in
            do {
                _ = try Resources(folder: folder, needed: ShippedFiles.paths)
                return ""
            } catch let error as StartError {
                return error.description
            }
        }
        #expect(try refusal() == "")
        for path in [
            "templates/patients/show.html", "templates/shared/_field.html", "templates/texts/en.json",
            "templates/letters/gp.de.md", "templates/information/privacy.de.md",
            "templates/instruments/wellbeing-5.json", "templates/starter/practice.json",
            "static/css/tokens.css", "static/css/alone/health.css", "static/own/absent.js",
            "static/js/pair.js", "static/icons/app-192.png", "static/openapi.json",
        ] {
            let file = "\(folder)/\(path)"
            let content = try Data(contentsOf: URL(fileURLWithPath: file))
            try FileManager.default.removeItem(atPath: file)
            #expect(try refusal().hasPrefix("\(file) is missing\n"), "\(path)")
            try Data().write(to: URL(fileURLWithPath: file))
            #expect(try refusal().hasPrefix("\(file) is empty\n"), "\(path)")
            try content.write(to: URL(fileURLWithPath: file))
        }
        let half = "\(folder)/templates/starter/practice.json"
        let whole = try Data(contentsOf: URL(fileURLWithPath: half))
        try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: half))
        #expect(try refusal().hasPrefix("\(half) is damaged"))
        try FileManager.default.removeItem(atPath: "\(folder)/templates/my")
        let many = try refusal()
        #expect(
            many.contains("\(folder)/templates/my/_about-study.html is missing") && many.contains("\nand "))
        #expect(many.contains("--resources"))
    }

    @Test func `RP-222 a portal whose templates are not whole writes nothing`() throws {
        let folder = try copy()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.removeItem(atPath: "\(folder)/templates/patients/show.html")
        var settings = Cast.settings(folder + "/data")
        settings.resources = folder
        #expect(throws: StartError.self) { try Services(settings, gate: Cast.gate, log: .silent) }
        #expect(!FileManager.default.fileExists(atPath: settings.data))
    }

    @Test func `RP-222 what was read at the start is given although the file is gone since`() throws {
        let folder = try copy()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let portal = try TestPortal { $0.resources = folder }
        let template = try String(contentsOfFile: "\(folder)/templates/letters/gp.de.md", encoding: .utf8)
        let heading = try #require(template.split(separator: "\n").first).drop { $0 == "#" || $0 == " " }
        for part in [
            "templates/information", "templates/letters", "templates/starter", "templates/instruments",
        ] {
            try FileManager.default.removeItem(atPath: "\(folder)/\(part)")
        }
        #expect(portal.get("/info/privacy", as: .nobody).status == 200)
        #expect(portal.get("/welcome", as: .ada).status == 200)
        let pia = portal.cast.therapies[.pia]?.text ?? ""
        let made = portal.post("/patients/\(pia)/letters", [("kind", "gp")], as: .ada)
        let letter = portal.get(made.headers["Location"] ?? "", as: .ada)
        #expect(letter.text.contains(heading), "\(letter.text)")
    }
}
