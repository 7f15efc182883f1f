import JSON
import Records
import Web
import Wire

extension StudyFile {
    /// The listening file of a study's export (SN-2): one row for each session.
    static let listening = StudyFile(
        name: "listening",
        columns: [
            Column("sound", "Titel des Geräuschs, deutsch", "title of the sound, in German"),
            Column("sound_id", "Kennung des Geräuschs", "id of the sound"),
            Column("audio_hash", "SHA-256 der gehörten Datei", "SHA-256 of the file that was heard"),
            Column("started_at", "begonnen (UTC)", "begun (UTC)"),
            Column("listened_seconds", "gehört, ohne Pausen (s)", "listened to, without pauses (s)"),
            Column(
                "loop_minutes", "Schleife in Minuten; leer: einmal, 0: endlos",
                "loop in minutes; empty: once, 0: endless"),
            Column(
                "rating",
                "Veränderung (CGI): 1 sehr viel besser, 4 unverändert, 7 sehr viel schlechter; leer: keine",
                "change (CGI): 1 very much better, 4 no change, 7 very much worse; empty: none"),
            Column(
                "rating_state", "rated: bewertet, declined: keine Bewertung, timed_out: keine Antwort",
                "rated, declined, or timed_out without an answer"),
            Column("counts", "1: zählt, ab 10 s", "1: counts, from 10 s on"),
        ], consent: .ticks
    ) { person, connection in
        guard person.gives.contains(.listening) else { return [] }
        let titles = Dictionary(
            uniqueKeysWithValues: try SoundStore.all(connection).map {
                ($0.id, $0.title.text(in: ["de"]) ?? "")
            })
        return try ListeningStore.all(of: person.account, from: person.from, until: person.to, connection)
            .reversed().map {
                session in
                [
                    .string(titles[session.soundID] ?? ""), .string(session.soundID.text),
                    .string(session.audioHash), .string(session.startedAt.text),
                    .number(session.listenedSeconds),
                    session.loopMinutes.map { .number(Double($0)) } ?? .null,
                    session.rating.map { .number(Double($0)) } ?? .null, .string(session.ratingState),
                    .number(session.counts ? 1 : 0),
                ]
            }
    }
}
