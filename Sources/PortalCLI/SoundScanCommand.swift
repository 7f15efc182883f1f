import Records
import SoundFiles

enum SoundScanCommand: Command {
    static let name = "sound-scan"
    static let summary =
        "Measures a sound file and prints its numbers as JSON, or says why it cannot be kept"
    static let options: [Option] = []
    static let operands = "FILE"

    static func run(_ arguments: Arguments) throws {
        guard arguments.operands.count == 1 else { throw UsageError("sound-scan wants one file") }
        do {
            Output.line(try SoundScanChild.numbers(file: arguments.operands[0]))
        } catch {
            Output.line(SoundScanChild.line(error))
            throw StartError(error.sentence)
        }
    }
}
