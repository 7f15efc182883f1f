import Database
import Dispatch
import HTTP
import Identity
import JSON
import Records
import Scheduling
import Wire
import Wording

/// What a handler may touch: the request, proof that its actor may proceed, the present, and the database, written to
/// only with a line in the audit log.
package struct Context<Proof: Sendable>: Sendable {
    package let request: Request
    package let places: [String: String]
    package let actor: Actor
    package let proof: Proof
    package let now: Instant
    package let language: Language
    /// The reader's languages, the best first; also ones that are not installed: a questionnaire may have them.
    package let languages: [Language]
    package let services: Services
    /// Proves once more, in the transaction of a write, that its actor may proceed.
    let provesAgain: @Sendable (borrowing Connection) throws -> Void
    /// The state named by `If-Match`; nil where there is nothing to compare.
    let inView: StateInView?
    /// Work of the route in the transaction of the handler's write.
    let inTransaction: Transactional
    /// The form that an account has sent from a page; nil for calls, and for forms that carry no name of their page.
    let sent: SentForm?
    /// What the form showed when it was drawn; nil for calls, and for forms that do not say.
    package let shown: ShownFields?

    /// The author of a write in the audit log.
    package enum Author: Sendable {
        /// The signed-in account; none for people without one.
        case caller
        case account(ID<Account>)
        /// An anonymous line.
        case nobody
    }

    package var texts: Texts { services.texts(language) }

    /// The same with what else its proof shows.
    package func proving<Other>(_ other: Other) -> Context<Other> {
        Context<Other>(
            request: request, places: places, actor: actor, proof: other, now: now, language: language,
            languages: languages, services: services, provesAgain: provesAgain, inView: inView,
            inTransaction: inTransaction, sent: sent, shown: shown)
    }

    package var keys: Keyring { services.keys }
    /// In the clinic's zone; a patient's own zone is used where it matters.
    package var dates: DateFormat { dates(in: Zone(services.timezone)) }

    /// The same in another zone.
    package func dates(in zone: Zone) -> DateFormat {
        DateFormat(texts, zone, now: now)
    }

    /// A moment in the time of the person it happened to where that differs from the reader's, and then labelled.
    package func local(_ at: Instant, in timezone: String, _ write: (DateFormat) -> String) -> String {
        let zone = Zone(timezone)
        if zone.offset(at: at) == dates.zone.offset(at: at) { return write(dates) }
        return texts["today.local", ["when": write(dates(in: zone)), "zone": timezone]]
    }

    package func newID<Entity>() -> ID<Entity> { services.chance.id() }

    /// - Throws: `ClientGone` when the client has gone meanwhile, beside what the body throws.
    package func read<T>(_ body: (borrowing Connection) throws -> T) throws -> T {
        try services.records.read(while: request.proveAwaited, body)
    }

    /// One transaction together with its line in the audit log. The access proved when the request came in is proved
    /// again first: if it has ended meanwhile, nothing is written.
    /// - Throws: `Problem` when the actor may not proceed any more, and what the body throws; then nothing is
    ///   written.
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
        ) { [provesAgain, inView, inTransaction, shown, person = actor.signedIn, now] connection in
            try provesAgain(connection)
            try inView?.check(connection)
            try inTransaction.beforehand(connection)
            try shown?.prove(action, about: subject, connection)
            if let person {
                if person.isUseDue(at: now) { try person.noteUse(at: now, connection) }
                try person.noteDay(at: now, connection)
            }
            let result = try body(connection)
            try inView?.note(connection)
            try inTransaction.afterwards(connection)
            return result
        }
        if action.endsConsent { services.spread(.consentEnded) }
        return result
    }

    /// The same without the audit log, for what is no fact about a person: plans, last uses, spent codes.
    @discardableResult
    package func writeUnaudited<T: Sendable>(
        _ reason: Unaudited, _ body: @escaping @Sendable (borrowing Connection) throws -> T
    ) throws -> T {
        try services.records.writeUnaudited(reason) { [provesAgain, sent] connection in
            try provesAgain(connection)
            try sent?.keep(connection)
            let result = try body(connection)
            sent?.noteWritten()
            return result
        }
    }

    /// Old and new values for the line in the audit log, sealed for the person they are about.
    package func change(
        of person: PersonKey, from before: [String: String?] = [:], to after: [String: String?] = [:],
        because reason: String? = nil
    ) throws -> AuditChange {
        try AuditChange(before: before, after: after, reason: reason, about: person, at: now)
    }

    /// Showing a list of several files counts as a visit of each.
    package func noteVisits<Holder: KeyHolder>(
        of files: some Sequence<ID<Holder>>, to area: String, as standings: [ID<Holder>: String] = [:]
    ) {
        guard let actor = actor.signedIn?.account.id else { return }
        for id in Set(files) { services.visits.note(area, of: id, by: actor, as: standings[id], at: now) }
    }

    /// Offers no undo for this change, where a route also makes changes that need none.
    package func withholdUndo() { inTransaction.withhold() }

    /// Names the id of a thing the write makes, where the undo's path needs it and the request's path has it not.
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

    /// The fields of a form. Pages that take files check themselves whether they are text.
    /// - Throws: `Problem` for bytes that are no form (400), for a field that is no UTF-8 and for a text with a null
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
        return Form(form.fields.filter { !ShownFields.isMark($0.name) })
    }
}

/// Work of the route in a write's transaction, before and after the handler's.
struct Transactional: Sendable {
    let beforehand: @Sendable (borrowing Connection) throws -> Void
    let afterwards: @Sendable (borrowing Connection) throws -> Void
    let withhold: @Sendable () -> Void
    let name: @Sendable (_ place: String, _ id: String) -> Void
}

extension Context where Proof == Member {
    /// The actor's account as it is now; the proof's was read before the answer's revision.
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
            // An unknown name may be text of a patient, which is never sent back (IO-13).
            let field = JSON.placeOfDuplicate(in: request.body) ?? ""
            let isOurs = field.utf8.count <= 60 && field.wholeMatch(of: /[a-z0-9_.]+/) != nil
            throw Problem.twice(isOurs ? FieldErrors(field, "errors.twice") : FieldErrors(), place: place)
        }
    }
}
