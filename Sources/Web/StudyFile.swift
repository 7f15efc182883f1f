import Database
import Identity
import JSON
import Records
import Wire

/// A file of a study's export that an area above the studies fills: what participants did beside answering. It covers
/// only the time in which they took part, and only participants who agreed: by ticking kinds of measurements for the
/// study, or to research as a whole.
package struct StudyFile: Sendable {
    /// A column and what it means, for the codebook.
    package struct Column: Sendable {
        package let name: String
        package let german: String
        package let english: String
        package let kind: Kind

        package init(_ name: String, _ german: String, _ english: String, _ kind: Kind = .text) {
            self.name = name
            self.german = german
            self.english = english
            self.kind = kind
        }
    }

    /// The type of a column; days and moments are texts of ISO 8601.
    package enum Kind: Sendable { case text, number, day, moment }

    /// A participant's time in a study.
    package struct Person: Sendable {
        package let account: ID<Account>
        package let from: Instant
        /// The moment they left, else now.
        package let to: Instant
        package let key: PersonKey
        /// The kinds of measurements that the study asks for and the participant gives.
        package let gives: [MeasurementSharing.Measure]

        package init(
            account: ID<Account>, from: Instant, to: Instant, key: PersonKey,
            gives: [MeasurementSharing.Measure]
        ) {
            self.account = account
            self.from = from
            self.to = to
            self.key = key
            self.gives = gives
        }
    }

    package typealias Rows = @Sendable (_ person: Person, borrowing Connection) throws -> [[JSON]]

    /// The end of the file's name, behind the study's.
    package let name: String
    /// Without the participant's column, which comes first. Empty for files that are no tables.
    package let columns: [Column]
    package let rows: Rows
    /// Whether it holds only what participants tick (`Person.gives`); all else needs a yes to research.
    package let isTicked: Bool

    package init(name: String, columns: [Column], isTicked: Bool = false, rows: @escaping Rows) {
        self.isTicked = isTicked
        self.name = name
        self.columns = columns
        self.rows = rows
    }
}
