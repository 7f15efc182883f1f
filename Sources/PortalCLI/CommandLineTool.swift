import Foundation
import Records

/// Finds the command, runs it, and says what went wrong.
enum CommandLineTool {
    static var commands: [any Command.Type] {
        [
            Serve.self, Seed.self, AccountCreate.self, QuestionnaireImport.self, ExportStudy.self,
            BackUp.self,
            RestoreBackup.self, MigrateEngine.self, KeysRotate.self, Verify.self, Simulate.self,
            SoundScanCommand.self,
            PictureScanCommand.self, SoundsGenerate.self, SoundsImport.self, Version.self, RoutesTable.self,
            StandingsTableText.self,
            SchemaPrint.self, TableText.self, OpenAPIText.self, GalleryPages.self, TextsCheckCommand.self,
            Check.self,
        ]
    }

    static func run(_ words: [String]) -> Int32 {
        // A reader that stalls does not hold up the end for long.
        defer { LineQueue.standardError.flush(within: 1) }
        do {
            if words.isEmpty || words[0] == "help" || words.contains("--help") {
                Output.line(Help.text(for: words.filter { $0 != "help" && $0 != "--help" }))
                return words.isEmpty ? 2 : 0
            }
            let (command, rest) = try find(words[0] == "--version" ? [Version.name] : words)
            try command.run(try Arguments(rest, for: command, among: commands))
            return 0
        } catch let error as UsageError {
            Output.error("intersession: \(error)\nsee: intersession help")
            return 2
        } catch {
            Output.error("intersession: \(error)")
            return 1
        }
    }

    private static func find(_ words: [String]) throws -> (any Command.Type, [String]) {
        for command in commands {
            let name = command.name.split(separator: " ").map(String.init)
            if words.starts(with: name) { return (command, Array(words.dropFirst(name.count))) }
        }
        throw UsageError("there is no command \(words[0])")
    }
}

/// What `intersession help` says.
enum Help {
    static func text(for words: [String]) -> String {
        let name = words.joined(separator: " ")
        if let command = CommandLineTool.commands.first(where: { $0.name == name }) {
            return explain(command)
        }
        let width = CommandLineTool.commands.map { $0.name.count }.max() ?? 0
        let lines = CommandLineTool.commands.map { command in
            "  " + command.name.padding(toLength: width + 2, withPad: " ", startingAt: 0) + command.summary
        }
        return "intersession COMMAND [OPTIONS]\n\n" + lines.joined(separator: "\n")
            + "\n\nintersession help COMMAND explains one."
    }

    private static func explain(_ command: any Command.Type) -> String {
        let usage = "intersession \(command.name) [OPTIONS] \(command.operands)"
        let lines = command.options.map { option in
            let flag = "--\(option.name)" + (option.value.map { " \($0)" } ?? "")
            return "  " + flag.padding(toLength: 34, withPad: " ", startingAt: 0) + option.explanation
                + "\n" + String(repeating: " ", count: 36) + option.variable
        }
        return "\(usage)\n\n\(command.summary)\n\n" + lines.joined(separator: "\n")
    }
}
