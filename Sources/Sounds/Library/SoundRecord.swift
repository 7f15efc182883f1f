import Database
import Records
import SoundFiles
import Wire
import Wording

/// A sound as stored.
package struct SoundRecord: Sendable, FromRow {
    package let id: ID<Sound>
    package var categoryID: ID<SoundCategory>
    package let categoryTitle: LocalizedText
    package let categoryPosition: Int
    package let isCategoryArchived: Bool
    package var title: LocalizedText
    package var credits: String
    package var licence: String
    package var position: Int
    package let pictureHash: String?
    package let audioHash: String
    package let mediaType: String
    package let bytes: Int
    package let milliseconds: Int
    package let sampleRate: Int
    package let channels: Int
    /// Nil for silence.
    package let loudness: Double?
    package let truePeak: Double?
    package let gain: Double
    package var loop: Range<Int>?
    package let madeAt: Instant
    package var publishedAt: Instant?
    package var archivedAt: Instant?

    package init(row: borrowing Row) throws {
        id = try row["id"]
        categoryID = try row["category_id"]
        categoryTitle = try LocalizedText(row: row, "category")
        categoryPosition = try row["category_position"]
        isCategoryArchived = try row["category_archived"]
        title = try LocalizedText(row: row, "title")
        credits = try row["credits"]
        licence = try row["licence"]
        position = try row["position"]
        pictureHash = try row["picture_hash"]
        audioHash = try row["audio_hash"]
        mediaType = try row["media_type"]
        bytes = try row["bytes"]
        milliseconds = try row["length_ms"]
        sampleRate = try row["sample_rate"]
        channels = try row["channels"]
        loudness = try row["loudness_lufs"]
        truePeak = try row["true_peak_db"]
        gain = try row["gain_db"]
        let start: Int? = try row["loop_start"]
        let end: Int? = try row["loop_end"]
        if let start, let end { loop = start..<end } else { loop = nil }
        madeAt = try row["made_at"]
        publishedAt = try row["published_at"]
        archivedAt = try row["archived_at"]
    }

    /// Whether it is public now.
    package var isOffered: Bool { publishedAt != nil && archivedAt == nil && !isCategoryArchived }

    package var seconds: Double { Double(milliseconds) / 1000 }

    /// Whether it repeats without a gap: decoded as a whole (no long one), without the silence around an MP3.
    package var isGapless: Bool {
        milliseconds <= SoundRules.gaplessSeconds * 1000 && mediaType != "audio/mpeg"
    }

    package func title(_ languages: [Language]) -> String { title.text(in: languages) ?? "" }

    package func wire(_ languages: [Language], library use: SoundUse?) -> Sound {
        Sound(
            title: title(languages),
            category: Sound.Category(
                id: categoryID.text, title: categoryTitle.text(in: languages) ?? "",
                position: categoryPosition),
            position: position, pictureURL: pictureHash.map(SoundRules.path),
            audioURL: SoundRules.path(audioHash),
            lengthSeconds: seconds, mediaType: mediaType, gainDB: gain, loopStart: loop?.lowerBound,
            loopEnd: loop?.upperBound, sampleRate: sampleRate, credits: credits, licence: licence,
            library: use.map { use in
                Sound.Library(
                    title: title, bytes: bytes, channels: channels, loudnessLUFS: loudness,
                    truePeakDB: truePeak, plays: use.plays, meanRating: use.meanRating, rated: use.rated,
                    publishedAt: publishedAt, archivedAt: archivedAt)
            })
    }
}

/// How often a sound was heard by all, and its ratings.
package struct SoundUse: Sendable, Equatable {
    package var plays = 0
    package var rated = 0
    package var ratingSum = 0

    package var meanRating: Double? { rated == 0 ? nil : Double(ratingSum) / Double(rated) }
}

/// Rules for all sounds.
package enum SoundRules {
    /// Longer ones are not decoded as a whole, so that their loop has a gap.
    package static let gaplessSeconds = 60

    /// The address of a file.
    package static func path(_ hash: String) -> String { "/api/v1/sounds/files/\(hash)" }
}
