/// A picture for the web: PNG, JPEG or WebP, without what is only told about it.
///
/// The containers are read and copied piece by piece; what is inside is never decoded, because decoders are where pictures
/// do harm. Kept is what a browser needs to draw it. Left out is everything else: where and when it was taken and with what
/// (EXIF, XMP), comments, colour profiles with their texts, previews, and what hangs behind the end of the file.
public struct PictureFile: Sendable, Equatable {
    public enum Kind: String, Sendable {
        case png = "image/png"
        case jpeg = "image/jpeg"
        case webP = "image/webp"
    }

    /// Why bytes are no picture to be shown.
    public enum Fault: Error, Sendable {
        /// None of the three formats.
        case unknown
        /// One of them, and not as its format wants it.
        case broken
        /// More pixels a side than allowed: a small file can be a huge picture.
        case tooLarge
    }

    /// Pixels a side.
    public static let longest = 4096

    public let kind: Kind
    public let width: Int
    public let height: Int
    public let bytes: [UInt8]

    /// The kind is read from the first bytes, never from a name.
    public init(_ file: [UInt8]) throws(Fault) {
        var reader = ByteReader(file)
        let copy: PictureCopy
        if reader.skip([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            kind = .png
            copy = try PNGFile.copy(&reader)
        } else if reader.skip([0xff, 0xd8]), reader.starts(with: [0xff]) {
            kind = .jpeg
            copy = try JPEGFile.copy(&reader)
        } else {
            var reader = ByteReader(file)
            guard reader.skip(Array("RIFF".utf8)), let size = reader.little(4),
                reader.skip(Array("WEBP".utf8))
            else { throw .unknown }
            kind = .webP
            guard size >= 4, let chunks = reader.take(size - 4) else { throw .broken }
            copy = try WebPFile.copy(chunks)
        }
        width = copy.width
        height = copy.height
        bytes = copy.bytes
    }
}

/// A picture that is being copied.
struct PictureCopy {
    private(set) var width = 0
    private(set) var height = 0
    var bytes: [UInt8]

    init(_ head: [UInt8]) { bytes = head }

    mutating func setSize(_ width: Int, _ height: Int) throws(PictureFile.Fault) {
        try Self.check(width, height)
        self.width = width
        self.height = height
    }

    static func check(_ width: Int, _ height: Int) throws(PictureFile.Fault) {
        guard width > 0, height > 0 else { throw .broken }
        guard width <= PictureFile.longest, height <= PictureFile.longest else { throw .tooLarge }
    }
}

/// Bytes read one after the other; what is not there is nil.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private(set) var position: Int

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)[...]
        position = 0
    }

    var rest: Int { bytes.count - position }

    func starts(with start: [UInt8]) -> Bool { bytes[position...].starts(with: start) }

    /// - Returns: false when other bytes are there; then nothing is skipped.
    mutating func skip(_ start: [UInt8]) -> Bool {
        guard starts(with: start) else { return false }
        position += start.count
        return true
    }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= rest else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// A whole number of up to four bytes, the highest first.
    mutating func big(_ count: Int) -> Int? { take(count)?.reduce(0) { $0 << 8 | Int($1) } }

    /// The same, the lowest first.
    mutating func little(_ count: Int) -> Int? { take(count)?.reversed().reduce(0) { $0 << 8 | Int($1) } }
}
