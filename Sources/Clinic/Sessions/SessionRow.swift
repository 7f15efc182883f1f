import Records
import Therapies

/// A session in a list.
package struct SessionRow: Encodable, Sendable {
    package let id: ID<Session>
    package let patient: ID<Therapy>
    package let codename: String
    package var alias: String? = nil
    package let when: String
    package let machineTime: String
    package let number: String?
    package let title: String?
    package let comment: String?
    package let state: String
    package let tone: String
    package let file: String?
    /// The words it may still be given.
    package let marks: [Mark]
    let hasMarks: Bool
    /// The page that marking comes back to; nil for the patient's own list.
    var back: String? = nil
    /// Whether another session takes place at the same time.
    var isAtOnce = false

    package struct Mark: Encodable, Sendable {
        package let state: String
        package let label: String
    }
    package static let example = SessionRow(
        id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a15", patient: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11",
        codename: "C020480", alias: "Frau Winter", when: "Di 24.11. 09:00",
        machineTime: "2026-11-24T09:00",
        number: "Sitzung 12", title: "Therapie", comment: nil, state: "geplant", tone: "accent",
        file: nil, marks: [Mark(state: "cancelled", label: "abgesagt")], hasMarks: true)
}
