import Database
import Foundation
import Wire

/// Begins a clinic anew on purpose where the database of the former one is lost: `serve --new-clinic`.
enum NewClinic {
    /// Lays keys and remains of a database aside under names of their own; deletes nothing.
    /// - Throws: `StartError` where an account is found: that clinic is not lost.
    static func prepare(
        _ state: FolderState, _ settings: Settings, _ log: Log, at now: Instant,
        hasAccounts: (borrowing Connection) throws -> Bool
    ) throws {
        if state.stored == .tables, try settings.database.look(hasAccounts) {
            throw StartError(
                """
                there are accounts in the database \(settings.databaseName): --new-clinic is for a folder whose database is \
                lost, and only once. Start without it
                """)
        }
        guard state.isLost else { return }
        let stamp = now.text.filter { $0.isNumber || $0 == "T" }.prefix(15)
        let keys = "\(settings.data)/keys.aside-\(stamp)"
        do {
            // The database first: without it the keys still say that there was a clinic.
            for end in ["", "-wal", "-shm"] {
                let path = settings.databasePath + end
                guard settings.server == nil, FileManager.default.fileExists(atPath: path) else { continue }
                try DurableFile.move(path, to: "\(settings.data)/aside-\(stamp).sqlite\(end)")
            }
            try DurableFile.move(settings.data + "/keys", to: keys)
        } catch {
            throw StartError("the old keys could not be laid aside as \(keys)")
        }
        log.line("warning", "a new clinic is begun", [("old keys", keys)], at: now)
    }
}
