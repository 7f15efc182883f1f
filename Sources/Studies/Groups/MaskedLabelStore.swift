import Database
import Records
import Wire

/// The statements about masked labels.
extension GroupStore {
    /// Draws those of a study that named its groups before there were any; nothing where it has them, or no groups.
    package static func drawLabels(of study: ID<Study>, _ connection: borrowing Connection) throws {
        guard let known = try find(study, connection), known.labels == nil else { return }
        let labels = MaskedLabels(drawnFor: known.groups.arms.map(\.key), keeping: nil)
        try connection.run(
            """
            UPDATE study_designs SET masked_labels = \(try labels.column), revision = revision + 1
            WHERE study_id = \(study) AND masked_labels IS NULL
            """)
    }
}
