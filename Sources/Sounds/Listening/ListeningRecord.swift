import Database
import Records
import Web
import Wire
import Wording

/// One session of listening to a sound, as stored.
package struct ListeningRecord: Sendable, FromRow, Equatable {
    package let id: ID<ListeningSession>
    package let soundID: ID<Sound>
    package let audioHash: String
    package let startedAt: Instant
    package let listenedSeconds: Double
    package let loopMinutes: Int?
    package let rating: Int?
    package let ratingState: String
    package let receivedAt: Instant

    package init(row: borrowing Row) throws {
        id = try row["id"]
        soundID = try row["sound_id"]
        audioHash = try row["audio_hash"]
        startedAt = try row["started_at"]
        listenedSeconds = try row["listened_seconds"]
        loopMinutes = try row["loop_minutes"]
        rating = try row["rating"]
        ratingState = try row["rating_state"]
        receivedAt = try row["received_at"]
    }

    package init(
        id: ID<ListeningSession>, _ draft: ListeningDraft, audioHash: String, receivedAt: Instant
    ) {
        self.id = id
        self.audioHash = audioHash
        self.receivedAt = receivedAt
        soundID = draft.soundID
        startedAt = draft.startedAt
        listenedSeconds = draft.listenedSeconds
        loopMinutes = draft.loopMinutes
        rating = draft.rating
        ratingState = draft.ratingState
    }

    /// An invented one.
    package init(
        id: ID<ListeningSession>, sound: SoundRecord, startedAt: Instant, seconds: Double, loopMinutes: Int?,
        rating: Int?, ratingState: String, receivedAt: Instant
    ) {
        self.id = id
        soundID = sound.id
        audioHash = sound.audioHash
        self.startedAt = startedAt
        listenedSeconds = seconds
        self.loopMinutes = loopMinutes
        self.rating = rating
        self.ratingState = ratingState
        self.receivedAt = receivedAt
    }

    /// Ten seconds and more count as a play.
    package var counts: Bool { listenedSeconds >= ListeningSession.shortestPlay }

    package func wire(_ titles: [ID<Sound>: String]) -> ListeningSession {
        ListeningSession(
            soundID: soundID.text, title: titles[soundID] ?? "", startedAt: startedAt,
            listenedSeconds: listenedSeconds, loopMinutes: loopMinutes, rating: rating,
            ratingState: ratingState, receivedAt: receivedAt, counts: counts)
    }
}

/// A session as sent by a device (SN-2). Made only by reading.
package struct ListeningDraft: Sendable {
    package let soundID: ID<Sound>
    package let startedAt: Instant
    package let listenedSeconds: Double
    package let loopMinutes: Int?
    package let rating: Int?
    package let ratingState: String

    /// The listened time may exceed the elapsed time by so many seconds: clocks are set.
    private static let slack = 60.0
    /// How far a device's clock may be ahead, in seconds.
    private static let ahead: Int64 = 300

    /// - Throws: `Problem.invalid`: the future, longer than the time since the start or than a day, a rating that was
    ///   not given, or none where one was.
    package static func read(_ fields: InputReader, now: Instant) throws(Problem) -> ListeningDraft {
        let sound: ID<Sound>? = fields.id("sound_id", required: true)
        let start = fields.time("started_at", required: true)
        let seconds = fields.number("listened_seconds")
        if seconds == nil, fields.value("listened_seconds") == nil {
            fields.refuse("listened_seconds", "errors.required")
        }
        let loop = fields.whole("loop_minutes", 0...10, first: -1)
        if let loop, loop >= 0, !ListeningSession.loops.contains(loop) {
            fields.refuse("loop_minutes", "errors.choice")
        }
        let state = fields.choice("rating_state", from: ListeningSession.states, required: true)
        let rating = fields.whole("rating", 1...7, first: 0)
        if let state, let rating {
            if state == "rated", rating == 0 { fields.refuse("rating", "listening.rating_missing") }
            if state != "rated", rating > 0 { fields.refuse("rating", "listening.rating_unasked") }
        }
        if let start, start > now.adding(seconds: ahead) { fields.refuse("started_at", "errors.future") }
        if let seconds {
            if seconds < 0 || !seconds.isFinite {
                fields.refuse("listened_seconds", "listening.negative")
            } else if seconds > ListeningSession.longest {
                fields.refuse("listened_seconds", "listening.longer_than_day")
            } else if let start, start <= now.adding(seconds: ahead),
                seconds > Double(max(0, now.seconds - start.seconds)) + slack
            {
                fields.refuse("listened_seconds", "listening.longer_than_time")
            }
        }
        try fields.finish()
        guard let sound, let start, let seconds, let loop, let rating, let state else {
            throw .invalid(fields.errors)
        }
        return ListeningDraft(
            soundID: sound, startedAt: Instant(milliseconds: start.seconds * 1000),
            listenedSeconds: (seconds * 10).rounded() / 10, loopMinutes: loop < 0 ? nil : loop,
            rating: rating == 0 ? nil : rating, ratingState: state)
    }

    /// Whether it equals the stored one.
    package func says(theSameAs record: ListeningRecord) -> Bool {
        soundID == record.soundID && startedAt.seconds == record.startedAt.seconds
            && listenedSeconds == record.listenedSeconds && loopMinutes == record.loopMinutes
            && rating == record.rating && ratingState == record.ratingState
    }
}
