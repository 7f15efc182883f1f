import Database
import Identity
import Records
import Web
import Wire

/// A patient's choice of own measurements for their therapist to see: listening, tinnitus, wearables. None by default.
package enum OwnSharing {
    /// The part of a period that a therapist may see of one kind of measurement; nil for none.
    package static func stretch(
        of measure: MeasurementSharing.Measure, in therapy: Therapy, _ connection: borrowing Connection
    ) throws -> Range<Instant>? {
        try ShownMeasurements(in: therapy, connection).stretch(of: measure)
    }

    /// Reads a change over the API: a type that is not sent keeps its value.
    /// - Throws: `Problem.invalid`.
    package static func read(
        _ fields: InputReader, over present: MeasurementSharing
    ) throws -> MeasurementSharing {
        var wanted = present
        let since = fields.object("since")
        for measure in MeasurementSharing.Measure.ordered {
            let name = measure.rawValue
            let wish = fields.bool(name)
            let isOn = wish ?? (present.shared[measure] != nil)
            let hasDay = since?.has(name) ?? false
            let day = since?.date(name)
            if !isOn {
                // A no clears the day, also one that a client sends back unchanged.
                if wish == nil, day != nil { since?.refuse(name, "own_sharing.not_shared") }
                wanted.shared[measure] = nil
            } else if hasDay || present.shared[measure] == nil {
                wanted.shared.updateValue(day, forKey: measure)
            }
        }
        fields.adopt(since)
        try fields.finish()
        return wanted
    }

    package static func save(_ sharing: MeasurementSharing, _ c: Context<Member>) throws {
        let account = c.proof.account
        let names = sharing.shared.keys.map(\.rawValue).sorted().joined(separator: " ")
        let change = try c.change(of: try account.key(c.keys), to: ["types": names])
        try c.write(.sharingChosen, about: account.id, change: change) { connection in
            try OwnSharingStore.set(sharing, of: account.id, connection)
        }
    }
}

extension AuditAction {
    static let sharingChosen = AuditAction(name: "measurements.shared")
}
