import Foundation

/// The destination of a request's body, decided from its head.
public enum BodyPlan: Sendable {
    /// Into memory, up to so many bytes.
    case memory(limit: Int)
    /// A form with files: its fields into memory, its files into a folder, up to so many bytes with everything.
    case upload(folder: String, limit: Int)
    /// Thrown away: the answer is known already.
    case answered(Response)
}

/// A received form with files. Files that are not taken are deleted with it.
///
/// `@unchecked Sendable` is safe because one thread fills and reads it, that of its connection.
public final class Upload: @unchecked Sendable {
    public struct File: Sendable {
        /// The name of the field, and the name of the file.
        public let field: String
        public let name: String
        /// As the client claims it.
        public let mediaType: String
        public let path: String
        public internal(set) var bytes: Int
    }

    /// Why it was refused.
    public enum Failure: Error, Equatable, Sendable {
        /// No such form, or an incomplete one.
        case malformed
        /// More fields, or a longer value, than any form has.
        case tooMuch
        /// The disk is full or broken (`errno`).
        case storage(Int32)
    }

    public internal(set) var fields: [Form.Field] = []
    public private(set) var files: [File] = []
    public internal(set) var failure: Failure?
    private let folder: String
    private var descriptor: Int32 = -1
    private var taken: Set<String> = []

    static let fieldLimit = 200
    static let valueLimit = 64 * 1024

    init(folder: String) { self.folder = folder }

    deinit {
        closeFile()
        for file in files where !taken.contains(file.path) { unlink(file.path) }
    }

    /// The file of a field; nil when none was chosen.
    public func file(_ field: String) -> File? { files.first { $0.field == field } }

    /// Hands the file over to the caller, who moves or deletes it.
    public func take(_ file: File) -> String {
        taken.insert(file.path)
        return file.path
    }

    // MARK: Being filled

    func begin(field: String, name: String, mediaType: String) {
        var template = Array((folder + "/upload-XXXXXX").utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            failure = .storage(errno)
            return
        }
        let path = String(decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        files.append(File(field: field, name: name, mediaType: mediaType, path: path, bytes: 0))
    }

    func write(_ bytes: UnsafeRawBufferPointer) {
        guard descriptor >= 0, failure == nil else { return }
        var rest = bytes
        while !rest.isEmpty {
            let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                failure = .storage(count < 0 ? errno : EIO)
                return
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        files[files.count - 1].bytes += bytes.count
    }

    func closeFile() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }
}
