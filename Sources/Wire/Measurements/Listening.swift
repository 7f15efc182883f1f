/// One session of listening to a sound (SN-2). It never changes.
public struct ListeningSession: Documented, Decodable {
    public static let type = "listening_session"
    /// The least seconds of a play.
    public static let shortestPlay = 10.0
    public static let longest = 86_400.0
    public static let loops = [0, 2, 5, 10]
    public static let states = ["rated", "declined", "timed_out"]

    public var soundID: String
    /// In the requested language.
    public var title: String
    public var startedAt: Instant
    /// The time that sounded, without pauses.
    public var listenedSeconds: Double
    /// Null: once; 0: without an end.
    public var loopMinutes: Int?
    /// The Clinical Global Impression of the change: 1 very much better, 4 none, 7 very much worse.
    public var rating: Int?
    public var ratingState: String
    public var receivedAt: Instant
    /// Whether it is a play: ten seconds and more.
    public var counts: Bool

    public init(
        soundID: String, title: String, startedAt: Instant, listenedSeconds: Double, loopMinutes: Int?,
        rating: Int?, ratingState: String, receivedAt: Instant, counts: Bool
    ) {
        self.soundID = soundID
        self.title = title
        self.startedAt = startedAt
        self.listenedSeconds = listenedSeconds
        self.loopMinutes = loopMinutes
        self.rating = rating
        self.ratingState = ratingState
        self.receivedAt = receivedAt
        self.counts = counts
    }

    public static let sent = Schema.object([
        Schema.property("sound_id", .id), Schema.property("started_at", .time),
        Schema.property("listened_seconds", .number), Schema.optional("loop_minutes", .integer.orNull),
        Schema.property("rating", .integer.orNull), Schema.property("rating_state", .choice(states)),
    ])
    public static let narrowed: [String: Schema] = ["ratingState": .choice(states)]
    public static let example = ListeningSession(
        soundID: "3f2504e0-4f89-41d3-9a0c-0305e82c3301", title: "Regen", startedAt: .example,
        listenedSeconds: 120, loopMinutes: 2, rating: 3, ratingState: "rated",
        receivedAt: Instant(milliseconds: 1_795_000_130_000), counts: true)
}

/// An account's listening to one sound (SN-3).
public struct ListeningStatistic: Documented, Decodable {
    public static let type = "listening_statistic"
    public static let sorts = ["name", "plays", "rating"]

    public var soundID: String
    public var title: String
    public var plays: Int
    /// Of all sessions, shorter ones than plays included.
    public var listenedSeconds: Double
    /// Null without ratings.
    public var meanRating: Double?
    public var rated: Int

    public init(
        soundID: String, title: String, plays: Int, listenedSeconds: Double, meanRating: Double?, rated: Int
    ) {
        self.soundID = soundID
        self.title = title
        self.plays = plays
        self.listenedSeconds = listenedSeconds
        self.meanRating = meanRating
        self.rated = rated
    }

    public static let example = ListeningStatistic(
        soundID: "3f2504e0-4f89-41d3-9a0c-0305e82c3301", title: "Regen", plays: 12, listenedSeconds: 3_600,
        meanRating: 3.1, rated: 9)
}

/// A favourite sound of an account.
public struct SoundFavourite: Documented, Decodable {
    public static let type = "sound_favourite"
    public var title: String
    public var addedAt: Instant

    public init(title: String, addedAt: Instant) {
        self.title = title
        self.addedAt = addedAt
    }

    public static let example = SoundFavourite(title: "Regen", addedAt: .example)
}
