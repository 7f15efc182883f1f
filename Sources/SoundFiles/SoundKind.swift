import Foundation

/// The formats of sound that the library keeps, as they were uploaded.
public enum SoundKind: String, Sendable, CaseIterable {
    case flac, wav, vorbis, opus, mp3

    /// The number of first bytes that determine a file's kind.
    public static let headLength = 64

    /// Read from the first bytes, never from a name.
    public init?(head: [UInt8]) {
        if head.starts(with: Array("fLaC".utf8)) {
            self = .flac
        } else if head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).starts(with: Array("WAVE".utf8)) {
            self = .wav
        } else if head.starts(with: Array("OggS".utf8)) {
            // The bytes behind the head of the first page identify the stream.
            let packet = head.dropFirst(28)
            if packet.starts(with: [1] + Array("vorbis".utf8)) {
                self = .vorbis
            } else if packet.starts(with: Array("OpusHead".utf8)) {
                self = .opus
            } else {
                return nil
            }
        } else if head.starts(with: Array("ID3".utf8)) || Self.isFrameOfMP3(head) {
            self = .mp3
        } else {
            return nil
        }
    }

    /// Eleven bits of synchronisation, any version but the reserved one, layer III, a bit rate and a sample rate that exist.
    private static func isFrameOfMP3(_ head: [UInt8]) -> Bool {
        guard head.count >= 3, head[0] == 0xff, head[1] & 0xe0 == 0xe0 else { return false }
        return head[1] & 0x18 != 0x08 && head[1] & 0x06 == 0x02 && head[2] & 0xf0 != 0xf0
            && head[2] & 0x0c != 0x0c
    }

    /// The media type with which the server sends it.
    public var mediaType: String {
        switch self {
        case .flac: "audio/flac"
        case .wav: "audio/wav"
        case .vorbis: "audio/ogg; codecs=vorbis"
        case .opus: "audio/ogg; codecs=opus"
        case .mp3: "audio/mpeg"
        }
    }

    /// For our own file names; the first of the usual ones.
    public var fileExtension: String { extensions[0] }

    private var extensions: [String] {
        switch self {
        case .flac: ["flac"]
        case .wav: ["wav", "wave"]
        case .vorbis: ["ogg", "oga"]
        case .opus: ["opus", "ogg", "oga"]
        case .mp3: ["mp3"]
        }
    }

    private var claims: [String] {
        switch self {
        case .flac: ["audio/flac", "audio/x-flac"]
        case .wav: ["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"]
        case .vorbis: ["audio/ogg", "application/ogg", "audio/vorbis"]
        case .opus: ["audio/ogg", "application/ogg", "audio/opus"]
        case .mp3: ["audio/mpeg", "audio/mp3", "audio/x-mp3", "audio/mpeg3"]
        }
    }

    /// Whether such a file can be looped without a gap: MP3 has silence at both ends that browsers do not cut.
    public var isGapless: Bool { self != .mp3 }

    /// Whether the claims about a file match its bytes. A name without an ending and an unspecific type match all.
    /// - Parameters:
    ///   - name: the file's name, as it was uploaded.
    ///   - claimed: the media type it was uploaded with.
    public func fits(name: String?, claimed: String? = nil) -> Bool {
        let ending = name.map(Self.ending) ?? ""
        let type =
            claimed?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
        let fitsType = ["", "application/octet-stream"].contains(type) || claims.contains(type)
        return fitsType && (ending.isEmpty || extensions.contains(ending))
    }

    /// Whether a file may have this name. Unknown endings are accepted: uploads in progress have various names.
    func fits(path: String) -> Bool {
        let ending = Self.ending(of: path)
        return extensions.contains(ending) || !Self.allCases.contains { $0.extensions.contains(ending) }
    }

    private static func ending(of name: String) -> String { (name as NSString).pathExtension.lowercased() }
}
