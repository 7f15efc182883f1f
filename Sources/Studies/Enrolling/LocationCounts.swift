import Database
import Records
import Wire
import Wording

/// How many participants gave their position, and why others did not, as the next export holds them.
package struct LocationCounts: Sendable {
    private var isAsked = false
    private var allowed = 0
    private var refusedByDevice = 0
    private var unaskedByDevice = 0
    private var refused = 0
    private var unasked = 0

    package init() {}

    package init(_ study: ID<Study>, _ people: [EnrolmentRecord], _ connection: borrowing Connection) throws {
        isAsked = try StudyItemStore.all(in: study, connection).contains { $0.asks("gps") }
        for enrolment in people {
            switch (enrolment.location, enrolment.locationDevice) {
            case (nil, _): unasked += 1
            case (.refused, _): refused += 1
            case (.allowed, let device):
                allowed += 1
                if device == .refused { refusedByDevice += 1 }
                if device == nil { unaskedByDevice += 1 }
            }
        }
    }

    /// - Parameter positions: how many were written.
    package func words(positions: Int, _ texts: Texts) -> String {
        guard isAsked else { return texts["studies.location_never"] }
        let counts = texts[
            "studies.location_counts",
            [
                "allowed": String(allowed), "by_device": String(refusedByDevice),
                "not_yet": String(unaskedByDevice), "refused": String(refused), "unasked": String(unasked),
            ]]
        return positions > 0 ? counts : texts["studies.location_empty_\(reason)"] + " " + counts
    }

    /// Why there is none.
    private var reason: String {
        if allowed == 0 { return unasked > 0 && refused == 0 ? "unasked" : "nobody" }
        if allowed == refusedByDevice { return "device" }
        return allowed == unaskedByDevice ? "not_yet" : "none"
    }
}
