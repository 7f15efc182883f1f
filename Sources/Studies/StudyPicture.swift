import Files
import Foundation
import HTTP
import JSON
import Secrets
import Web

/// The picture of a study. Its kind is read from its first bytes, never from its name.
package struct StudyPicture: Sendable, Equatable {
    package let mediaType: String
    package let bytes: [UInt8]

    static let largest = 500_000

    /// Of the newest bytes alone: a new picture has a new address.
    package var version: String { String(Token.base64url(Digest.plain(bytes)).prefix(16)) }

    /// What draws it, and nothing of what its file tells besides: where it was taken, with what, by whom.
    package init(_ bytes: [UInt8]) throws(PictureFile.Fault) {
        let file = try PictureFile(bytes)
        mediaType = file.kind.rawValue
        self.bytes = file.bytes
    }

    package init(mediaType: String, bytes: [UInt8]) { (self.mediaType, self.bytes) = (mediaType, bytes) }

    package var response: Response {
        var response = Response(status: 200, headers: ["Content-Type": mediaType], body: .bytes(bytes))
        response.headers.append("Cache-Control", "private, max-age=86400")
        return response
    }
}

/// What becomes of a study's picture.
package enum PictureChange: Sendable {
    case keep, remove
    case set(StudyPicture)

    /// Base64 over the API; null removes it.
    static func read(json fields: InputReader) -> PictureChange {
        guard fields.has("picture") else { return .keep }
        guard let value = fields.value("picture") else { return .remove }
        guard let data = value.string.flatMap({ Data(base64Encoded: $0) }) else {
            fields.refuse("picture", "studies.picture_wrong")
            return .keep
        }
        return read(Array(data), fields)
    }

    /// A file of the form, or a box that removes it.
    static func read(form: Form, _ fields: InputReader) -> PictureChange {
        let isRemoved = fields.bool("picture_removed") ?? false
        guard let bytes = form.picture("picture") else {
            // Chosen, and said to be something else.
            if !form.files("picture").isEmpty { fields.refuse("picture", "studies.picture_wrong") }
            return isRemoved ? .remove : .keep
        }
        return read(bytes, fields)
    }

    private static func read(_ bytes: [UInt8], _ fields: InputReader) -> PictureChange {
        if bytes.count > StudyPicture.largest {
            fields.refuse("picture", "studies.picture_large", ["limit": String(StudyPicture.largest / 1000)])
            return .keep
        }
        do {
            return .set(try StudyPicture(bytes))
        } catch {
            let message =
                switch error {
                case .tooLarge: "studies.picture_long"
                case .broken: "studies.picture_broken"
                case .unknown: "studies.picture_wrong"
                }
            fields.refuse("picture", message, ["limit": String(PictureFile.longest)])
            return .keep
        }
    }
}
