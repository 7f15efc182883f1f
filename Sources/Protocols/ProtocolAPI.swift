import Database
import HTTP
import Records
import Studies
import Web
import Wire
import Wording

/// Protocols over the API (PR-17).
enum ProtocolAPI {
    static func routes(_ routes: inout Routes) {
        let type = TreatmentProtocol.self
        routes.call(
            .get, "/protocols", .staff,
            .many("The own protocols, the clinic's, and those of the own studies", type), index)
        routes.call(
            .post, "/protocols", .staff,
            .one(
                "Make a protocol; for a study with participants `follow` says whether it acts on them",
                type, status: 201, takes: TreatmentProtocol.draft), create)
        routes.call(.get, "/protocols/:protocol", .staff, .one("A protocol", type), show)
        routes.call(
            .patch, "/protocols/:protocol", .staff,
            .one(
                "Change a protocol; `follow` says whether running therapies follow or keep what they have",
                type, takes: TreatmentProtocol.change
            ).matching, update)
        routes.call(
            .delete, "/protocols/:protocol", .staff,
            .nothing(
                "Remove a protocol; `follow` says whether what came from it is withdrawn from running therapies",
                query: ["follow"]), destroy)
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let list = try c.read { connection in
            let reader = try ProtocolReader(c, connection)
            let all = try ProtocolStore.all(connection).filter(reader.mayRead).sorted { $0.id < $1.id }
            let (part, next) = paging.part(of: all, .earliestFirst) { Position(number: 0, $0.id) }
            let items = try part.map { Item(id: $0.id, try wire($0, reader, c, connection)) }
            return Many(items, total: all.count, next: next)
        }
        return try .data(list)
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let usual = try c.read { try ProtocolReader(c, $0) }.scopes.first ?? .own
        let draft = try ProtocolDraft.read(try c.body(), usual: usual == .study ? .own : usual)
        return try answer(try ProtocolActions.make(draft, c), c, status: 201)
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        try answer(try ProtocolActions.found(c).record.id, c, status: 200)
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let json = try c.json()
        if ProtocolDraft.isDefaultOnly(json) {
            let record = try ProtocolActions.found(c).record
            let fields = InputReader(json: json)
            let isDefault = fields.bool("is_default") ?? false
            try fields.finish()
            try ProtocolActions.setDefault(record, isDefault, c)
            return try answer(record.id, c, status: 200)
        }
        let record = try ProtocolActions.changeable(c)
        let draft = try ProtocolDraft.read(InputReader(json: json), over: record)
        try ProtocolActions.change(record, to: draft, c)
        return try answer(record.id, c, status: 200)
    }

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        let record = try ProtocolActions.changeable(c)
        let fields = InputReader(form: c.request.query)
        let follows = fields.bool("follow")
        try fields.finish()
        let concerned = try c.read {
            try ProtocolActions.concerned(record, study: nil, $0).count
        }
        if follows == nil && concerned > 0 {
            throw Problem.invalid("follow", "protocols.follow_needed", ["n": String(concerned)])
        }
        try ProtocolActions.remove(record, follows: follows ?? false, c)
        return .response(.noContent)
    }

    private static func answer(
        _ id: ID<TreatmentProtocol>, _ c: Context<Member>, status: Int
    ) throws -> Reply {
        let (record, wire) = try c.read { connection in
            let reader = try ProtocolReader(c, connection)
            let record = try reader.readable(id, connection)
            return (record, try self.wire(record, reader, c, connection))
        }
        return Conditional.tagged(
            try .data(One(id: id, wire), status: status), revision: record.revision, c.language)
    }

    private static func wire(
        _ record: ProtocolRecord, _ reader: ProtocolReader, _ c: Context<Member>,
        _ connection: borrowing Connection
    ) throws -> TreatmentProtocol {
        let definition = record.definition
        var wire = TreatmentProtocol(
            name: record.name, scope: record.scope.rawValue, createdAt: record.createdAt,
            changedAt: record.changedAt)
        wire.studyID = record.studyID?.text
        wire.arms = record.arms.isEmpty ? nil : record.arms.map(\.rawValue)
        wire.batteries = definition.wireBatteries
        wire.plan = definition.plan.map(\.entry)
        wire.dailies = definition.dailies
        wire.ruleIDs = definition.rules.map(\.text)
        wire.interventions = definition.wireInterventions
        wire.isDefault = try ProtocolStore.standard(of: reader.account, connection) == record.id
        wire.editable = reader.mayChange(record)
        let uses = try PutProtocolStore.all(of: record.id, connection)
        wire.therapies = uses.count
        wire.behind = uses.count { $0.revision < record.revision }
        wire.warnings = try ProtocolWarnings.all(definition, c, connection).map { c.texts[$0] }
        return wire
    }
}
