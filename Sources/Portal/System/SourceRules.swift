import Foundation
import Rules

/// The rules of the house that a program can check by reading the source.
struct SourceRules {
    let folder: String

    struct File {
        let path: String
        let text: String
        var lines: [(number: Int, text: String)] {
            text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map {
                ($0.offset + 1, String($0.element))
            }
        }
    }

    /// A line for each violation: `path:line: what`.
    func broken() throws -> [String] {
        let swift = try files(in: "Sources", ending: ".swift")
        let sheets = try files(in: "static/css", ending: ".css")
        return swift.flatMap(swiftRules) + sheets.flatMap(colourRule) + (try templateRules())
    }

    private func files(in part: String, ending: String) throws -> [File] {
        let root = "\(folder)/\(part)"
        return try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(ending) }
            .sorted().map {
                File(
                    path: "\(part)/\($0)", text: try String(contentsOfFile: "\(root)/\($0)", encoding: .utf8))
            }
    }

    // MARK: Swift

    static let longestFile = 250

    private func swiftRules(_ file: File) -> [String] {
        var broken: [String] = []
        if file.lines.count > Self.longestFile {
            broken.append("\(file.path): longer than \(Self.longestFile) lines")
        }
        // Most files contain no piece of any rule, so that their lines need not be checked one by one.
        let near = Self.rules.filter { $0.isBroken(by: file.text, in: file.path) }
        let holdsCutoffs = CutoffRule.isNear(file.text, in: file.path)
        let saysPrompts = PromptTimeRule.isNear(file.text, in: file.path)
        if near.isEmpty, !holdsCutoffs, !saysPrompts { return broken }
        for line in file.lines {
            let code = line.text.trimmingCharacters(in: .whitespaces)
            if code.hasPrefix("//") { continue }
            for rule in near where rule.isBroken(by: code, in: file.path) {
                broken.append("\(file.path):\(line.number): \(rule.message)")
            }
            if holdsCutoffs, CutoffRule.isBroken(by: code) {
                broken.append("\(file.path):\(line.number): \(CutoffRule.message)")
            }
            if saysPrompts, PromptTimeRule.isBroken(by: code) {
                broken.append("\(file.path):\(line.number): \(PromptTimeRule.message)")
            }
        }
        return broken
    }

    private struct Rule {
        let message: String
        /// Pieces of code, each of which alone breaks the rule.
        let pieces: [String]
        /// Paths in which the pieces are allowed.
        let allowed: [String]

        func isBroken(by code: String, in path: String) -> Bool {
            !allowed.contains { path.contains($0) } && pieces.contains { code.contains($0) }
        }
    }

    private static let rules: [Rule] = [
        Rule(
            message: "SQL belongs in stores, the schema and the database layer",
            pieces: ["SELECT ", "INSERT INTO ", "UPDATE ", "DELETE FROM "],
            allowed: ["Store.swift", "/Schema/", "Sources/Database/", "Audit.swift", "SourceRules.swift"]),
        Rule(
            message: "requests write through their Context, which proves their access again",
            pieces: ["services.records.write(", "services.records.writeUnaudited"],
            allowed: [
                "SoundImport.swift", "GroupClock.swift",
                "Context.swift", "App.swift", "Actor.swift", "Services.swift", "Operations.swift",
                "/Demonstration/", "/Upkeep/", "Erasure.swift", "RuleMail.swift", "UnseenMail.swift",
                "RuleRun.swift",
                "ProtocolPlanner.swift", "PlannedInterventions.swift",
                "DeliveryPlanner.swift", "DailyPlanning.swift", "PushPlanner.swift", "PushRound.swift",
                "TokenRenewal.swift", "PullRound.swift",
                "SourceRules.swift",
            ]),
        Rule(
            message: "answers come in through Intake; only the demonstration makes up a past of its own",
            pieces: ["ContributionStore.insert("],
            allowed: ["Sources/Intake/Intake.swift", "Sources/Demonstration/", "SourceRules.swift"]),
        Rule(
            message:
                "files are moved into place by DurableFile, which syncs them before and their folder after",
            pieces: [
                "guard rename(", ", rename(", "= rename(", ".moveItem(", ".replaceItem", ".atomic)",
                ".atomic]",
            ],
            allowed: ["DurableFile.swift", "SourceRules.swift"]),
        Rule(
            message: "the present comes from Clock", pieces: ["Date()"],
            allowed: ["Clock.swift", "SourceRules.swift"]),
        Rule(message: "no forced try or cast", pieces: ["try!", "as!"], allowed: ["SourceRules.swift"]),
        Rule(message: "no fatalError", pieces: ["fatalError("], allowed: ["SourceRules.swift"]),
        Rule(message: "no marks left behind", pieces: ["TODO", "FIXME"], allowed: ["SourceRules.swift"]),
        Rule(
            message: "trusted HTML is made in one place", pieces: ["HTML(trusted:", "HTML(\n"],
            allowed: ["QRCode.swift", "Markdown.swift", "SourceRules.swift"]),
        Rule(
            message: "libmicrohttpd belongs to HTTP", pieces: ["import CMicroHTTPD"],
            allowed: ["Sources/HTTP/", "SourceRules.swift"]),
        Rule(
            message: "jansson belongs to JSON", pieces: ["import CJansson"],
            allowed: ["Sources/JSON/", "SourceRules.swift"]),
        Rule(
            message: "SQLite belongs to Database", pieces: ["import CSQLite"],
            allowed: ["Sources/Database/", "SourceRules.swift"]),
        Rule(
            message: "libsodium belongs to Secrets", pieces: ["import CSodium"],
            allowed: ["Sources/Secrets/", "SourceRules.swift"]),
        Rule(
            message: "libqrencode belongs to one file", pieces: ["import CQREncode"],
            allowed: ["QRCode.swift", "SourceRules.swift"]),
        Rule(
            message: "libcmark belongs to the information pages", pieces: ["import CCmark"],
            allowed: ["Markdown.swift", "SourceRules.swift"]),
        Rule(
            message: "libarchive and ReadStat belong to Files",
            pieces: ["import CArchive", "import CReadStat"],
            allowed: ["Sources/Files/", "SourceRules.swift"]),
        Rule(
            message: "libebur128 and libsndfile belong to SoundFiles",
            pieces: ["import CEBUR128", "import CSndfile"],
            allowed: ["Sources/SoundFiles/", "SourceRules.swift"]),
        Rule(
            message: "decoders of pictures belong to Pictures",
            pieces: ["import CTurboJPEG", "import CPNG", "import CWebP"],
            allowed: ["Sources/Pictures/", "SourceRules.swift"]),
        Rule(
            message: "libcurl belongs to SMTP and Outbound", pieces: ["import CCurl"],
            allowed: ["Sources/SMTP/", "Sources/Outbound/", "SourceRules.swift"]),
        Rule(
            message: "OpenSSL belongs to Secrets", pieces: ["import COpenSSL"],
            allowed: ["Sources/Secrets/", "SourceRules.swift"]),
        Rule(
            message: "liboath belongs to Secrets", pieces: ["import COath"],
            allowed: ["Sources/Secrets/", "SourceRules.swift"]),
    ]

    // MARK: Style sheets and templates

    private func colourRule(_ file: File) -> [String] {
        guard !file.path.hasSuffix("tokens.css") else { return [] }
        return file.lines.filter {
            $0.text.contains("oklch(") || $0.text.contains("rgb(") || hasHexColour($0.text)
        }
        .map { "\(file.path):\($0.number): colours are tokens" }
    }

    private func hasHexColour(_ line: String) -> Bool {
        line.contains(": #") || line.contains(" #") && line.contains(";")
    }

    /// No script, style or handler in a page: the content security policy would stop it.
    private func templateRules() throws -> [String] {
        try files(in: "templates", ending: ".html").flatMap { file in
            file.lines.filter { line in
                let isInlineScript = line.text.contains("<script") && !line.text.contains("src=")
                return isInlineScript || line.text.contains("<style") || line.text.contains(" style=")
                    || line.text.contains(" onclick=")
            }.map { "\(file.path):\($0.number): no inline script or style" }
        }
    }
}
