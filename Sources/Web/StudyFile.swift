import Database
import Identity
import JSON
import Records
import Wire

/// A file of a study's export that an area above the studies knows how to fill: what participants did beside answering.
/// It is told only of those who have said yes to research, and only of the time in which they took part.
package struct StudyFile: Sendable {
    /// A column and what it means, for the codebook.
    package struct Column: Sendable {
        package let name: String
        package let german: String
        package let english: String

        package init(_ name: String, _ german: String, _ english: String) {
            self.name = name
            self.german = german
            self.english = english
        }
    }

    package typealias Rows =
        @Sendable (
            _ account: ID<Account>, _ from: Instant, _ to: Instant, _ key: PersonKey, borrowing Connection
        ) throws -> [[JSON]]

    /// What stands behind the study's name.
    package let name: String
    /// Without the participant, who comes first.
    package let columns: [Column]
    package let rows: Rows

    package init(name: String, columns: [Column], rows: @escaping Rows) {
        self.name = name
        self.columns = columns
        self.rows = rows
    }
}
