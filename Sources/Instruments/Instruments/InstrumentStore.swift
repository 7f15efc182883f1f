import Database

/// Every statement about instrument cards.
package enum InstrumentStore {
    /// The card of a key; an empty one until it is written.
    package static func card(_ key: String, _ connection: borrowing Connection) throws -> InstrumentCard {
        try connection.first("SELECT * FROM instruments WHERE key = \(key)") { row in
            try InstrumentCard(row: row)
        } ?? InstrumentCard()
    }

    package static func save(_ card: InstrumentCard, of key: String, _ connection: borrowing Connection)
        throws
    {
        try connection.run(
            """
            INSERT INTO instruments (key, licence, source, permitted_use, cutoff_source, asks_gps, asks_microphone,
                confirmed_at, confirmed_by)
            VALUES (\(key), \(card.licence), \(card.source), \(card.permittedUse), \(card.cutoffSource),
                \(card.asksGPS), \(card.asksMicrophone), \(card.confirmedAt), \(card.confirmedBy))
            ON CONFLICT (key) DO UPDATE SET licence = excluded.licence, source = excluded.source,
                permitted_use = excluded.permitted_use, cutoff_source = excluded.cutoff_source,
                asks_gps = excluded.asks_gps, asks_microphone = excluded.asks_microphone,
                confirmed_at = excluded.confirmed_at, confirmed_by = excluded.confirmed_by
            """)
    }
}
