import Database
import Identity
import Records
import Web

/// The codename, and the therapist's name for the patient (PR-6). Never in mails, calendars, exports or logs.
package struct PatientName: Encodable, Sendable {
    package let codename: String
    /// Nil without one, for all readers but the therapist, and while names are hidden.
    package let alias: String?

    package init(codename: String, alias: String?) {
        self.codename = codename
        self.alias = alias
    }

    /// For sentences: `Frau Winter (C020480)`.
    package var inWords: String { alias.map { "\($0) (\(codename))" } ?? codename }
}

extension Therapy {
    /// - Parameter reader: the account that sees the page.
    package func name(for reader: AccountRecord, _ keys: Keyring) throws -> PatientName {
        PatientName(codename: codename, alias: mayNameTo(reader) ? try alias(keys) : nil)
    }

    /// Whether the therapist's private words may be shown to a reader: alias, note, questions.
    package func mayNameTo(_ reader: AccountRecord) -> Bool {
        reader.id == therapistID && !reader.hidesNames
    }
}

extension Context where Proof == Caseload {
    /// The patient's name on this page.
    package func patientName() throws -> PatientName {
        PatientName(
            codename: proof.patient.codename, alias: proof.mayShowAlias ? try proof.patient.alias(keys) : nil)
    }
}

/// The names of a caseload's patients, for lists of them.
package struct PatientNames {
    private let therapies: [ID<Therapy>: Therapy]
    private let reader: AccountRecord
    private let keys: Keyring

    package init(_ c: Context<Member>, _ connection: borrowing Connection) throws {
        self.init(try TherapyStore.caseload(of: c.proof.account.id, connection), c)
    }

    package init(_ caseload: [Therapy], _ c: Context<Member>) {
        therapies = Dictionary(uniqueKeysWithValues: caseload.map { ($0.id, $0) })
        reader = c.proof.account
        keys = c.keys
    }

    /// Nil for a patient who is not theirs.
    package subscript(id: ID<Therapy>) -> PatientName? {
        get throws { try therapies[id]?.name(for: reader, keys) }
    }
}
