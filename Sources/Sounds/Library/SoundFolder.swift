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

    /// Moves a file into the folder; one that is there already, since a transaction began again, stays.
    func keep(file path: String, as hash: String) throws {
        if files.size(hash) == nil || FileManager.default.fileExists(atPath: path) {
            try files.keep(path, as: hash)
        }
    }

    /// Keeps bytes: written to a temporary file, made durable, and only then named.
    /// - Returns: their hash.
    @discardableResult
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
