import Database
import Dispatch
import HTTP
import Identity
import JSON
import Records
import Scheduling
import Wire
import Wording

/// What a handler may touch: the request, proof that its actor may proceed, the present, and the database,
/// written to only with a line in the audit log.
package struct Context<Proof: Sendable>: Sendable {
    package let request: Request
    package let places: [String: String]
    package let actor: Actor
    package let proof: Proof
    package let now: Instant
    package let language: Language
    /// What whoever asks reads, the best first. Also languages that nobody has installed: a questionnaire may speak them.
    package let languages: [Language]
    package let services: Services
    /// Proves once more, in the transaction of a write, that its actor may proceed.
    let provesAgain: @Sendable (borrowing Connection) throws -> Void
    /// What `If-Match` speaks of; nil where there is nothing to compare.
    let inView: StateInView?
    /// What the route does in the transaction of a write beside it.
    let inTransaction: Transactional

    /// Whom the audit log names for a write.
    package enum Author: Sendable {
        /// Who asks; nobody for people without an account.
        case caller
        case account(ID<Account>)
        /// An anonymous line.
        case nobody
    }

    package var texts: Texts { services.texts(language) }

    package var keys: Keyring { services.keys }
    /// The clinic's zone; patients' own is used where it matters.
    package var dates: DateFormat { dates(in: Zone(services.timezone)) }

    /// The same in somebody else's zone.
    package func dates(in zone: Zone) -> DateFormat {
        DateFormat(texts, zone, now: now)
    }

    /// A moment in the time of whoever it happened to where that differs from the reader's, and then said so.
    package func local(_ at: Instant, in timezone: String, _ write: (DateFormat) -> String) -> String {
        let zone = Zone(timezone)
        if zone.offset(at: at) == dates.zone.offset(at: at) { return write(dates) }
        return texts["today.local", ["when": write(dates(in: zone)), "zone": timezone]]
    }

    package func newID<Entity>() -> ID<Entity> { services.chance.id() }

    /// - Throws: `ClientGone` where nobody waits for what would be read, beside what the body throws.
    package func read<T>(_ body: (borrowing Connection) throws -> T) throws -> T {
        try services.records.read(while: request.proveAwaited, body)
    }

    /// One transaction together with its line in the audit log. The access that was proved when the request came in is
    /// proved again first: what has ended meanwhile writes nothing.
    /// - Throws: `Problem` when the actor may not proceed any more, and what the body throws; then nothing is written.
    @discardableResult
    package func write<T: Sendable>(
        _ action: AuditAction, by author: Author = .caller, about subject: (any SubjectID)? = nil,
        object: (any CustomStringConvertible)? = nil, change: AuditChange? = nil,
        _ body: @escaping @Sendable (borrowing Connection) throws -> T
    ) throws -> T {
        let name: ID<Account>? =
            switch author {
            case .caller: actor.signedIn?.account.id
            case .account(let id): id
            case .nobody: nil
            }
        let result = try services.records.write(
            action, by: name, about: subject, object: object, change: change, at: now
        ) { [provesAgain, inView, inTransaction, person = actor.signedIn, now] connection in
            try provesAgain(connection)
            try inView?.check(connection)
            try inTransaction.beforehand(connection)
            if let person, person.isUseDue(at: now) { try person.noteUse(at: now, connection) }
            let result = try body(connection)
            try inView?.note(connection)
            try inTransaction.afterwards(connection)
            return result
        }
        if action.endsConsent { services.consentEnded() }
        return result
    }

    /// The same without a line in the audit log, for what nobody reads as a fact about a person: plans made anew, last
    /// looks, spent codes.
    @discardableResult
    package func writeUnaudited<T: Sendable>(
        _ reason: Unaudited, _ body: @escaping @Sendable (borrowing Connection) throws -> T
    ) throws -> T {
        try services.records.writeUnaudited(reason) { [provesAgain] connection in
            try provesAgain(connection)
            return try body(connection)
        }
    }

    /// Old and new values for the line in the audit log, sealed for the person they are about.
    package func change(
        of person: PersonKey, from before: [String: String?] = [:], to after: [String: String?] = [:],
        because reason: String? = nil
    ) throws -> AuditChange {
        try AuditChange(before: before, after: after, reason: reason, about: person, at: now)
    }

    /// What a list shows of several files is looking at each of them.
    package func noteVisits<Holder: KeyHolder>(
        of files: some Sequence<ID<Holder>>, to area: String, as standings: [ID<Holder>: String] = [:]
    ) {
        guard let actor = actor.signedIn?.account.id else { return }
        for id in Set(files) { services.visits.note(area, of: id, by: actor, as: standings[id], at: now) }
    }

    /// Offers no way back for what was done, where a route does what can be undone and what need not be.
    package func withholdUndo() { inTransaction.withhold() }

    /// Says the id of what a write makes, where its way back has a place for it that the path of the request has not.
    package func making<Entity>(_ id: ID<Entity>, at place: String) { inTransaction.name(place, id.text) }

    /// The id at a place of the path.
    /// - Throws: `Problem.notFound` when something else stands there.
    package func id<Entity>(_ place: String) throws -> ID<Entity> {
        guard let id = ID<Entity>(uuid: places[place]) else { throw Problem.notFound }
        return id
    }

    /// The fields of a JSON body.
    /// - Throws: `Problem` for another media type (415) and for bytes that are no JSON object (400).
    package func body() throws -> InputReader { InputReader(json: try json()) }

    /// The JSON object of a body as it is.
    package func json() throws -> JSON {
        guard request.body.count > JSONBody.large else { return try JSONBody.parse(request) }
        // Read as values a body takes many times its size, so large ones take turns.
        services.largeBodies.wait()
        defer { services.largeBodies.signal() }
        return try JSONBody.parse(request)
    }

    /// The fields of a form. A page that takes files looks itself whether they are text.
    /// - Throws: `Problem` for bytes that are no form (400), for a field that is no UTF-8 and for a text that holds a null
    ///   character (422).
    package func form() throws -> Form {
        guard let form = Form(body: request) else {
            throw Problem.malformed(Message("problems.malformed"))
        }
        var errors = FieldErrors()
        for field in form.fields where !field.isText && field.file == nil {
            errors.add(field.name, "errors.not_utf8")
        }
        if !errors.isEmpty { throw Problem.invalid(errors) }
        let texts = form.fields.map { (place: $0.name, text: $0.value) }
        try NullCharacter.refuse(in: texts)
        return form
    }
}

/// What goes into a write before and after what the handler writes.
struct Transactional: Sendable {
    let beforehand: @Sendable (borrowing Connection) throws -> Void
    let afterwards: @Sendable (borrowing Connection) throws -> Void
    let withhold: @Sendable () -> Void
    let name: @Sendable (_ place: String, _ id: String) -> Void
}

extension Context where Proof == Member {
    /// The own account as it is now; the proof's was read before the revision that goes with the answer.
    package func ownAccount(_ connection: borrowing Connection) throws -> AccountRecord {
        guard let account = try AccountStore.find(proof.account.id, connection) else {
            throw Problem.signInRequired
        }
        return account
    }
}

/// Reads the body of a call.
enum JSONBody {
    static let large = 64 * 1024

    static func parse(_ request: Request) throws -> JSON {
        guard request.mediaType == "application/json", request.headers["Content-Encoding"] == nil else {
            throw Problem.unsupportedMediaType
        }
        do {
            let json = try JSON.parse(request.body, allowsNull: true)
            try NullCharacter.refuse(in: NullCharacter.texts(of: json, at: ""))
            guard case .object = json else { throw Problem.malformed(Message("problems.no_object")) }
            return json
        } catch let failure as JSON.Failure {
            let place = ["line": String(failure.line), "column": String(failure.column)]
            guard failure.isDuplicateKey else {
                throw Problem.malformed(Message("problems.no_json", place))
            }
            // A name that is none of ours may be words of a patient, and those never come back (IO-13).
            let field = JSON.placeOfDuplicate(in: request.body) ?? ""
            let isOurs = field.utf8.count <= 60 && field.wholeMatch(of: /[a-z0-9_.]+/) != nil
            throw Problem.twice(isOurs ? FieldErrors(field, "errors.twice") : FieldErrors(), place: place)
        }
    }
}
