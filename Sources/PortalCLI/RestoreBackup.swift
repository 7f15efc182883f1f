import Foundation
import Portal
import Records

enum RestoreBackup: Command {
    static let name = "restore"
    static let summary = "Puts a backup in the place of the database; its keys must be in keys/"
    static let options = [
        Option.data, Option.database,
        Option("replace", nil, "a database that is there may go; it is kept as a backup"),
        Option("backups", "DIR", "where it is kept (default backups/ in the data folder)", kind: .folder),
        Option.resources,
    ]
    static let operands = "FILE"

    static func run(_ arguments: Arguments) throws {
        guard arguments.operands.count == 1 else { throw UsageError("restore wants one file") }
        var settings = try arguments.settings()
        settings.backups = arguments["backups"]
        try FolderLock.take(settings)
        try requireReadable(arguments.operands[0])
        let lines = try Operations.restore(
            settings, from: arguments.operands[0], replaces: arguments.has("replace"))
        for line in lines { Output.line(line) }
    }

    /// A copy that root has made may not be readable to the owner of the folder, as which the command acts.
    private static func requireReadable(_ file: String) throws {
        guard access(file, R_OK) != 0, errno == EACCES else { return }
        let user = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? String(geteuid())
        throw StartError(
            """
            \(file): permission denied
            On the folder of \(user) this command acts as \(user), also when root gives it: put the file where \(user) can read it
            """)
    }
}
