import Database
import Identity
import Records
import Wire

/// The keys that sheets are sealed under, by their owner. In one therapy these are the patient, and the holder of
/// sheets filled in before pairing.
package struct AnswerKeys: Sendable {
    private let keys: [ID<Account>: PersonKey]

    /// - Throws: `SealBroken` when a row was tampered with.
    package init(_ account: AccountRecord, _ keys: Keyring) throws {
        self.keys = [account.id: try account.key(keys)]
    }

    /// - Throws: `SealBroken` when a row was tampered with.
    package init(
        of records: [ContributionRecord], _ keys: Keyring, _ connection: borrowing Connection
    ) throws {
        var found: [ID<Account>: PersonKey] = [:]
        for id in Set(records.map(\.accountID)) {
            found[id] = try AccountStore.find(id, connection)?.key(keys)
        }
        self.keys = found
    }

    /// Nil for a sheet of an account that was erased meanwhile.
    package subscript(_ record: ContributionRecord) -> PersonKey? { keys[record.accountID] }
}
