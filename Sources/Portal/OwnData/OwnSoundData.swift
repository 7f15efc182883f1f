import Accounts
import Database
import Identity
import Records
import Sounds
import Web
import Wire
import Wording

/// What was heard, and what is liked to be heard.
extension OwnDataReader {
    func heard(_ connection: borrowing Connection) throws -> [Section] {
        let titles = Dictionary(
            uniqueKeysWithValues: try SoundStore.all(connection).map { ($0.id, $0.title(c.languages)) })
        let sessions = try ListeningStore.all(of: account.id, connection)
        let favourites = try FavouriteStore.all(of: account.id, connection)
        return [
            ("listening", sessions.map { $0.wire(titles) }),
            (
                "sound_favourites",
                favourites.map { SoundFavourite(title: titles[$0.sound] ?? "", addedAt: $0.addedAt) }
            ),
        ]
    }
}
