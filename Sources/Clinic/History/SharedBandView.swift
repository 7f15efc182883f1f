import Database
import Therapies
import Web
import Wire

/// A patient's shared measurements, drawn along the axis of the figures.
package struct SharedBandView: Encodable, Sendable {
    let name: String
    let summary: String
    /// As a path, 1000 wide and 32 high.
    let path: String
    /// The address of all of it; nil without one.
    let page: String?

    /// All measurements shared with the therapist of a therapy in a period.
    static func all(
        _ c: Context<Caseload>, from: Instant, until: Instant, _ connection: borrowing Connection
    ) throws -> [SharedBandView] {
        let request = BandRequest(
            therapy: c.proof.patient.id, from: from, until: until, now: c.now, texts: c.texts, dates: c.dates,
            languages: c.languages)
        return try c.services.bands(request, connection).map { band in
            SharedBandView(
                name: band.name, summary: band.summary, path: path(band.marks, from: from, until: until),
                page: band.page)
        }
    }

    private static func path(_ marks: [SharedBand.Mark], from: Instant, until: Instant) -> String {
        let width = Double(max(1, until.seconds - from.seconds))
        let place = { (at: Instant) in
            Int((Double(at.seconds - from.seconds) / width * 1000).rounded())
        }
        return marks.map { mark in
            let left = max(0, place(mark.from))
            let right = min(1000, max(left + 2, place(mark.until)))
            return "M\(left) 32V\(32 - Int((mark.height * 30).rounded()))H\(right)V32Z"
        }.joined()
    }
}
