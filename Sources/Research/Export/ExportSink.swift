import Foundation
import Secrets

/// Writes bytes to a file in large pieces: sealed in the data folder, plain where an operator named the file.
struct ExportSink {
    private enum Output {
        case plain(FileHandle)
        case sealed(SealedFileWriter)
    }

    private var output: Output
    private var bytes: [UInt8] = []
    private var digest = FileDigest()
    private static let piece = 1 << 18

    /// - Parameter key: seals the file; nil for a plain one that only its owner may read.
    /// - Throws: when the file cannot be made.
    init(_ path: String, key: SecretKey?) throws {
        if let key {
            output = .sealed(try SealedFileWriter(path, key: key))
        } else {
            let isMade = FileManager.default.createFile(
                atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
            guard isMade, let file = FileHandle(forWritingAtPath: path) else {
                throw CocoaError(.fileWriteUnknown)
            }
            output = .plain(file)
        }
        bytes.reserveCapacity(Self.piece + 4096)
    }

    mutating func write(_ text: String) throws {
        bytes.append(contentsOf: text.utf8)
        if bytes.count >= Self.piece { try flush() }
    }

    mutating func write(_ more: [UInt8]) throws {
        bytes += more
        if bytes.count >= Self.piece { try flush() }
    }

    private mutating func flush() throws {
        digest.add(bytes)
        switch output {
        case .plain(let file): try file.write(contentsOf: Data(bytes))
        case .sealed(var writer):
            try writer.write(bytes)
            output = .sealed(writer)
        }
        bytes.removeAll(keepingCapacity: true)
    }

    /// - Returns: the SHA-256 of all that was written.
    @discardableResult
    mutating func close() throws -> String {
        try flush()
        switch output {
        case .plain(let file): try file.close()
        case .sealed(var writer): try writer.close()
        }
        return digest.hexadecimal
    }
}

/// Reads the file of a sink.
struct ExportSource {
    /// The number of bytes.
    let count: Int
    /// The next piece; nil at the end.
    let next: () throws -> [UInt8]?

    /// - Throws: when there is no such file, or the key is another one.
    init(_ path: String, key: SecretKey?) throws {
        if let key {
            count = try SealedFile.count(path)
            let reader = try SealedFileReader(path, key: key)
            next = { try reader.next() }
        } else {
            count = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
            guard let file = FileHandle(forReadingAtPath: path) else {
                throw CocoaError(.fileReadNoSuchFile)
            }
            next = {
                let data = try file.read(upToCount: 1 << 18) ?? Data()
                return data.isEmpty ? nil : Array(data)
            }
        }
    }
}
