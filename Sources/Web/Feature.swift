import Database
import Records
import Wire

/// One area of the portal, as the composition knows it.
package struct Feature: Sendable {
    /// Lower case, English; of the folder it stands in.
    package let name: String
    /// Its pages and calls, and what it adds to every page.
    package let addRoutes: @Sendable (inout Routes) -> Void
    /// What it keeps for as long as the portal runs.
    package var makeParts: @Sendable (Settings, Records, Log) throws -> [any Part] = { _, _, _ in [] }
    /// Removes what has run out; in one transaction with what the other features remove.
    package var removeExpired: @Sendable (_ now: Instant, borrowing Connection) throws -> Void = { _, _ in }

    package init(
        name: String, addRoutes: @escaping @Sendable (inout Routes) -> Void,
        makeParts: @escaping @Sendable (Settings, Records, Log) throws -> [any Part] = { _, _, _ in [] },
        removeExpired: @escaping @Sendable (_ now: Instant, borrowing Connection) throws -> Void = { _, _ in }
    ) {
        self.name = name
        self.addRoutes = addRoutes
        self.makeParts = makeParts
        self.removeExpired = removeExpired
    }
}

/// Something that a feature keeps for as long as the portal runs: a cache, a queue. It lies in memory only; what it holds is
/// lost with the process and unknown to a second one.
package protocol Part: AnyObject, Sendable {
    /// Somebody may be told to nobody any more: they were erased or have withdrawn.
    func consentEnded(_ records: Records)
    /// The portal stops.
    func close()
}

extension Part {
    package func consentEnded(_ records: Records) {}
    package func close() {}
}
