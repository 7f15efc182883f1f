import Demonstration
import PortalClient
import Wire

// An evening with sounds (SN-2): some people listen, and some keep a sound on the phone and hear it offline.
extension SimulatedPerson {
    /// Decided by the name, so that the same people listen every evening.
    private var listens: Bool { name.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % 3 == 0 }

    func listen(_ app: SimulatedPhone.App) async throws {
        guard listens, chance(0.3) else { return }
        let kept = try KeptSounds(app.phone.soundFolder, app.store)
        if try kept.all().isEmpty, let library = try? await app.client.sounds(), !library.isEmpty {
            // A storm may interrupt it; the next evening it continues.
            try? await kept.keep(library[dice.number(0...(library.count - 1))].id, app.client)
        }
        guard let sound = try kept.all().first, try kept.file(of: sound.id) != nil else { return }
        let seconds = Double(dice.number(5...1_500))
        // Ended when the phone is picked up: the person fell asleep, or rates it now.
        let state = ListeningSession.states[dice.number(0...2)]
        let listened = Client.Listened(
            soundID: sound.id, startedAt: app.phone.now.adding(seconds: -Int64(seconds) - 5),
            listenedSeconds: seconds, loopMinutes: chance(0.5) ? 2 : 0,
            rating: state == "rated" ? dice.number(1...7) : nil, ratingState: state)
        diary.heard[try app.store.heard(listened)] = listened
    }
}

extension Agreement {
    /// Every session was stored once, with its rating; and the sums match.
    mutating func listening(_ diary: Diary, _ phones: [PhoneState], _ portal: PortalState) -> [String] {
        let there = Dictionary(
            portal.listening.map { ($0.id, $0.attributes) }, uniquingKeysWith: { first, _ in first })
        var lines = there.count == portal.listening.count ? [] : ["a session of listening is there twice"]
        let refused = phones.reduce(into: Set<String>()) { $0.formUnion($1.refusedRecords) }
        for (id, mine) in diary.heard {
            guard let theirs = there[id] else {
                if !refused.contains(id) { lines.append("session of listening \(id) is lost") }
                continue
            }
            noteHeard()
            if mine.soundID != theirs.soundID || mine.startedAt.seconds != theirs.startedAt.seconds
                || mine.listenedSeconds != theirs.listenedSeconds || mine.rating != theirs.rating
                || mine.ratingState != theirs.ratingState || mine.loopMinutes != theirs.loopMinutes
            {
                lines.append("session of listening \(id) says something else")
            }
        }
        for id in Set(there.keys).subtracting(diary.heard.keys).sorted() {
            lines.append("session of listening \(id) was never heard")
        }
        return lines + Self.sums(Array(there.values), portal.listeningStatistics.map(\.attributes))
    }

    private static func sums(_ all: [ListeningSession], _ told: [ListeningStatistic]) -> [String] {
        Set(all.map(\.soundID)).union(told.map(\.soundID)).sorted().compactMap { sound in
            let sessions = all.filter { $0.soundID == sound }
            let seconds = sessions.reduce(0) { $0 + $1.listenedSeconds }
            let sum = told.first { $0.soundID == sound }
            let fits =
                sum?.plays == sessions.count(where: \.counts)
                && sum?.rated == sessions.compactMap(\.rating).count
                && abs((sum?.listenedSeconds ?? 0) - seconds) < 0.001
            return fits ? nil : "the statistics of sound \(sound) are not those of its sessions"
        }
    }
}
