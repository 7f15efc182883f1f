public import Foundation
public import Wire

// Sounds and listening (SN-1, SN-2, SN-3).
extension Client {
    /// The library, in order of category and position. Files keep their `audioURL` for good.
    public func sounds() async throws(ClientError) -> [Item<Sound>] { try await list("/sounds") }

    public func sound(_ id: String) async throws(ClientError) -> Sound { try await get("/sounds/\(id)") }

    /// The bytes of a sound.
    public func audio(of id: String) async throws(ClientError) -> Data {
        try await send("GET", "/sounds/\(id)/audio").body
    }

    /// The bytes of a file by its hash, which ends `audioURL` and `pictureURL`; never changed, to be kept for good.
    public func soundFile(_ hash: String) async throws(ClientError) -> Data {
        try await send("GET", "/sounds/files/\(hash)").body
    }

    /// A piece of a file by its hash.
    /// - Returns: the bytes from `offset` on, at most `count`, and how many the whole file has.
    func soundFile(_ hash: String, from offset: Int, count: Int) async throws(ClientError) -> (Data, Int) {
        let range = ["Range": "bytes=\(offset)-\(offset + count - 1)"]
        let reply = try await send("GET", "/sounds/files/\(hash)", headers: range)
        guard reply.status == 206 else {
            // A proxy may have dropped the range.
            return (reply.body.dropFirst(offset), reply.body.count)
        }
        guard let whole = reply.headers["content-range"]?.split(separator: "/").last.flatMap({ Int($0) }),
            !reply.body.isEmpty
        else { throw .unreadable("206 without its range") }
        return (reply.body, whole)
    }

    /// A session that never changes: sending it again is harmless, so it may be sent until the portal has accepted it.
    public struct Listened: Encodable, Sendable {
        public var soundID: String
        public var startedAt: Instant
        /// The time that sounded, without pauses.
        public var listenedSeconds: Double
        /// Nil for once, 0 for without an end.
        public var loopMinutes: Int?
        /// 1 very much better, 4 no change, 7 very much worse; nil unless it was rated.
        public var rating: Int?
        /// `rated`, `declined` or `timed_out`.
        public var ratingState: String

        public init(
            soundID: String, startedAt: Instant, listenedSeconds: Double, loopMinutes: Int?, rating: Int?,
            ratingState: String
        ) {
            self.soundID = soundID
            self.startedAt = startedAt
            self.listenedSeconds = listenedSeconds
            self.loopMinutes = loopMinutes
            self.rating = rating
            self.ratingState = ratingState
        }
    }

    /// - Parameter id: made by the device, so that sending twice stores it once.
    public func sendListening(_ id: String, _ listened: Listened) async throws(ClientError)
        -> ListeningSession
    {
        try one(await send("PUT", "/my/listening-sessions/\(id)", listened))
    }

    public func listeningSessions() async throws(ClientError) -> [Item<ListeningSession>] {
        try await list("/my/listening-sessions")
    }

    /// - Parameter sort: `name`, `plays` or `rating`.
    public func listeningStatistics(
        sort: String = "name"
    ) async throws(ClientError) -> [Item<ListeningStatistic>] {
        try await list("/my/listening-statistics?sort=" + Self.query(sort))
    }

    public func favouriteSounds() async throws(ClientError) -> [Item<SoundFavourite>] {
        try await list("/my/sound-favourites")
    }

    public func favouriteSound(_ id: String) async throws(ClientError) -> SoundFavourite {
        try await get("/my/sound-favourites/\(id)")
    }

    public func addFavourite(sound id: String) async throws(ClientError) {
        try await send("PUT", "/my/sound-favourites/\(id)")
    }

    public func removeFavourite(sound id: String) async throws(ClientError) {
        try await send("DELETE", "/my/sound-favourites/\(id)")
    }

    /// The own measurements shared with the therapist.
    public func measurementSharing() async throws(ClientError) -> MeasurementSharing {
        try await get("/my/measurement-sharing")
    }

    public func share(_ sharing: MeasurementSharing) async throws(ClientError) -> MeasurementSharing {
        try one(await send("PUT", "/my/measurement-sharing", sharing))
    }
}
