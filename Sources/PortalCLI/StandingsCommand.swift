import Foundation
import Portal

enum StandingsTableText: Command {
    static let name = "standings"
    static let summary = "Prints the table of standings in a patient's file, as in docs/standings.md"
    static let options: [Option] = []
    static let operands = "[DIR]"

    static func run(_ arguments: Arguments) throws {
        let text = try Operations.standings(in: arguments.operands.first ?? ".")
        FileHandle.standardOutput.write(Data(text.utf8))
    }
}
