import Foundation
import HTTP
import Secrets
import Wire

/// The picture of a study. Its kind is read from its first bytes, never from its name.
struct StudyPicture: Sendable, Equatable {
    let mediaType: String
    let bytes: [UInt8]

    static let largest = 500_000

    /// Of the newest bytes alone: a new picture has a new address.
    var version: String { String(Token.base64url(Digest.plain(bytes)).prefix(16)) }

    /// Nil for anything but PNG, JPEG and WebP.
    init?(_ bytes: [UInt8]) {
        let isWebP =
            bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
        if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            mediaType = "image/png"
        } else if bytes.starts(with: [0xff, 0xd8, 0xff]) {
            mediaType = "image/jpeg"
        } else if isWebP {
            mediaType = "image/webp"
        } else {
            return nil
        }
        self.bytes = bytes
    }

    init(mediaType: String, bytes: [UInt8]) { (self.mediaType, self.bytes) = (mediaType, bytes) }

    var response: Response {
        var response = Response(status: 200, headers: ["Content-Type": mediaType], body: .bytes(bytes))
        response.headers.append("Cache-Control", "private, max-age=86400")
        return response
    }
}

/// What becomes of a study's picture.
enum PictureChange: Sendable {
    case keep, remove
    case set(StudyPicture)

    /// Base64 over the API; null removes it.
    static func read(json fields: Fields) -> PictureChange {
        guard fields.has("picture") else { return .keep }
        guard let value = fields.value("picture") else { return .remove }
        guard let data = value.string.flatMap({ Data(base64Encoded: $0) }) else {
            fields.refuse("picture", "studies.picture_wrong")
            return .keep
        }
        return read(Array(data), fields)
    }

    /// A file of the form, or a box that removes it.
    static func read(form: Form, _ fields: Fields) -> PictureChange {
        let isRemoved = fields.bool("picture_removed") ?? false
        guard let bytes = form.picture("picture") else { return isRemoved ? .remove : .keep }
        return read(bytes, fields)
    }

    private static func read(_ bytes: [UInt8], _ fields: Fields) -> PictureChange {
        if bytes.count > StudyPicture.largest {
            fields.refuse("picture", "studies.picture_large", ["limit": String(StudyPicture.largest / 1000)])
            return .keep
        }
        guard let picture = StudyPicture(bytes) else {
            fields.refuse("picture", "studies.picture_wrong")
            return .keep
        }
        return .set(picture)
    }
}
