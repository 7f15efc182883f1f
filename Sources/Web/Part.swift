import Records
import Wire

/// Something that a feature keeps for as long as the portal runs: a cache, a queue. It lies in memory only; what it holds is
/// lost with the process and unknown to a second one, which hears news of it.
package protocol Part: AnyObject, Sendable {
    /// Called after the transaction that made the news, here or in another portal.
    func hear(_ news: News, _ records: Records)
    /// The portal stops.
    func close()
}

extension Part {
    package func hear(_ news: News, _ records: Records) {}
    package func close() {}
}
