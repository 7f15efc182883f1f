import Database
import Foundation
import HTTP
import Pictures
import Records
import SoundFiles
import Web
import Wire
import Wording

/// Uploaded files: sounds are measured in a child process, pictures are copied without metadata.
enum SoundUploading {
    /// Audio, picture, and the other fields of a form.
    static let limit = SoundLimits.bytes + SoundUploading.pictureLimit + 64 * 1024
    private static let pictureLimit = 2_000_000

    /// What came in, still outside of the folder.
    struct Received: Sendable {
        let file: AudioFile
        let name: String
        let picture: Picture?
        /// Where the sound lies until the request ends.
        fileprivate let path: String
        fileprivate let folder: SoundFolder
    }

    struct Picture: Sendable {
        let hash: String
        fileprivate let mediaType: String
        fileprivate let bytes: [UInt8]
    }

    /// - Throws: `Problem.invalid` under `audio` or `picture`.
    static func take(_ c: Context<Member>) throws -> Received {
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
        // Its transaction waits for the disk no longer than for the name.
        try DurableFile.synchronise(audio.path)
        return Received(
            file: AudioFile(hash: try HashedFiles.hash(of: audio.path), measure: measure),
            name: String(audio.name.prefix(120)),
            picture: picture.map { picture in
                Picture(
                    hash: HashedFiles.hash(of: picture.bytes), mediaType: picture.kind.rawValue,
                    bytes: picture.bytes)
            }, path: audio.path, folder: SoundFolder(c.services.settings))
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

    /// Keeps the files, in the transaction that uses them: one that is refused has nothing in the folder that would have to be
    /// removed while another upload of the same bytes relies on it.
    static func keep(_ received: Received, at now: Instant, _ connection: borrowing Connection) throws {
        try SoundFileStore.keep(received.file, at: now, connection)
        try received.folder.keep(file: received.path, as: received.file.hash)
        guard let picture = received.picture else { return }
        try SoundFileStore.keep(
            picture: picture.hash, mediaType: picture.mediaType, bytes: picture.bytes.count, at: now,
            connection)
        try received.folder.keep(picture.bytes)
    }
}
