import Records
import Wire

/// A therapy to be stored, its note sealed under a fresh key of its own.
package struct NewTherapy: Sendable {
    package let id: ID<Therapy>
    package let therapist: ID<Account>
    package let codename: String
    package let wrappedKey: [UInt8]
    package let note: [UInt8]?
    package let alias: [UInt8]?
    package let createdAt: Instant
    package let startedOn: LocalDate?
    package let endsOn: LocalDate?
    package let key: PersonKey

    package init(
        _ draft: PatientDraft, codename: String, of therapist: ID<Account>, id: ID<Therapy>, keys: Keyring,
        now: Instant
    ) {
        key = PersonKey(owner: id)
        self.id = id
        self.therapist = therapist
        self.codename = codename
        createdAt = now
        startedOn = draft.startedOn
        endsOn = draft.endsOn
        wrappedKey = keys.wrap(key)
        alias = draft.alias.map { [key] in key.seal($0, for: TherapyPlace.alias(id)) }
        note = draft.note.map { [key] in key.seal($0, for: TherapyPlace.note(id)) }
    }
}

/// A therapy to be paired with an account.
package struct Paired: Sendable {
    package let therapy: ID<Therapy>
    package let account: ID<Account>
    package let birthDate: [UInt8]
    package let gender: Gender
    package let at: Instant
    /// The day of pairing in the patient's zone.
    package let on: LocalDate

    package init(
        therapy: ID<Therapy>, account: ID<Account>, birthDate: [UInt8], gender: Gender, at: Instant,
        on: LocalDate
    ) {
        self.therapy = therapy
        self.account = account
        self.birthDate = birthDate
        self.gender = gender
        self.at = at
        self.on = on
    }
}
