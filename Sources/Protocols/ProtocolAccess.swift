import Database
import Identity
import Records
import Studies
import Web
import Wire
import Wording

/// Access to protocols: own ones may be read, chosen and changed; the clinic's are read by every therapist and
/// changed by administrators; a study's belong to its leads. All others are not found.
struct ProtocolReader: Sendable {
    let account: ID<Account>
    let roles: Set<Role>
    private let studies: [ID<Study>: String]
    private let language: [Language]

    /// The rights at present: used in the transaction of a write, too.
    init<P>(_ c: Context<P>, _ connection: borrowing Connection) throws {
        guard let id = c.actor.signedIn?.account.id, let person = try AccountStore.find(id, connection)
        else { throw Problem.signInRequired }
        try self.init(person, c.languages, connection)
    }

    init(_ person: AccountRecord, _ languages: [Language], _ connection: borrowing Connection) throws {
        account = person.id
        roles = person.roles
        language = languages
        // Protocols name the arms they act on, which masked leads do not see.
        let led =
            roles.contains(.lead)
            ? try StudyStore.all(ofLead: person.id, connection).filter {
                try !StudyStore.isMasked(lead: person.id, in: $0.id, connection)
            } : []
        studies = Dictionary(
            uniqueKeysWithValues: led.map { ($0.id, $0.title.text(in: languages) ?? $0.name) })
    }

    /// The studies the account leads, by title.
    var led: [(id: ID<Study>, title: String)] {
        studies.map { (id: $0.key, title: $0.value) }.sorted(byName: \.title, then: \.id)
    }

    func title(of study: ID<Study>?) -> String? { study.flatMap { studies[$0] } }

    func mayRead(_ record: ProtocolRecord) -> Bool {
        guard record.retiredAt == nil else { return false }
        return switch record.scope {
        case .own: record.ownerID == account && roles.contains(.therapist)
        case .clinic: !roles.isDisjoint(with: [.therapist, .admin])
        case .study: record.studyID.map { studies[$0] != nil } ?? false
        }
    }

    func mayChange(_ record: ProtocolRecord) -> Bool {
        mayRead(record) && (record.scope != .clinic || roles.contains(.admin))
    }

    /// For the therapist's own patients.
    func mayChoose(_ record: ProtocolRecord) -> Bool {
        mayRead(record) && record.scope != .study && roles.contains(.therapist)
    }

    /// The kinds the account may make.
    var scopes: [ProtocolScope] {
        let all: [(ProtocolScope, Bool)] = [
            (.own, roles.contains(.therapist)), (.clinic, roles.contains(.admin)), (.study, !studies.isEmpty),
        ]
        return all.filter(\.1).map(\.0)
    }

    /// - Throws: `Problem.invalid` for a kind the account may not make, and for a study it does not lead.
    func requireMaking(_ draft: ProtocolDraft) throws(Problem) {
        if draft.scope == .study {
            guard let study = draft.studyID, studies[study] != nil else {
                throw .invalid("study_id", "errors.unknown_study")
            }
        } else if !scopes.contains(draft.scope) {
            throw .invalid("scope", "protocols.scope_not_yours")
        }
    }

    /// - Throws: `Problem.notFound` for one it may not read.
    func readable(
        _ id: ID<TreatmentProtocol>, _ connection: borrowing Connection
    ) throws -> ProtocolRecord {
        guard let record = try ProtocolStore.find(id, connection), mayRead(record) else {
            throw Problem.notFound
        }
        return record
    }

    /// - Throws: `Problem.notFound` for one it may not read, `.forbidden` for one it may only read.
    func changeable(
        _ id: ID<TreatmentProtocol>, _ connection: borrowing Connection
    ) throws -> ProtocolRecord {
        let record = try readable(id, connection)
        guard mayChange(record) else { throw Problem.forbidden(Message("protocols.not_yours")) }
        return record
    }
}
