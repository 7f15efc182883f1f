import Database
import Delivery
import Identity
import Records
import Studies
import Therapies
import Web
import Wire
import Wording

/// Making, changing and removing protocols, and choosing a default, for page and call alike.
enum ProtocolActions {
    /// The protocol in the path.
    /// - Throws: `Problem.notFound` for one that may not be read.
    static func found(_ c: Context<Member>) throws -> (record: ProtocolRecord, reader: ProtocolReader) {
        let id: ID<TreatmentProtocol> = try c.id("protocol")
        return try c.read { connection in
            let reader = try ProtocolReader(c, connection)
            return (try reader.readable(id, connection), reader)
        }
    }

    /// The same, if it may be changed.
    static func changeable(_ c: Context<Member>) throws -> ProtocolRecord {
        let (record, reader) = try found(c)
        guard reader.mayChange(record) else { throw Problem.forbidden(Message("protocols.not_yours")) }
        return record
    }

    /// The number of running therapies that need a decision when a protocol is made, changed or removed.
    static func concerned(
        _ record: ProtocolRecord?, study: ID<Study>?, of arms: [StudyArm.Key] = [],
        _ connection: borrowing Connection
    ) throws -> [ID<Therapy>] {
        var therapies =
            try record.map { try PutProtocolStore.all(of: $0.id, connection).map(\.therapyID) } ?? []
        if let study {
            therapies += try ParticipationStore.therapies(in: study, of: record?.arms ?? arms, connection)
        }
        // A therapy that was handed over keeps its state: the owner may no longer change it.
        if let record, record.scope == .own {
            therapies = try therapies.filter {
                try TherapyStore.find($0, of: record.ownerID, connection) != nil
            }
        }
        return Set(therapies).sorted()
    }

    /// - Throws: `Problem.invalid` without a decision whether running therapies follow.
    private static func requireDecision(
        _ draft: ProtocolDraft, _ concerned: [ID<Therapy>]
    ) throws(Problem) {
        guard draft.follows == nil, !concerned.isEmpty else { return }
        throw .invalid("follow", "protocols.follow_needed", ["n": String(concerned.count)])
    }

    /// - Throws: `Problem.invalid` for arms that the study does not have.
    private static func requireArms(_ draft: ProtocolDraft, _ connection: borrowing Connection) throws {
        guard let study = draft.studyID, !draft.arms.isEmpty else { return }
        let known = try StudyArms.all(in: study, connection)?.map(\.key) ?? []
        if !Set(draft.arms).isSubset(of: known) {
            throw Problem.invalid("arms", "studies.item_arm_unknown")
        }
    }

    // MARK: Making and changing

    static func make(_ draft: ProtocolDraft, _ c: Context<Member>) throws -> ID<TreatmentProtocol> {
        let caller = c.proof.account.id
        var checks = ProtocolChecks(c, caller)
        try c.read { connection in
            try ProtocolReader(c, connection).requireMaking(draft)
            try requireArms(draft, connection)
            try checks.check(draft, over: nil, connection)
            try requireDecision(draft, try concerned(nil, study: draft.studyID, of: draft.arms, connection))
        }
        try Permission.require(
            for: checks.keys, isConfirmed: draft.isPermissionConfirmed, by: caller, c)
        let id: ID<TreatmentProtocol> = c.newID()
        try c.write(.protocolMade, object: id) {
            [now = c.now, services = c.services, languages = c.languages] connection in
            guard let person = try AccountStore.find(caller, connection) else { throw Problem.signInRequired }
            let reader = try ProtocolReader(person, languages, connection)
            try reader.requireMaking(draft)
            try requireArms(draft, connection)
            let follows = draft.follows ?? false
            try ProtocolStore.insert(
                draft, id: id, owner: caller, actsSince: follows ? .distantPast : now, at: now, connection)
            if draft.isDefault == true { try choose(id, reader, connection) }
            guard follows, let study = draft.studyID else { return }
            for therapy in try ParticipationStore.therapies(in: study, of: draft.arms, connection) {
                try ProtocolPlanner.reconcile(therapy, services, now: now, connection)
            }
        }
        return id
    }

    static func change(
        _ record: ProtocolRecord, to draft: ProtocolDraft, _ c: Context<Member>
    ) throws {
        let caller = c.proof.account.id
        let isSame = try draft.definition.text == record.definition.text
        var checks = ProtocolChecks(c, caller)
        if !isSame || draft.follows != nil {
            try c.read { connection in
                try checks.check(draft, over: record, connection)
                if !isSame {
                    try requireDecision(
                        draft, try concerned(record, study: record.studyID, connection))
                }
            }
            try Permission.require(
                for: checks.keys, isConfirmed: draft.isPermissionConfirmed, by: caller, c)
        }
        try c.write(.protocolChanged, object: record.id) {
            [now = c.now, services = c.services, request = c.request, languages = c.languages] connection in
            guard let person = try AccountStore.find(caller, connection) else { throw Problem.signInRequired }
            let reader = try ProtocolReader(person, languages, connection)
            let current = try reader.changeable(record.id, connection)
            try Conditional.requireRevision(request, current: current.revision, base: record.revision)
            let follows = draft.follows ?? false
            try ProtocolStore.update(
                draft, id: record.id, actsSince: follows ? .distantPast : current.actsSince, at: now,
                connection)
            if let isDefault = draft.isDefault {
                try choose(isDefault ? record.id : nil, instead: record.id, reader, connection)
            }
            if isSame {
                try PutProtocolStore.keepUp(
                    record.id, from: current.revision, to: current.revision + 1, connection)
            }
            if follows { try follow(record.id, services, now: now, connection) }
        }
    }

    /// Moves all running therapies to a protocol's newest state.
    private static func follow(
        _ id: ID<TreatmentProtocol>, _ services: Services, now: Instant, _ connection: borrowing Connection
    ) throws {
        guard let record = try ProtocolStore.find(id, connection) else { return }
        let put = try PutProtocolStore.all(of: id, connection)
        for therapyID in try concerned(record, study: record.studyID, connection) {
            if let there = put.first(where: { $0.therapyID == therapyID }),
                let therapy = try TherapyStore.find(therapyID, connection)
            {
                try PutProtocolStore.put(
                    record, on: therapyID, isChosen: there.isChosen, at: now, connection)
                try ProtocolPlanner.setDailies(
                    record.definition.dailies, before: there.definition.dailies, in: therapy, services,
                    now: now, connection)
            }
            try ProtocolPlanner.reconcile(therapyID, services, now: now, connection)
        }
    }

    /// - Parameter follows: whether its parts without an answer, a begin or an opening are withdrawn; otherwise they
    ///   become the patients' own.
    static func remove(_ record: ProtocolRecord, follows: Bool, _ c: Context<Member>) throws {
        let caller = c.proof.account.id
        try c.write(.protocolRemoved, object: record.id) {
            [now = c.now, services = c.services, request = c.request, languages = c.languages] connection in
            guard let person = try AccountStore.find(caller, connection) else { throw Problem.signInRequired }
            let current = try ProtocolReader(person, languages, connection).changeable(record.id, connection)
            try Conditional.requireRevision(request, current: current.revision, isRequired: false)
            let therapies = try PutProtocolStore.all(of: record.id, connection).map(\.therapyID)
            let mine = Set(try concerned(current, study: nil, connection))
            for therapy in therapies where !follows || !mine.contains(therapy) {
                try PatientProtocolActions.keep(record.id, in: therapy, connection)
            }
            try PutProtocolStore.remove(record.id, connection)
            try ProtocolStore.retire(record.id, at: now, connection)
            for therapy in therapies {
                try ProtocolPlanner.reconcile(therapy, services, now: now, connection)
            }
        }
    }

    // MARK: The default

    private static func choose(
        _ id: ID<TreatmentProtocol>?, instead: ID<TreatmentProtocol>? = nil, _ reader: ProtocolReader,
        _ connection: borrowing Connection
    ) throws {
        if let id {
            guard let record = try ProtocolStore.find(id, connection), reader.mayChoose(record) else {
                throw Problem.invalid("is_default", "protocols.not_choosable")
            }
            try ProtocolStore.setStandard(id, of: reader.account, connection)
        } else if try ProtocolStore.standard(of: reader.account, connection) == instead {
            try ProtocolStore.setStandard(nil, of: reader.account, connection)
        }
    }

    /// Makes a protocol the default for the caller's new patients, or ends that.
    static func setDefault(_ record: ProtocolRecord, _ isDefault: Bool, _ c: Context<Member>) throws {
        let caller = c.proof.account.id
        try c.write(.protocolDefaultChosen, object: record.id) { [languages = c.languages] connection in
            guard let person = try AccountStore.find(caller, connection) else { throw Problem.signInRequired }
            let reader = try ProtocolReader(person, languages, connection)
            _ = try reader.readable(record.id, connection)
            try choose(isDefault ? record.id : nil, instead: record.id, reader, connection)
        }
    }
}
