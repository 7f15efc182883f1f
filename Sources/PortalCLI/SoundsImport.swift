import Portal
import Records
import SoundFiles

enum SoundsImport: Command {
    static let name = "sounds import"
    static let summary =
        "Adds the sounds that a folder lists in its sounds.json, and publishes them; also while serving"
    static let options = [Option.data, Option.database, Option.resources]
    static let operands = "FOLDER"

    static func run(_ arguments: Arguments) throws {
        guard arguments.operands.count == 1 else { throw UsageError("sounds import wants one folder") }
        let settings = try arguments.settings()
        let isAlone = try FolderLock.takeOrStandBeside(settings)
        do {
            let (added, known, refused) = try Operations.importSounds(
                settings, from: arguments.operands[0], besideServer: !isAlone)
            for line in refused { Output.line(line) }
            Output.line("\(added) sounds added, \(known) were there already, \(refused.count) refused")
        } catch let failure as SoundManifest.Failure {
            throw StartError(failure.description)
        }
    }
}
