import Foundation

/// Collects bytes and passes them on to a file in large pieces. Only the owner of the data folder reads it.
struct ExportSink {
    private let file: FileHandle
    private var bytes: [UInt8] = []
    private static let piece = 1 << 18

    /// - Throws: when the file cannot be made.
    init(_ path: String) throws {
        let isMade = FileManager.default.createFile(
            atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isMade, let file = FileHandle(forWritingAtPath: path) else {
            throw CocoaError(.fileWriteUnknown)
        }
        self.file = file
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
        try file.write(contentsOf: Data(bytes))
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func close() throws {
        try flush()
        try file.close()
    }
}
