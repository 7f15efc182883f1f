import Identity
import JSON
import Web
import Wire

extension Feature {
    /// Matching of a tinnitus, and the summary of the runs.
    package static let tinnitus = Feature(
        name: "tinnitus",
        addRoutes: { routes in
            MatchAPI.routes(&routes)
            TinnitusPages.routes(&routes)
            SharedMatches.routes(&routes)
        },
        questions: FeatureQuestions {
            $0.bands = SharedMatches.bands
            $0.hearsTinnitus = MatchStore.isAny
        },
        studyFiles: [.matches],
        ownData: { owner, connection in
            let matches = try MatchStore.all(of: owner.account.id, connection)
            return [.tinnitusMatches: try matches.map { try $0.match(owner.key) }]
        })
}

extension StudyFile {
    /// One row for each run.
    static let matches = StudyFile(
        name: "matches",
        columns: [
            Column("matched_at", "wann bestimmt (UTC)", "when matched (UTC)"),
            Column("run", "laufende Nummer des Durchgangs", "number of the run"),
            Column("method", "Verfahren: like, slider, 2afc", "method: like, slider, 2afc"),
            Column("ear", "Ohr: left, right, both", "ear: left, right, both"),
            Column("kind", "Klang: tone, noise", "sound: tone, noise"),
            Column("frequency_hz", "Frequenz (Hz)", "frequency (Hz)"),
            Column(
                "level_sl_db", "Pegel über der eigenen Hörschwelle (dB SL)",
                "level over the own threshold (dB SL)"),
            Column(
                "bandwidth_octaves", "Bandbreite (Oktaven); leer: Ton", "bandwidth (octaves); empty: tone"),
            Column("certainty", "Sicherheit, 0 bis 10", "certainty, 0 to 10"),
            Column("headphones", "Kopfhörer", "headphones"), Column("device", "Gerät", "device"),
            Column("received_at", "eingegangen (UTC)", "received (UTC)"),
        ], consent: .ticks
    ) { person, connection in
        guard person.gives.contains(.tinnitus) else { return [] }
        return try MatchStore.all(of: person.account, connection).reversed().filter { record in
            record.matchedAt >= person.from && record.matchedAt <= person.to
        }.map { record in
            let match = try record.match(person.key)
            return [
                .string(match.matchedAt.text), .number(Double(match.run)), .string(match.method),
                .string(match.ear), .string(match.kind), .number(match.frequencyHz), .number(match.levelSlDb),
                match.bandwidthOctaves.map { .number($0) } ?? .null, .number(match.certainty),
                match.headphones.map { .string($0) } ?? .null, match.device.map { .string($0) } ?? .null,
                .string(record.receivedAt.text),
            ]
        }
    }
}
