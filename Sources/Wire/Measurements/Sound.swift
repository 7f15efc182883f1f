/// A sound of the library (SN-1).
public struct Sound: Documented, Decodable {
    public static let type = "sound"

    /// Its category.
    public struct Category: Codable, Sendable {
        public var id: String
        public var title: String
        public var position: Int

        public init(id: String, title: String, position: Int) {
            self.id = id
            self.title = title
            self.position = position
        }
    }

    /// Data for those who keep the library.
    public struct Library: Codable, Sendable {
        public var title: LocalizedText
        public var bytes: Int
        public var channels: Int
        /// Integrated, after EBU R 128; null for silence.
        public var loudnessLUFS: Double?
        public var truePeakDB: Double?
        public var plays: Int
        /// Of the Clinical Global Impression; null without ratings.
        public var meanRating: Double?
        public var rated: Int
        public var publishedAt: Instant?
        public var archivedAt: Instant?

        public init(
            title: LocalizedText, bytes: Int, channels: Int, loudnessLUFS: Double?, truePeakDB: Double?,
            plays: Int, meanRating: Double?, rated: Int, publishedAt: Instant?, archivedAt: Instant?
        ) {
            self.title = title
            self.bytes = bytes
            self.channels = channels
            self.loudnessLUFS = loudnessLUFS
            self.truePeakDB = truePeakDB
            self.plays = plays
            self.meanRating = meanRating
            self.rated = rated
            self.publishedAt = publishedAt
            self.archivedAt = archivedAt
        }
    }

    /// In the requested language.
    public var title: String
    public var category: Category
    public var position: Int
    public var pictureURL: String?
    /// The address of the file; its content never changes.
    public var audioURL: String
    public var lengthSeconds: Double
    public var mediaType: String
    /// The gain of a player, so that all sounds are about equally loud.
    public var gainDB: Double
    /// In samples of the file; null where the whole is repeated.
    public var loopStart: Int?
    /// The first sample behind the loop.
    public var loopEnd: Int?
    public var sampleRate: Int
    public var credits: String
    public var licence: String
    /// Null for all but study leads.
    public var library: Library?

    public init(
        title: String, category: Category, position: Int, pictureURL: String?, audioURL: String,
        lengthSeconds: Double, mediaType: String, gainDB: Double, loopStart: Int?, loopEnd: Int?,
        sampleRate: Int, credits: String, licence: String, library: Library?
    ) {
        self.title = title
        self.category = category
        self.position = position
        self.pictureURL = pictureURL
        self.audioURL = audioURL
        self.lengthSeconds = lengthSeconds
        self.mediaType = mediaType
        self.gainDB = gainDB
        self.loopStart = loopStart
        self.loopEnd = loopEnd
        self.sampleRate = sampleRate
        self.credits = credits
        self.licence = licence
        self.library = library
    }

    /// What a lead may change.
    public static let change = Schema.object([
        Schema.optional("published", .boolean), Schema.optional("archived", .boolean),
        Schema.optional("title", LocalizedText.schema), Schema.optional("credits", .string),
        Schema.optional("licence", .string), Schema.optional("category_id", .id),
        Schema.optional("position", .integer), Schema.optional("loop_start", .integer.orNull),
        Schema.optional("loop_end", .integer.orNull),
    ])
    public static let example = Sound(
        title: "Regen",
        category: Category(id: "3f2504e0-4f89-41d3-9a0c-0305e82c3301", title: "Natur", position: 1),
        position: 1, pictureURL: nil,
        audioURL: "/api/v1/sounds/files/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        lengthSeconds: 30, mediaType: "audio/flac", gainDB: -3.5, loopStart: 0, loopEnd: 1_440_000,
        sampleRate: 48_000, credits: "Intersession", licence: "CC0 1.0", library: nil)
}

/// A category of sounds, for those who keep the library.
public struct SoundCategory: Documented, Decodable {
    public static let type = "sound_category"
    public var title: LocalizedText
    public var position: Int
    /// The number of its sounds that are not archived.
    public var sounds: Int
    public var archivedAt: Instant?

    public init(title: LocalizedText, position: Int, sounds: Int, archivedAt: Instant?) {
        self.title = title
        self.position = position
        self.sounds = sounds
        self.archivedAt = archivedAt
    }

    public static let sent = Schema.object([
        Schema.property("title", LocalizedText.schema), Schema.optional("position", .integer),
    ])
    public static let change = Schema.object([
        Schema.optional("title", LocalizedText.schema), Schema.optional("position", .integer),
        Schema.optional("archived", .boolean),
    ])
    public static let example = SoundCategory(
        title: ["de": "Natur", "en": "Nature"], position: 1, sounds: 4, archivedAt: nil)
}
