import Database
import Foundation
import Secrets

/// Files named by their content: each is kept once, and never changed.
package struct HashedFiles: Sendable {
    private let folder: String

    /// - Parameter folder: an existing one.
    package init(_ folder: String) { self.folder = folder }

    /// 64 lower-case hexadecimal digits (SHA-256): nothing that could lead out of the folder.
    package static func isHash(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// The path of a file, existing or not; nil for text that is no hash.
    package func path(_ hash: String) -> String? {
        Self.isHash(hash) ? "\(folder)/\(hash.prefix(2))/\(hash.dropFirst(2))" : nil
    }

    /// In bytes; nil without such a file.
    package func size(_ hash: String) -> Int? {
        guard let path = path(hash) else { return nil }
        var facts = stat()
        return stat(path, &facts) == 0 ? Int(facts.st_size) : nil
    }

    /// Moves a file of the same file system in, so that it is there whole or not at all, also after a loss of power.
    /// An existing file with the same bytes stays, and the new one is removed.
    /// - Returns: its hash.
    /// - Throws: `POSIXError`; then the file is where it was.
    package func keep(_ incoming: String) throws -> String {
        let hash = try Self.hash(of: incoming)
        try keep(incoming, as: hash)
        return hash
    }

    /// The same for a file whose hash is known.
    package func keep(_ incoming: String, as hash: String) throws {
        guard let path = path(hash) else { throw POSIXError(.EINVAL) }
        let shelf = String(path.dropLast(63))
        if mkdir(shelf, 0o700) != 0, errno != EEXIST { throw Self.failure }
        chmod(incoming, 0o600)
        try DurableFile.move(incoming, to: path)
        try DurableFile.synchroniseFolder(of: shelf)
    }

    /// SHA-256, in hexadecimal digits.
    package static func hash(of bytes: [UInt8]) -> String {
        var digest = FileDigest()
        digest.add(bytes)
        return digest.hexadecimal
    }

    /// SHA-256 of a file, in hexadecimal digits.
    package static func hash(of path: String) throws -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure }
        defer { close(descriptor) }
        var digest = FileDigest()
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw failure }
            if count == 0 { return digest.hexadecimal }
            buffer.withUnsafeBytes { digest.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }

    private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
