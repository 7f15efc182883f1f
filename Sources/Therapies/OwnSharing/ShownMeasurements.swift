import Database
import Identity
import Scheduling
import Wire

/// A patient's own measurements that the therapist of one therapy may see, read once for all kinds.
///
/// The choice was made for this therapy: a later therapist starts with nothing. Measurements after the end of a
/// therapy are hidden from its therapist.
package struct ShownMeasurements: Sendable {
    /// The patient's.
    package let zone: Zone
    private let shared: [MeasurementSharing.Measure: LocalDate?]
    private let endedAt: Instant?

    package init(in therapy: Therapy, _ connection: borrowing Connection) throws {
        endedAt = therapy.endedAt
        let account = therapy.accountID
        shared =
            try account.map { try OwnSharingStore.find(of: $0, for: therapy.id, connection).shared } ?? [:]
        // Most patients share nothing: then the zone is not needed.
        let known = shared.isEmpty ? nil : try account.flatMap { try AccountStore.find($0, connection) }
        zone = Zone(known?.timezone ?? "UTC")
    }

    package var isEmpty: Bool { shared.isEmpty }

    /// The shared period of one kind; nil for none.
    package func stretch(of measure: MeasurementSharing.Measure) -> Range<Instant>? {
        guard let since = shared[measure] else { return nil }
        let from = since.map { zone.instant($0, hour: 0, minute: 0) } ?? .distantPast
        let until = endedAt ?? .distantFuture
        return from < until ? from..<until : nil
    }
}
