import Web

/// A right in a patient's file or about it, in the order of the table.
package enum StandingRight: String, Sendable, CaseIterable {
    /// Opens the file.
    case read
    /// Does what the therapist does, except with the therapist's private things.
    case act
    /// Gets alerts and answers that have to be seen, and acknowledges them.
    case watch
    /// Opens the emergency contact for a reason. The owner reads and edits it directly.
    case emergencyContact = "emergency_contact"
    /// Sees the therapist's name for the patient.
    case alias
    /// Sees the therapist's private words: note and agenda.
    case words
    /// Does what only the therapist does: private words, access log, sharing, end of the therapy.
    case own
    /// Sees counts of the whole clinic, without patients, and sets up covers.
    case figures
}

/// A standing: one row of the table of rights (PR-32). Access rules, pages and `docs/standings.md` are drawn from it.
package enum Standing: String, Sendable, CaseIterable {
    case owner
    case secondTherapist = "second_therapist"
    case coverAct = "cover_act"
    case coverRead = "cover_read"
    case supervisor
    case supervisorWithWords = "supervisor_with_words"
    case clinicLead = "clinic_lead"

    /// Rights that come with the standing.
    package var rights: Set<StandingRight> {
        switch self {
        case .owner: [.read, .act, .watch, .alias, .words, .own]
        case .secondTherapist, .coverAct: [.read, .act, .watch, .emergencyContact]
        case .coverRead: [.read, .watch, .emergencyContact]
        case .supervisor: [.read]
        case .supervisorWithWords: [.read, .alias, .words]
        case .clinicLead: [.figures]
        }
    }

    /// Rights that the therapist adds by a tick. For supervisors the tick makes another row.
    package var sharable: Set<StandingRight> {
        switch self {
        case .secondTherapist: [.alias, .words]
        case .coverAct, .coverRead: [.alias]
        case .owner, .supervisor, .supervisorWithWords, .clinicLead: []
        }
    }

    package enum Extent: String, Sendable, CaseIterable { case always, shared, never }

    package func extent(of right: StandingRight) -> Extent {
        rights.contains(right) ? .always : sharable.contains(right) ? .shared : .never
    }
}

extension FileGround {
    /// The rights of this ground alone.
    /// - Parameter shared: what the therapist ticked for it.
    func rights(sharing shared: Set<StandingRight>) -> Set<StandingRight> {
        let row = row(sharing: shared)
        return row.rights.union(row.sharable.intersection(shared))
    }

    private func row(sharing shared: Set<StandingRight>) -> Standing {
        switch self {
        case .owner: .owner
        case .secondTherapist: .secondTherapist
        case .coverAct: .coverAct
        case .coverRead: .coverRead
        case .supervisor: shared.contains(.words) ? .supervisorWithWords : .supervisor
        }
    }
}

extension StandingRight {
    /// The access rules that ask for a right.
    package static let rules: [(rule: AccessRule, right: StandingRight)] = [
        (.caseloadReader, .read), (.caseload, .act), (.caseloadWatcher, .watch),
        (.caseloadStandIn, .emergencyContact), (.caseloadOwner, .own),
        (.clinicLead, .figures),
    ]
}
