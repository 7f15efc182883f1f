import Database
import Identity
import JSON
import Records
import Scheduling
import Wire

/// A file of a study's export that an area fills with what participants did beside answering. It covers only the time in which they
/// took part, and only participants who agreed to it.
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

    /// What participants agree to by what stands in a file, beside the study's own consent.
    package enum Consent: Sendable {
        /// To nothing else; what is more stands in a file only where `Person.agrees`.
        case study
        /// To kinds of measurements, one by one (`Person.gives`).
        case ticks
        /// To research as a whole (IO-20).
        case research
    }

    /// A participant's time in a study.
    package struct Person: Sendable {
        package let enrolment: ID<Enrolment>
        package let account: ID<Account>
        /// Where they enrolled: days of the study are counted there.
        package let zone: Zone
        package let from: Instant
        /// The moment they left, else now.
        package let to: Instant
        package let key: PersonKey
        /// The kinds of measurements that the study asks for and the participant gives.
        package let gives: [MeasurementSharing.Measure]
        /// Whether the latest word on research is yes.
        package let agrees: Bool
        package let keys: Keyring
        /// Names what has an id of the database.
        package let names: FileNames

        package init(
            enrolment: ID<Enrolment>, account: ID<Account>, zone: Zone, from: Instant, to: Instant,
            key: PersonKey, gives: [MeasurementSharing.Measure], agrees: Bool, keys: Keyring, names: FileNames
        ) {
            self.enrolment = enrolment
            self.account = account
            self.zone = zone
            self.from = from
            self.to = to
            self.key = key
            self.gives = gives
            self.agrees = agrees
            self.keys = keys
            self.names = names
        }

        /// A moment of it; nil for one after it, of which a study is not told.
        package func within(_ moment: Instant?) -> Instant? { moment.flatMap { $0 > to ? nil : $0 } }

        /// The local days of it, the first and the last one included.
        package var days: ClosedRange<LocalDate> {
            let first = LocalTime(from, zone).date
            return first...max(first, LocalTime(to, zone).date)
        }
    }

    package typealias Rows = @Sendable (_ person: Person, borrowing Connection) throws -> [[JSON]]
    package typealias Settling = @Sendable (borrowing Connection) throws -> StudyFile

    /// The end of the file's name, behind the study's.
    package let name: String
    /// Without the participant's column, which comes first. Empty for files that are no tables.
    package let columns: [Column]
    package let rows: Rows
    package let consent: Consent
    private let settling: Settling?

    package init(name: String, columns: [Column], consent: Consent = .research, rows: @escaping Rows) {
        self.consent = consent
        self.name = name
        self.columns = columns
        self.rows = rows
        settling = nil
    }

    /// One whose columns follow from what is stored.
    package init(name: String, consent: Consent = .research, _ settling: @escaping Settling) {
        self.consent = consent
        self.name = name
        columns = []
        rows = { _, _ in [] }
        self.settling = settling
    }

    /// With the columns of this moment.
    package func settled(_ connection: borrowing Connection) throws -> StudyFile {
        guard let settling else { return self }
        return try settling(connection)
    }
}

extension JSON {
    /// An empty cell without one.
    package static func cell(_ moment: Instant?) -> JSON { moment.map { .string($0.text) } ?? .null }
    package static func cell(_ number: Int?) -> JSON { number.map { .number(Double($0)) } ?? .null }
    package static func cell(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
    package static func cell(_ isTrue: Bool) -> JSON { .number(isTrue ? 1 : 0) }
}
