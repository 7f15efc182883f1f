import Foundation
import Records
import Secrets

/// Where exports lie, sealed, until they are opened to be sent; then they are gone. The key is made at the start and kept
/// in memory only: what a crash leaves behind nobody can read any more.
struct ExportFolder: Sendable {
    let key = SecretKey.random()
    private let path: String

    init(_ path: String) { self.path = path }

    /// Removes what another run left behind.
    func empty() { try? FileManager.default.removeItem(atPath: path) }

    /// - Throws: when the folder cannot be made.
    func newFile(_ id: ID<ExportJobs.Job>) throws -> String {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return "\(path)/\(id)"
    }
}
