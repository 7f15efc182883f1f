import HTTP
import Testing
import Wire

@testable import Accounts
@testable import Database
@testable import Identity
@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web

/// What another request may do between what a request looks at and what it writes.
enum Between: String, CaseIterable, Sendable {
    /// The caller changes the password elsewhere: everything signed in ends.
    case passwordChanged
    /// An administrator closes the account; a patient erases theirs.
    case closed
    /// The role that lets them in is taken away.
    case roleLost
    case pairingUndone
    case therapyEnded
    case studyLeft
    /// The patient that a therapist works on, or the participant of a study, erases their account.
    case patientErased

    /// Whether it can happen to a caller of this route.
    func concerns(_ person: Person, _ rule: AccessRule) -> Bool {
        let isPatient = [.pia, .nora, .tess].contains(person)
        switch self {
        case .passwordChanged, .closed: return true
        case .roleLost: return !isPatient && ![.staff, .halfway, .anyone].contains(rule)
        case .pairingUndone, .therapyEnded, .studyLeft: return isPatient || rule == .caseload
        case .patientErased: return [.caseload, .studyLead, .studyAssessor].contains(rule)
        }
    }

    /// Whether the caller may not proceed after it.
    func ends(_ rule: AccessRule) -> Bool {
        if rule == .anyone { return false }
        return switch self {
        case .passwordChanged, .closed, .roleLost: true
        case .pairingUndone, .therapyEnded: [.caseload, .paired].contains(rule)
        case .patientErased: rule == .caseload
        case .studyLeft: false
        }
    }

    /// Whether it happens to the caller, whatever the request.
    var isOfTheAccount: Bool { [.passwordChanged, .closed, .roleLost].contains(self) }

    func happen(to person: Person, _ portal: TestPortal) {
        // Ada is halfway in a second time.
        let account = portal.cast.accounts[person == .half ? .ada : person] ?? ""
        let pia = portal.cast.therapies[.pia] ?? ""
        switch self {
        case .passwordChanged:
            direct(portal) { connection in
                try AccountStore.setPasswordHash("changed", of: account, connection)
                try CredentialStore.endCredentials(of: account, but: nil, connection)
            }
        case .closed:
            let now = portal.now
            direct(portal) { connection in
                try Erasure.erase(account, Feature.all, connection)
                try StaffAccountStore.setDisabled(now, of: account, connection)
                try CredentialStore.endCredentials(of: account, but: nil, connection)
                // And opened again: what was under way before stays out.
                try StaffAccountStore.setDisabled(nil, of: account, connection)
            }
        case .roleLost:
            let roles: Set<Role> = person == .uma ? [.therapist] : [.admin]
            direct(portal) { try StaffAccountStore.setRoles(roles, of: account, $0) }
        case .pairingUndone:
            // Ben's after a hand-over.
            let done = [Person.ada, .ben].map {
                portal.call(.post, "/patients/\(pia)/pairing/undo", "{}", as: $0).status
            }
            #expect(done.contains(204), "\(done)")
        case .therapyEnded:
            let done = [Person.ada, .ben].map {
                portal.call(.post, "/patients/\(pia)/therapy/end", "{}", as: $0).status
            }
            #expect(done.contains(200), "\(done)")
        case .studyLeft:
            for person in [Person.pia, .nora] {
                _ = portal.call(
                    .delete, "/studies/\(portal.cast.study)/enrolment?data=remove", as: person)
            }
        case .patientErased:
            let ids = [portal.cast.accounts[.pia] ?? "", portal.cast.accounts[.nora] ?? ""]
            direct(portal) { connection in
                for id in ids { try Erasure.erase(id, Feature.all, connection) }
            }
        }
    }

    private func direct(
        _ portal: TestPortal, _ body: @escaping @Sendable (borrowing Connection) throws -> Void
    ) {
        #expect(throws: Never.self) { try portal.services.records.writeUnaudited(.madeUp, body) }
    }
}
