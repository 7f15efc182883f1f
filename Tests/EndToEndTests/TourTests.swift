import Foundation
import Programs
import Testing

/// A second client, written with public tools only: docs/api-tour.md is run as it stands.
@Suite(.serialized) struct TourTests {
    let portal: RunningPortal

    init() throws { portal = try .onAskedEngine() }

    static func blocks(of document: String) -> [String] {
        document.components(separatedBy: "```sh\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }

    @Test func `the tour of the API works as it stands in the document`() throws {
        let path = RunningPortal.root + "/docs/api-tour.md"
        let blocks = Self.blocks(of: try String(contentsOfFile: path, encoding: .utf8))
        #expect(blocks.count >= 10)
        let password = "zwischen den Sitzungen"
        let made = try portal.run(
            [
                "account", "create", "--email", "ada@example.org", "--name", "Ada Lindner", "--role",
                "therapist",
            ],
            input: password + "\n")
        #expect(made.status == 0, "\(made.error)")
        let files = ["between-sessions", "intersession-daily"].map {
            RunningPortal.root + "/templates/instruments/\($0).json"
        }
        #expect(try portal.run(["questionnaire", "import"] + files).status == 0)
        try portal.serve()
        let process = Program()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        // Every line is told before it runs, so that a failure names its place.
        process.arguments = ["-euo", "pipefail", "-c", "set -x\n" + blocks.joined(separator: "\n")]
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["SERVER": portal.address, "DATA": portal.data, "STAFF": "ada@example.org:" + password]
        ) { _, new in new }
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text.suffix(3000))")
        #expect(text.hasSuffix("the tour is over\n"))
    }
}
