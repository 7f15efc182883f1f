import Database
import Identity
import Records
import Scheduling
import Wire

/// What the therapist of one therapy may see of somebody's own measurements, read once for all kinds.
///
/// It was chosen for this therapy: a later therapist begins with nothing. What came after the end of a therapy is none of its
/// therapist's business.
package struct ShownMeasurements: Sendable {
    /// The person's own.
    package let zone: Zone
    private let shared: [MeasurementSharing.Measure: LocalDate?]
    private let endedAt: Instant?

    package init(in therapy: Therapy, _ connection: borrowing Connection) throws {
        endedAt = therapy.endedAt
        let account = therapy.accountID
        shared =
            try account.map { try OwnSharingStore.find(of: $0, for: therapy.id, connection).shared } ?? [:]
        // Most people show nothing, and nobody asks for the zone of those.
        let known = shared.isEmpty ? nil : try account.flatMap { try AccountStore.find($0, connection) }
        zone = Zone(known?.timezone ?? "UTC")
    }

    package var isEmpty: Bool { shared.isEmpty }

    /// The time of which one kind is shown; nil for none.
    package func stretch(of measure: MeasurementSharing.Measure) -> Range<Instant>? {
        guard let since = shared[measure] else { return nil }
        let from = since.map { zone.instant($0, hour: 0, minute: 0) } ?? .distantPast
        let until = endedAt ?? .distantFuture
        return from < until ? from..<until : nil
    }
}
