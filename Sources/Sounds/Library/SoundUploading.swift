import Database
import Foundation
import HTTP
import Pictures
import SoundFiles
import Web
import Wire
import Wording

/// Uploaded files: sounds are measured in a child process, pictures are copied without metadata.
enum SoundUploading {
    /// Audio, picture, and the other fields of a form.
    static let limit = SoundLimits.bytes + SoundUploading.pictureLimit + 64 * 1024
    private static let pictureLimit = 2_000_000

    struct Kept {
        let file: AudioFile
        let name: String
        let picture: Picture?
    }

    struct Picture: Sendable {
        let hash: String
        let mediaType: String
        let bytes: Int
    }

    /// - Throws: `Problem.invalid` under `audio` or `picture`; then nothing is kept.
    static func take(_ c: Context<Member>) throws -> Kept {
        guard let upload = c.request.upload else { throw Problem.unsupportedMediaType }
        if case .storage? = upload.failure { throw Problem.unavailable(retryAfter: 60) }
        guard upload.failure == nil else { throw Problem.malformed(Message("problems.malformed")) }
        let fields = InputReader(form: try c.form())
        for file in upload.files where !["audio", "picture"].contains(file.field) {
            fields.refuse(String(file.field.prefix(60)), "errors.unknown_field")
        }
        try fields.finish()
        guard let audio = upload.file("audio"), audio.bytes > 0 else {
            throw Problem.invalid("audio", "sound_library.no_file")
        }
        let picture = try upload.file("picture").flatMap { try self.picture($0) }
        let measure: SoundMeasure
        do {
            measure = try SoundScan().run(file: audio.path, name: audio.name, claimed: audio.mediaType)
        } catch {
            throw Problem.invalid("audio", "sound_library.problem_\(error.rawValue)")
        }
        let folder = SoundFolder(c.services.settings)
        let hash = try folder.keep(file: upload.take(audio))
        let kept = try picture.map { picture in
            Picture(
                hash: try folder.keep(picture.bytes), mediaType: picture.kind.rawValue,
                bytes: picture.bytes.count)
        }
        return Kept(
            file: AudioFile(hash: hash, measure: measure),
            name: String(audio.name.prefix(120)), picture: kept)
    }

    private static func picture(_ file: Upload.File) throws -> PictureFile? {
        if file.bytes == 0 { return nil }
        guard file.bytes <= pictureLimit else {
            throw Problem.invalid("picture", "sound_library.picture_large")
        }
        guard let data = FileManager.default.contents(atPath: file.path) else {
            throw Problem.unavailable(retryAfter: 60)
        }
        do {
            return try PictureFile(Array(data))
        } catch {
            let key =
                switch error {
                case .unknown: "sound_library.picture_unknown"
                case .broken: "sound_library.picture_broken"
                case .tooLarge: "sound_library.picture_long"
                case .unavailable: throw Problem.unavailable(retryAfter: 60)
                }
            throw Problem.invalid("picture", key)
        }
    }

    /// Removes files that no row of the database names.
    static func discard(_ kept: Kept, _ c: Context<Member>) {
        let folder = SoundFolder(c.services.settings)
        for hash in [kept.file.hash, kept.picture?.hash].compactMap(\.self) {
            let isKnown = (try? c.read { try SoundFileStore.find(hash, $0) != nil }) ?? true
            if !isKnown { folder.remove(hash) }
        }
    }

    /// Writes their rows, in the transaction that uses them.
    static func note(_ kept: Kept, at now: Instant, _ connection: borrowing Connection) throws {
        try SoundFileStore.keep(kept.file, at: now, connection)
        guard let picture = kept.picture else { return }
        try SoundFileStore.keep(
            picture: picture.hash, mediaType: picture.mediaType, bytes: picture.bytes, at: now, connection)
    }
}
