import Foundation
import Programs
import Testing

/// FD-39: following the manual alone gives a running server: unit, image and manual say the same.
@Suite struct InstallationTests {
    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: RunningPortal.root + "/" + path, encoding: .utf8)
    }

    @Test func `FD-39 unit, image and manual have one set of paths, and no other`() throws {
        let unit = try text("docs/intersession.service")
        let image = try text("Dockerfile")
        let manual = try text("docs/operating.md")
        #expect(unit.contains("\nExecStart=/usr/bin/intersession serve\n"))
        #expect(unit.contains("\nEnvironment=INTERSESSION_DATA=/var/lib/intersession\n"))
        #expect(unit.contains("\nEnvironmentFile=/etc/intersession.env\n"))
        #expect(unit.contains("\nUser=intersession\n") && unit.contains("\nStateDirectory=intersession\n"))
        #expect(image.contains("COPY --from=build /intersession /usr/bin/intersession"))
        for folder in ["templates", "static"] {
            #expect(image.contains("COPY \(folder) /usr/share/intersession/\(folder)"))
            #expect(manual.contains("/usr/share/intersession/\(folder)"))
        }
        #expect(image.contains("ENV INTERSESSION_DATA=/var/lib/intersession"))
        #expect(manual.contains("/usr/bin/intersession") && manual.contains("--data /var/lib/intersession"))
        let known = [
            "/usr/bin/intersession", "/usr/share/intersession", "/var/lib/intersession",
            "/etc/intersession.env",
        ]
        for page in [unit, image, manual] {
            let absolute = page.matches(
                of: /\/(?:usr|opt|srv|var|etc|home)\/[A-Za-z0-9_.\/-]*intersession[A-Za-z0-9_.\/-]*/)
            for match in absolute {
                #expect(known.contains { match.output.hasPrefix($0) }, "\(match.output)")
            }
        }
    }

    @Test func `FD-39 the packages of the manual are those of the image`() throws {
        let packages = { (text: String, begin: String) -> Set<Substring> in
            let from = try #require(text.range(of: begin)?.upperBound)
            let end = text[from...].range(of: "zlib1g ")?.upperBound ?? text.endIndex
            return Set(text[from..<end].split { " \\\n".contains($0) }.filter { !$0.hasPrefix("--") })
        }
        let image = try text("Dockerfile")
        let running = try #require(image.range(of: "FROM debian:bookworm-slim")?.upperBound)
        let inImage = try packages(String(image[running...]), "apt-get install -y")
        let inManual = try packages(text("docs/operating.md"), "apt-get install")
        #expect(inImage.count > 10 && inManual == inImage)
    }

    @Test func `FD-39 every option and command of the manual is there`() throws {
        let portal = RunningPortal()
        let manual = try text("docs/operating.md")
        let help = try ["", "serve", "account create", "restore"].map {
            try portal.run(["help"] + $0.split(separator: " ").map(String.init), withData: false, bare: true)
                .output
        }.joined()
        for name in Set(manual.matches(of: /INTERSESSION_[A-Z_]+/).map(\.output)) {
            #expect(help.contains(name), "\(name)")
        }
    }

    @Test
    func `FD-39 what is shown is looked for beside the program, here, and where an installation has it`()
        throws
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "installed-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let program = folder.appendingPathComponent("intersession")
        try FileManager.default.copyItem(at: RunningPortal.program, to: program)
        let start = { (words: [String]) -> (Int32, String) in
            let process = Program()
            let error = Pipe()
            process.executableURL = program
            process.arguments = ["verify", "--data", folder.path + "/data"] + words
            process.currentDirectoryURL = folder
            process.standardError = error
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            let text = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return (process.terminationStatus, text)
        }
        let isInstalled = FileManager.default.fileExists(
            atPath: "/usr/share/intersession/templates/texts/de.json")
        let (status, said) = try start([])
        if isInstalled {
            #expect(status == 1 && said.contains("there is no file"), "\(said)")
        } else {
            #expect(status == 2 && said.contains("/usr/share/intersession"), "\(said)")
        }
        // What is said with the option alone counts.
        let (elsewhere, words) = try start(["--resources", folder.path])
        #expect(elsewhere == 2 && words.contains("in \(folder.path)"), "\(words)")
        for name in ["templates", "static"] {
            try FileManager.default.createSymbolicLink(
                at: folder.appendingPathComponent(name),
                withDestinationURL: URL(fileURLWithPath: RunningPortal.root + "/" + name))
        }
        let (beside, found) = try start([])
        #expect(beside == 1 && found.contains("there is no file"), "\(found)")
    }

    @Test func `FD-46 a plain release build makes nothing of the tests`() throws {
        let package = try text("Package.swift")
        // What libFuzzer builds is added only where bin/fuzz asks for it.
        let end = package.range(of: "// Only bin/fuzz asks for it")?.lowerBound ?? package.endIndex
        #expect(!package[..<end].contains("path: \"Tests/"))
        for name in ["PortalTesting", "NetworkTesting"] {
            #expect(package.contains("        tests(\"\(name)\", "), "\(name)")
        }
    }
}
