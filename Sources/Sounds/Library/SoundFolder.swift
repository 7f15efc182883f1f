import Foundation
import HTTP
import Records
import Wording

/// The folder of sounds and their pictures: each file under its SHA-256, in `ab/cdef…`.
package struct SoundFolder: Sendable {
    private let files: HashedFiles
    private let incoming: String

    package init(_ settings: Settings) {
        files = HashedFiles(settings.data + "/sounds")
        incoming = settings.incomingPath
    }

    /// Moves a file into the folder.
    /// - Returns: its hash.
    package func keep(file path: String) throws -> String { try files.keep(path) }

    /// Keeps bytes: written to a temporary file, made durable, and only then named.
    /// - Returns: their hash.
    package func keep(_ bytes: [UInt8]) throws -> String {
        let beside = "\(incoming)/\(UUID().uuidString)"
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: beside))
            return try files.keep(beside)
        } catch {
            try? FileManager.default.removeItem(atPath: beside)
            throw error
        }
    }

    package func remove(_ hash: String) { files.remove(hash) }

    /// A file or the requested part.
    /// - Parameter isForGood: whether its address names its content.
    /// - Throws: `Problem.notFound` when the file is gone, `Problem.beyondTheEnd` for a part behind its end.
    package func response(
        to request: Request, _ hash: String, type: String, isForGood: Bool
    ) throws -> Response {
        guard let path = files.path(hash), let size = files.size(hash) else { throw Problem.notFound }
        var response = Response.file(path, size: size, type: type, tag: "\"\(hash)\"", to: request)
        if response.status == 416 { throw Problem.beyondTheEnd(size: size) }
        response.headers.append(
            "Cache-Control", isForGood ? "public, max-age=31536000, immutable" : "private, no-cache")
        return response
    }
}
