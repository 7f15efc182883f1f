import Accounts
import Database
import Delivery
import Identity
import Pairing
import Protocols
import Records
import Rules
import Therapies
import Web
import Wire
import Wording

/// Handing a running therapy to another therapist, for page and call alike. Administrators know therapies by their
/// codename and see nothing of their content.
enum HandOver {
    /// - Throws: `Problem.notFound` for an unknown codename, also of a therapy that has ended.
    static func therapy(_ codename: String, _ c: Context<Member>) throws -> Therapy {
        guard let therapy = try c.read({ try HandOverStore.find(codename: codename.uppercased(), $0) }) else {
            throw Problem.notFound
        }
        return therapy
    }

    /// Therapists who can take a therapy.
    static func candidates(
        but therapist: ID<Account>, _ connection: borrowing Connection
    ) throws -> [AccountRecord] {
        try StaffStore.all(connection).map(\.account).filter { $0.id != therapist && mayTreat($0) }
    }

    private static func mayTreat(_ account: AccountRecord) -> Bool {
        account.kind == .staff && account.roles.contains(.therapist) && account.disabledAt == nil
            && account.verifiedAt != nil
    }

    /// - Parameter email: of the new therapist.
    /// - Throws: `Problem.invalid` for an address of no suitable therapist, `.conflict` when the therapy has ended or
    ///   was handed over meanwhile.
    static func hand(
        _ therapy: Therapy, to email: String, because reason: String? = nil, _ c: Context<Member>
    ) throws {
        let lookup = c.keys.lookup(email: email)
        guard let new = try c.read({ try AccountStore.find(lookup: lookup, $0) }), mayTreat(new) else {
            throw Problem.invalid("email", "handover.no_therapist")
        }
        if new.id == therapy.therapistID { throw Problem.invalid("email", "handover.same") }
        let (from, to) = try c.read { connection in
            (try name(therapy.therapistID, c, connection), try name(new.id, c, connection))
        }
        let change = try c.change(
            of: try therapy.key(c.keys), from: ["therapist": from], to: ["therapist": to], because: reason)
        let notice = try notice(therapy, from: from, to: to, c)
        let key = try therapy.key(c.keys)
        let code: ID<PairingCode> = c.newID()
        let told: ID<ToldHandOver> = c.newID()
        try c.write(
            .therapyHandedOver, about: therapy.id, object: "\(therapy.therapistID) → \(new.id)",
            change: change
        ) { [now = c.now, services = c.services] connection in
            try requireUnchanged(therapy, new.id, connection)
            let wish = try HandOverStore.wish(for: therapy, connection)
            let stopped = try RuleStore.active(for: therapy, connection).count {
                $0.ownerID == therapy.therapistID
            }
            try HandOverStore.move(therapy, to: new.id, with: wish, services.chance, at: now, connection)
            try ToldHandOverStore.insert(
                ToldHandOver(
                    id: told, of: therapy.id, from: therapy.therapistID, to: new.id, at: now,
                    tookAlias: wish.alias, stoppedReactions: stopped), connection)
            if therapy.accountID == nil {
                // The printed sheet names the former therapist.
                try PairingStore.make(
                    for: therapy.id, with: key, id: code, services.chance, services.keys, now: now, connection
                )
            }
            if let notice { try NoticeStore.insert(notice, at: now, connection) }
            guard let moved = try TherapyStore.find(therapy.id, connection) else { return }
            // The holidays are those of the new therapist now.
            try PauseActions.replan(moved, services, now, connection)
            try ProtocolPlanner.reconcile(moved.id, services, now: now, connection)
        }
    }

    private static func requireUnchanged(
        _ seen: Therapy, _ new: ID<Account>, _ connection: borrowing Connection
    ) throws {
        let now = try TherapyStore.find(seen.id, connection)
        guard let now, now.therapistID == seen.therapistID, seen.isWithTheSamePerson(as: now) else {
            throw Problem.conflict(Message("handover.changed_meanwhile"))
        }
        guard let account = try AccountStore.find(new, connection), mayTreat(account) else {
            throw Problem.invalid("email", "handover.no_therapist")
        }
    }

    static func name<P>(
        _ therapist: ID<Account>, _ c: Context<P>, _ connection: borrowing Connection
    ) throws -> String {
        try TherapistStore.card(of: therapist, c.keys, connection)?.fullName ?? ""
    }

    /// The notice to the patient; nil without pairing.
    private static func notice(
        _ therapy: Therapy, from: String, to: String, _ c: Context<Member>
    ) throws -> NewNotice? {
        guard
            let account = try therapy.accountID.flatMap({ id in try c.read { try AccountStore.find(id, $0) } }
            )
        else { return nil }
        let words = c.services.sentence("handover.notice", ["from": from, "to": to])
        return try NewNotice(
            .handover, words, to: try account.key(c.keys), id: c.newID(),
            from: c.now)
    }
}

extension AuditAction {
    static let therapyHandedOver = AuditAction(name: "therapy.handed_over")
    static let handOverPrepared = AuditAction(name: "therapy.hand_over_prepared")
}
