import CSodium
import Foundation

/// A file that only the holder of its key can read (libsodium's secretstream: XChaCha20-Poly1305 in pieces that
/// cannot be exchanged, left out or cut off at the end).
public enum SealedFile {
    /// Bytes of a piece before it is sealed.
    static let piece = 1 << 18
    static let headerLength = 24
    /// The bytes that sealing adds to a piece.
    static let overhead = 17
    static let last = UInt8(crypto_secretstream_xchacha20poly1305_TAG_FINAL)

    /// The number of bytes in a sealed file once it is opened.
    /// - Throws: `SealBroken` for a file that was cut.
    public static func count(_ path: String) throws -> Int {
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        let sealed = size - headerLength
        guard sealed >= overhead else { throw SealBroken() }
        let pieces = (sealed + piece + overhead - 1) / (piece + overhead)
        return sealed - pieces * overhead
    }
}

/// Seals data and appends it to a file that only its owner may read.
public struct SealedFileWriter {
    private let file: FileHandle
    private var state = crypto_secretstream_xchacha20poly1305_state()
    private var waiting: [UInt8] = []

    /// - Throws: when the file cannot be made.
    public init(_ path: String, key: SecretKey) throws {
        Sodium.require()
        let isMade = FileManager.default.createFile(
            atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isMade, let file = FileHandle(forWritingAtPath: path) else {
            throw CocoaError(.fileWriteUnknown)
        }
        self.file = file
        var header = [UInt8](repeating: 0, count: SealedFile.headerLength)
        crypto_secretstream_xchacha20poly1305_init_push(&state, &header, key.bytes)
        try file.write(contentsOf: Data(header))
    }

    public mutating func write(_ bytes: [UInt8]) throws {
        waiting += bytes
        var start = 0
        // One piece is held back: the last one gets a mark.
        while waiting.count - start > SealedFile.piece {
            try push(Array(waiting[start..<(start + SealedFile.piece)]), isLast: false)
            start += SealedFile.piece
        }
        if start > 0 { waiting.removeFirst(start) }
    }

    public mutating func close() throws {
        try push(waiting, isLast: true)
        waiting = []
        try file.close()
    }

    private mutating func push(_ bytes: [UInt8], isLast: Bool) throws {
        var sealed = [UInt8](repeating: 0, count: bytes.count + SealedFile.overhead)
        let tag = isLast ? SealedFile.last : 0
        crypto_secretstream_xchacha20poly1305_push(
            &state, &sealed, nil, bytes, UInt64(bytes.count), nil, 0, tag)
        try file.write(contentsOf: Data(sealed))
    }
}

/// Opens a sealed file piece by piece. The file may be removed as soon as this is made. For one thread at a time.
public final class SealedFileReader {
    private let file: FileHandle
    private var state = crypto_secretstream_xchacha20poly1305_state()
    private var isAtEnd = false

    /// - Throws: when there is no such file; `SealBroken` when it is no sealed file.
    public init(_ path: String, key: SecretKey) throws {
        Sodium.require()
        guard let file = FileHandle(forReadingAtPath: path) else { throw CocoaError(.fileReadNoSuchFile) }
        self.file = file
        let header = Array(try file.read(upToCount: SealedFile.headerLength) ?? Data())
        guard header.count == SealedFile.headerLength,
            crypto_secretstream_xchacha20poly1305_init_pull(&state, header, key.bytes) == 0
        else { throw SealBroken() }
    }

    deinit { try? file.close() }

    /// - Returns: the next piece; nil once all were read.
    /// - Throws: `SealBroken` when bytes were changed or cut off.
    public func next() throws -> [UInt8]? {
        if isAtEnd { return nil }
        let sealed = Array(try file.read(upToCount: SealedFile.piece + SealedFile.overhead) ?? Data())
        guard sealed.count >= SealedFile.overhead else { throw SealBroken() }
        var bytes = [UInt8](repeating: 0, count: sealed.count - SealedFile.overhead)
        var tag: UInt8 = 0
        let code = crypto_secretstream_xchacha20poly1305_pull(
            &state, &bytes, nil, &tag, sealed, UInt64(sealed.count), nil, 0)
        guard code == 0 else { throw SealBroken() }
        isAtEnd = tag == SealedFile.last
        return bytes
    }
}
