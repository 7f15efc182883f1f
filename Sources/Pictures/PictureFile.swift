import SoundFiles

/// A picture for the web: PNG, JPEG or WebP, drawn anew and without what is only told about it.
///
/// A child process decodes it and writes it again (docs/decisions/0026): where and when it was taken and with what (EXIF, XMP),
/// comments, colour profiles with their texts, previews, and what hangs behind the end of the file are not drawn, so they are
/// gone. Of a picture that moves the first frame is left.
public struct PictureFile: Sendable, Equatable {
    public enum Kind: String, Sendable {
        case png = "image/png"
        case jpeg = "image/jpeg"
        case webP = "image/webp"
    }

    /// Why bytes are no picture to be shown. The raw value crosses the pipe between child and server.
    public enum Fault: String, Error, Sendable {
        /// None of the three formats.
        case unknown
        /// One of them, and not as its format wants it.
        case broken
        /// More pixels a side than allowed: a small file can be a huge picture.
        case tooLarge = "too_large"
        /// The server could start no child to look at it: nothing is said of the file.
        case unavailable
    }

    /// Pixels a side.
    public static let longest = 4096
    /// The longest file that is looked at.
    static let mostBytes = 16 << 20

    public let kind: Kind
    public let width: Int
    public let height: Int
    public let bytes: [UInt8]

    /// Keeps the calling thread until the child has ended; no transaction may be open meanwhile.
    /// - Parameter file: its kind is read from its first bytes.
    public init(_ file: [UInt8]) throws(Fault) { try self.init(file, by: SoundScan.ownProgram) }

    /// - Parameter program: the one that knows the command `picture-scan`.
    init(_ file: [UInt8], by program: String) throws(Fault) {
        // What is none of the three needs no child.
        guard Kind(head: file) != nil else { throw .unknown }
        guard file.count <= Self.mostBytes else { throw .broken }
        try self.init(answer: PictureScan.answer(file, by: program))
    }

    init(_ kind: Kind, width: Int, height: Int, _ bytes: [UInt8]) {
        self.kind = kind
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    // MARK: Between child and server

    /// One line, `image/png 24 16`, and the file.
    var answer: [UInt8] { Array("\(kind.rawValue) \(width) \(height)\n".utf8) + bytes }

    /// Reads what the child wrote. It has read a stranger's file, so nothing is believed that could not be true.
    private init(answer: [UInt8]) throws(Fault) {
        let line = answer.prefix(64).prefix { $0 != UInt8(ascii: "\n") }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        if let fault = words.first.flatMap({ Fault(rawValue: String($0)) }) { throw fault }
        guard words.count == 3, let kind = Kind(rawValue: String(words[0])), let width = Int(words[1]),
            let height = Int(words[2]), (1...Self.longest).contains(width),
            (1...Self.longest).contains(height)
        else { throw .broken }
        let bytes = Array(answer.dropFirst(line.count + 1))
        guard Kind(head: bytes) == kind else { throw .broken }
        self.init(kind, width: width, height: height, bytes)
    }
}

extension PictureFile.Kind {
    /// Nil for the first bytes of something else.
    init?(head: [UInt8]) {
        if head.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            self = .png
        } else if head.starts(with: [0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            self = .webP
        } else {
            return nil
        }
    }
}
