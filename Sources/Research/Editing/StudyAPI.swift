import Database
import HTTP
import Identity
import Records
import Studies
import Web
import Wire
import Wording

/// Studies over the API: the list for all, changing them for their leads (TYS-1).
package enum StudyAPI {
    static func routes(_ routes: inout Routes) {
        let type = Study.self
        routes.call(
            .get, "/studies", .account,
            .many(
                "Running studies; for leads their own; code also finds a hidden one", type, query: ["code"]),
            index)
        routes.call(.get, "/studies/:study", .account, .one("A study", type), show)
        routes.call(
            .get, "/studies/:study/picture", .account,
            .other("The picture of a study", "image/png,image/jpeg,image/webp", query: ["version", "code"]),
            picture)
        routes.call(
            .post, "/studies", .lead, .one("Begin a study", type, status: 201, takes: Study.sent), create)
        routes.call(
            .patch, "/studies/:study", .studyLead,
            .one("Change a study; a new consent text becomes its next version", type, takes: Study.sent)
                .matching, update)
        routes.call(
            .delete, "/studies/:study", .studyLead,
            .nothing("Remove a study that nobody took part in; others are archived"), destroy)
    }

    /// The studies visible to an account: a lead's own, listed ones, joined ones, and that of a sent code.
    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let account = c.proof.account
        let code = c.request.query["code"]
        let offered = try code.map { [try OpenStudies.find(code: $0, c)?.study].compactMap(\.self) }
        let all =
            try offered
            ?? c.read { connection -> [StudyRecord] in
                if account.roles.contains(.lead) { return try StudyStore.all(ofLead: account.id, connection) }
                return try OpenStudies.open(to: account.id, at: c.now, connection)
            }
        let (part, next) = paging.part(of: all) { Position($0.createdAt, $0.id) }
        let items = try c.read { connection in try part.map { try item($0, account, c, connection) } }
        return try .data(Many(items, total: all.count, next: next))
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        guard let found = try seen(c) else { throw Problem.notFound }
        return Conditional.tagged(
            try .data(One(id: found.item.id, found.item.attributes)), revision: found.revision, c.language)
    }

    @Sendable static func picture(_ c: Context<Member>) throws -> Reply {
        let found = try seen(c).flatMap { study in
            try c.read { try StudyStore.picture(of: ID(study.item.id), $0) }
        }
        guard let found else { throw Problem.notFound }
        return .response(found.response)
    }

    /// The study in the path, if it is visible to the account.
    private static func seen(_ c: Context<Member>) throws -> (item: Item<Study>, revision: Int)? {
        let id: ID<Study> = try c.id("study")
        let account = c.proof.account
        let knows =
            try c.request.query["code"].map { try OpenStudies.find(code: $0, c)?.study.id == id } ?? false
        return try c.read { connection in
            guard let study = try StudyStore.find(id, connection) else { return nil }
            let isLead = try StudyStore.find(id, ofLead: account.id, connection) != nil
            let isIn = try EnrolmentStore.find(in: id, of: account.id, connection) != nil
            let isOpen = study.isRunning(at: c.now) && !study.isHidden && account.kind == .patient
            let isOffered =
                try OfferStore.study(for: account.id, connection) == id && study.isRunning(at: c.now)
            guard isLead || isIn || isOpen || knows || isOffered else { return nil }
            return (try item(study, account, c, connection), study.revision)
        }
    }

    private static func item<P>(
        _ study: StudyRecord, _ account: AccountRecord, _ c: Context<P>, _ connection: borrowing Connection
    ) throws -> Item<Study> {
        let isLead = try StudyStore.find(study.id, ofLead: account.id, connection) != nil
        let enrolment = try EnrolmentStore.find(in: study.id, of: account.id, connection)
        let lead = isLead ? lead(study, try StudyStore.counts(study.id, connection)) : nil
        var wire = study.wire(c.languages, enrolment, lead: lead, now: c.now)
        wire.offered = try OfferStore.isOpen(study.id, to: account.id, connection)
        if account.kind == .patient, enrolment?.state != .enrolled {
            let obstacle = try StudyObstacle.find(study, for: account.id, at: c.now, connection)
            wire.closedBecause = obstacle?.rawValue
        }
        wire.asksLocation = try StudyLocationStore.isAsked(in: study.id, connection)
        // A patient offered the study by one of its named therapists needs neither password nor approval.
        if try OfferStore.isVouchedFor(account.id, in: study.id, connection) { wire.access = "open" }
        return Item(id: study.id, wire)
    }

    private static func lead(_ study: StudyRecord, _ counts: [String: Int]) -> Study.Lead {
        Study.Lead(
            title: study.title, description: study.description, text: study.text,
            consentText: study.consent, consentVersion: study.consentVersion, isHidden: study.isHidden,
            code: study.code, archivedAt: study.archivedAt, pending: counts["pending"] ?? 0,
            participants: counts["enrolled"] ?? 0, left: counts["left"] ?? 0)
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let draft = try StudyDraft.read(try c.body(), over: nil)
        let id = try StudyActions.begin(draft, by: c.proof.account.id, c)
        return try answer(id, c.proof.account, c, status: 201)
    }

    @Sendable static func update(_ c: Context<StudyLead>) throws -> Reply {
        let study = c.proof.study
        try StudyActions.change(study, to: try StudyDraft.read(try c.body(), over: study), c)
        return try answer(study.id, c.proof.lead, c, status: 200)
    }

    @Sendable static func destroy(_ c: Context<StudyLead>) throws -> Reply {
        try StudyActions.remove(c.proof.study, c)
        return .response(.noContent)
    }

    static func answer<P>(
        _ id: ID<Study>, _ account: AccountRecord, _ c: Context<P>, status: Int
    ) throws -> Reply {
        let found = try c.read { connection -> (item: Item<Study>, revision: Int)? in
            guard let study = try StudyStore.find(id, connection) else { return nil }
            return (try item(study, account, c, connection), study.revision)
        }
        guard let found else { throw Problem.notFound }
        return Conditional.tagged(
            try .data(One(id: id, found.item.attributes), status: status), revision: found.revision,
            c.language)
    }
}
