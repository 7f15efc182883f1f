import Foundation
import HTTP
import JSON
import Pictures
import Secrets
import Web
import Wording

/// The picture of a study. Its type is read from its first bytes, never from its name.
package struct StudyPicture: Sendable, Equatable {
    package let mediaType: String
    package let bytes: [UInt8]

    /// In bytes, as sent and as drawn.
    static let largest = 500_000

    /// Whether it is within the limit: one that was drawn anew may have become larger than what was sent.
    package var fits: Bool { bytes.count <= Self.largest }

    /// A hash of the bytes: a new picture has a new address.
    package var version: String { String(Token.base64url(Digest.plain(bytes)).prefix(16)) }

    /// Keeps only the pixels: metadata on place, device and author is dropped.
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

/// A change of a study's picture.
package enum PictureChange: Sendable {
    case keep, remove
    case set(StudyPicture)

    /// - Throws: `Problem.unavailable` where the server could not look at it.
    static func read(_ fields: InputReader) throws(Problem) -> PictureChange {
        fields.isForm ? try read(form: fields) : try read(json: fields)
    }

    /// Base64 over the API; null removes it.
    private static func read(json fields: InputReader) throws(Problem) -> PictureChange {
        guard fields.has("picture") else { return .keep }
        guard let value = fields.value("picture") else { return .remove }
        guard let data = value.string.flatMap({ Data(base64Encoded: $0) }) else {
            fields.refuse("picture", "studies.picture_wrong")
            return .keep
        }
        return try read(Array(data), fields)
    }

    /// A file of the form, or a box that removes it.
    private static func read(form fields: InputReader) throws(Problem) -> PictureChange {
        let isRemoved = fields.bool("picture_removed") ?? false
        guard let bytes = fields.form.picture("picture") else {
            // Chosen, and said to be something else.
            if !fields.form.files("picture").isEmpty { fields.refuse("picture", "studies.picture_wrong") }
            return isRemoved ? .remove : .keep
        }
        return try read(bytes, fields)
    }

    private static func read(_ bytes: [UInt8], _ fields: InputReader) throws(Problem) -> PictureChange {
        var message = "studies.picture_large"
        var limit = StudyPicture.largest / 1000
        do {
            let drawn = bytes.count > StudyPicture.largest ? nil : try StudyPicture(bytes)
            if let drawn, drawn.fits { return .set(drawn) }
        } catch {
            limit = PictureFile.longest
            switch error {
            case .tooLarge: message = "studies.picture_long"
            case .broken: message = "studies.picture_broken"
            case .unknown: message = "studies.picture_wrong"
            case .unavailable: throw Problem.unavailable(retryAfter: 60)
            }
        }
        fields.refuse("picture", message, ["limit": String(limit)])
        return .keep
    }
}
