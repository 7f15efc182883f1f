import Database
import HTTP
import Identity
import Instruments
import JSON
import Records
import Secrets
import Studies
import Therapies
import Web
import Wire
import Wording

/// The groups of a study, for its leads (IO-21).
enum GroupAPI {
    static func routes(_ routes: inout Routes) {
        let type = StudyDesign.self
        let path = "/studies/:study/groups"
        routes.call(.get, path, .studyLead, .one("How participants come into groups", type), show)
        routes.call(
            .put, path, .studyLead,
            .one(
                "Set groups and outcomes; fixed once somebody is in, but for the sample size and sites", type,
                takes: type.sent
            ).matching, put)
        routes.call(
            .post, path + "/closure", .studyLead,
            .one(
                "Close allocation for good: the seed is told, and nobody is allocated any more", type,
                takes: Schema.object([Schema.optional("name", .string)])
            ).withOptionalBody, close)
        routes.call(
            .delete, path, .studyLead, .nothing("A study without groups, before anybody is in"), destroy)
    }

    @Sendable static func show(_ c: Context<StudyLead>) throws -> Reply { try answer(c) }

    @Sendable static func put(_ c: Context<StudyLead>) throws -> Reply {
        let fields = try c.body()
        let scales = try Grouping.scales(c)
        try Grouping.set(try GroupDraft.read(json: fields, scales: scales), c)
        return try answer(c)
    }

    @Sendable static func close(_ c: Context<StudyLead>) throws -> Reply {
        try Grouping.close(
            c.request.body.isEmpty ? InputReader(json: .object([])) : try c.body(), isNamed: false, c)
        return try answer(c)
    }

    @Sendable static func destroy(_ c: Context<StudyLead>) throws -> Reply {
        try Grouping.remove(c)
        return .response(.noContent)
    }

    private static func answer(_ c: Context<StudyLead>) throws -> Reply {
        let study = c.proof.study
        let found = try c.read { connection -> (design: StudyDesign, revision: Int)? in
            try GroupStore.find(study.id, connection).map { stored in
                let groups = stored.groups
                var design = StudyDesign(
                    allocation: groups.allocation.rawValue, arms: groups.arms.map(\.wire),
                    size: groups.size, sampleSize: groups.sampleSize, allocated: stored.allocated,
                    outcomes: groups.outcomes.map {
                        .init(
                            isPrimary: $0.isPrimary, questionnaireKey: $0.key, scale: $0.scale, day: $0.day,
                            timePoint: $0.timePoint, value: $0.value?.rawValue,
                            source: $0.source.rawValue)
                    }, sites: try Grouping.sites(c, connection).map { .init(name: $0.name, email: $0.email) },
                    seed: stored.closedAt == nil ? nil : String(stored.seed), closedAt: stored.closedAt)
                design.strata = groups.strata.wire
                design.allocatedAt = groups.moment.rawValue
                design.commitment = stored.commitment
                if stored.closedAt != nil { design.salt = stored.salt.map(hexadecimalDigits) }
                design.ruleVersion = stored.ruleVersion
                design.maskedLabels = stored.labels?.wire
                return (design, stored.revision)
            }
        }
        guard let found else { throw Problem.notFound }
        return Conditional.tagged(
            try .data(One(id: study.id, found.design)), revision: found.revision, c.language)
    }
}

/// Changing the groups of a study, for the page and the call alike.
package enum Grouping {
    /// What outcomes may be of: the scales of the study, then those of therapies.
    static func scales(_ c: Context<StudyLead>) throws -> [StudyScale] {
        let study = c.proof.study
        let cache = c.services.questionnaires
        return try c.read { connection in
            try StudyScale.all(in: study.id, c.language, cache, connection)
                + StudyScale.ofTherapies(
                    in: study, named: GroupStore.find(study.id, connection)?.groups, c.language, cache,
                    connection)
        }
    }

    static func sites(
        _ c: Context<StudyLead>, _ connection: borrowing Connection
    ) throws -> [(name: String, email: String)] {
        try GroupStore.sites(of: c.proof.study.id, connection).compactMap { site in
            try AccountStore.find(site.account, connection).map { (site.name, try $0.email(c.keys)) }
        }
    }

    /// - Throws: `Problem.invalid` for unknown therapists, a sample smaller than the number taken, and changes once a
    ///   participant is in.
    static func set(_ draft: GroupDraft, _ c: Context<StudyLead>) throws {
        let study = c.proof.study.id
        let sites = try draft.sites?.enumerated().map { index, site -> (account: ID<Account>, name: String) in
            let account = try c.read {
                try AccountStore.find(lookup: c.keys.lookup(email: site.email), $0)
            }
            guard let account, account.roles.contains(.therapist), account.disabledAt == nil else {
                throw Problem.invalid("sites.\(index).email", "studies.no_therapist")
            }
            return (account.id, site.name)
        }
        let seed = c.services.chance.number()
        let salt = c.services.chance.bytes(AllocationRule.saltBytes)
        let seen = try c.read { try GroupStore.find(study, $0)?.allocated ?? 0 }
        try c.write(.studyGroupsChanged, object: study) {
            [now = c.now, request = c.request, services = c.services] connection in
            let known = try GroupStore.find(study, connection)
            try Conditional.requireRevision(request, current: known?.revision)
            let groups = draft.groups(over: known?.groups)
            if known?.closedAt != nil { throw Problem.invalid("allocation", "studies.allocation_closed") }
            let isBegun = try known.map { try Self.isBegun($0, study, connection) } ?? false
            if !isBegun, try EnrolmentStore.hasAny(in: study, connection) {
                throw Problem.invalid("allocation", "studies.groups_late")
            }
            // Requests would be accepted by a lead who can know the next arm.
            if try EnrolmentStore.isAsked(study, connection) {
                throw Problem.invalid("allocation", "studies.groups_asked")
            }
            if let known, isBegun {
                if !groups.isSame(as: known.groups) {
                    // The first one came in after this request: what it asks for was possible until then.
                    if seen == 0 { throw Problem.conflict(Message("studies.groups_fixed")) }
                    throw Problem.invalid("allocation", "studies.groups_fixed")
                }
                if groups.sampleSize < known.allocated {
                    throw Problem.invalid(
                        "sample_size", "studies.sample_small", ["n": String(known.allocated)])
                }
            }
            try store(groups, of: study, seed: seed, salt: salt, services, at: now, connection)
            let arms = Set(groups.arms.map(\.key.rawValue))
            if try !services.namedArms(of: study, connection).isSubset(of: arms) {
                throw Problem.invalid("arms", "studies.arm_acted")
            }
            if let sites { try GroupStore.set(sites: sites, of: study, connection) }
        }
        // A larger sample has places for those who wait.
        try GroupClock.allocate(in: study, c.services)
    }

    /// Stores groups that fit what the study asks, and puts what they tell of people into its consent text.
    static func store(
        _ groups: TrialDesign, of study: ID<Study>, seed: UInt64, salt: [UInt8], _ services: Services,
        at now: Instant, _ connection: borrowing Connection
    ) throws {
        // A lead who approves requests would know the next group: concealment needs another kind of access.
        if try StudyStore.find(study, connection)?.access == .request {
            throw Problem.invalid("allocation", "studies.groups_no_request")
        }
        if groups.allocation == .minimised, groups.strata.isEmpty {
            throw Problem.invalid("strata", "studies.strata_needed")
        }
        try groups.requireBaseline(in: study, connection)
        try groups.requireTimePoints(in: study, connection)
        try GroupStore.set(groups, of: study, seed: seed, salt: salt, at: now, connection)
        try CheckedChange.requireArms(of: study, field: "arms", "studies.arm_asked", connection)
        try tell(groups.strata.contains(.gender), in: study, services, at: now, connection)
    }

    /// Whether a participant is in by these groups, allocated or waiting.
    private static func isBegun(
        _ known: GroupStore.Stored, _ study: ID<Study>, _ connection: borrowing Connection
    ) throws -> Bool {
        try known.allocated > 0 || WaitingStore.hasAny(in: study, connection)
    }

    /// What leads learn by the allocation stands in the consent text, which is a new version where it did not.
    /// - Throws: `Problem.invalid` without any text.
    private static func tell(
        _ tellsGender: Bool, in id: ID<Study>, _ services: Services, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        guard let study = try StudyStore.find(id, connection) else { throw Problem.notFound }
        if tellsGender, study.consent.isEmpty {
            throw Problem.invalid("strata", "studies.gender_line_missing")
        }
        var draft = StudyDraft(study)
        ConsentLine.set(tellsGender: tellsGender, in: &draft.consent, services)
        if draft.consent == study.consent { return }
        try StudyStore.update(draft, id: id, passwordHash: study.passwordHash, at: now, connection)
    }

    /// Ends allocation for good, with the short name of the study typed as a sign that it is meant.
    /// - Throws: `Problem.invalid` for another name; `Problem.conflict` when it is closed already, and 404 without groups.
    package static func close(_ fields: InputReader, isNamed: Bool, _ c: Context<StudyLead>) throws {
        let study = c.proof.study
        let name = fields.text("name", required: isNamed)
        if let name, name != study.name { fields.refuse("name", "studies.closure_name_wrong") }
        try fields.finish()
        try c.write(.studyAllocationClosed, object: study.id) { [now = c.now] connection in
            guard let stored = try GroupStore.find(study.id, connection) else { throw Problem.notFound }
            if stored.closedAt != nil { throw Problem.conflict(Message("studies.allocation_closed")) }
            try GroupStore.close(study.id, at: now, connection)
        }
    }

    /// - Throws: `Problem.conflict` once a participant is in.
    static func remove(_ c: Context<StudyLead>) throws {
        let study = c.proof.study.id
        try c.write(.studyGroupsChanged, object: study) {
            [now = c.now, request = c.request, services = c.services] connection in
            let known = try GroupStore.find(study, connection)
            try Conditional.requireRevision(request, current: known?.revision, isRequired: false)
            if let known, try isBegun(known, study, connection) {
                throw Problem.conflict(Message("studies.groups_fixed"))
            }
            try GroupStore.remove(study, connection)
            if try StudyItemStore.all(in: study, connection).contains(where: { !$0.arms.isEmpty }) {
                throw Problem.conflict(Message("studies.arm_asked"))
            }
            if try !services.namedArms(of: study, connection).isEmpty {
                throw Problem.conflict(Message("studies.arm_acted"))
            }
            if known != nil { try tell(false, in: study, services, at: now, connection) }
        }
    }
}
