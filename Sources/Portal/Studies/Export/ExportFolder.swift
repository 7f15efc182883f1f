import Foundation

/// Where exports lie until they are opened to be sent, then they are gone. Only the owner of the data folder reads them;
/// what nobody fetched goes within the hour, what a crash left behind within a day: no export takes that long.
struct ExportFolder {
    private let path: String

    init(_ path: String) throws {
        self.path = path
        let files = FileManager.default
        try files.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    func newFile(_ id: String) -> String { "\(path)/\(id)" }

    /// Removes the exports that were made before a moment.
    static func sweep(_ path: String, before: Date) {
        let files = FileManager.default
        for name in (try? files.contentsOfDirectory(atPath: path)) ?? [] {
            let made = try? files.attributesOfItem(atPath: "\(path)/\(name)")[.modificationDate] as? Date
            if let made, made < before { try? files.removeItem(atPath: "\(path)/\(name)") }
        }
    }

    static func size(_ path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }
}
