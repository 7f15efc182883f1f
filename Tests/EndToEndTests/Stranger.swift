import Foundation

/// An unprivileged user, where tests run as root: root may do everything. The program and what it reads lie in a folder of
/// their own, because the checkout may lie where only root can look.
final class Stranger {
    /// Words before the program's own.
    let words: [String]
    let program: String
    let resources: String
    private let folder: String?

    init() throws {
        guard getuid() == 0 else {
            (words, program, resources, folder) = ([], RunningPortal.program.path, RunningPortal.root, nil)
            return
        }
        let files = FileManager.default
        let path = files.temporaryDirectory.appendingPathComponent("stranger-\(UUID().uuidString)").path
        words = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        (program, resources, folder) = (path + "/intersession", path, path)
        try files.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        // A second name costs nothing, but does not reach from one disk to another.
        if link(RunningPortal.program.path, program) != 0 {
            try files.copyItem(atPath: RunningPortal.program.path, toPath: program)
        }
        for name in ["templates", "static"] {
            try files.copyItem(atPath: "\(RunningPortal.root)/\(name)", toPath: "\(path)/\(name)")
        }
    }

    deinit {
        if let folder { try? FileManager.default.removeItem(atPath: folder) }
    }
}
