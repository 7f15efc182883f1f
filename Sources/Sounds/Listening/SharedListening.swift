import Database
import Identity
import Psychometrics
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// A therapist's view of listening, where the patient shares it: a band along the time.
enum SharedListening {
    @Sendable static func bands(
        _ request: BandRequest, _ connection: borrowing Connection
    ) throws -> [SharedBand] {
        guard let therapy = try TherapyStore.find(ID(request.therapy.text), connection),
            let account = therapy.accountID,
            let stretch = try OwnSharing.stretch(of: .listening, in: therapy, connection)
        else { return [] }
        let from = max(request.from, stretch.lowerBound)
        let until = min(request.until, stretch.upperBound)
        guard from < until else { return [] }
        let sessions = try ListeningStore.all(of: account, from: from, until: until, connection)
            .filter(\.counts)
        return [
            SharedBand(
                name: request.texts["listening.band"], summary: summary(sessions, request.texts),
                marks: marks(sessions, request.dates.zone))
        ]
    }

    /// `12-mal, 3:20:00, mittlere Bewertung 3,1 (n = 9)`.
    private static func summary(_ sessions: [ListeningRecord], _ texts: Texts) -> String {
        guard !sessions.isEmpty else { return texts["listening.band_none"] }
        let ratings = sessions.compactMap(\.rating)
        let seconds = sessions.reduce(0) { $0 + $1.listenedSeconds }
        let parts = [texts.count("listening.band_plays", sessions.count), SoundLibraryView.clock(seconds)]
        guard let mean = ratings.map(Double.init).mean else { return parts.joined(separator: ", ") }
        let rating = texts[
            "listening.band_mean", ["mean": texts.number(mean), "n": String(ratings.count)]]
        return (parts + [rating]).joined(separator: ", ")
    }

    /// One for each day, as high as the time listened: an hour and more is the whole height.
    private static func marks(_ sessions: [ListeningRecord], _ zone: Zone) -> [SharedBand.Mark] {
        let byDay = Dictionary(grouping: sessions) { LocalTime($0.startedAt, zone).date }
        return byDay.keys.sorted().map { day in
            let seconds = (byDay[day] ?? []).reduce(0) { $0 + $1.listenedSeconds }
            let begin = zone.instant(day, hour: 0, minute: 0)
            return SharedBand.Mark(
                from: begin, until: begin.adding(days: 1), height: min(1, max(0.1, seconds / 3_600)))
        }
    }
}
