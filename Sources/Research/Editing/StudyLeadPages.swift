import HTTP
import Identity
import Records
import Studies
import Web
import Wire
import Wording

/// The leads of a study: added by the address of their account, removed on a page that asks first.
enum StudyLeadPages {
    static func routes(_ routes: inout Routes) {
        let path = "/studies/:study/leads"
        routes.page(.post, path, .studyLead, create)
        routes.page(.get, path + "/:account/removal", .studyLead, ask)
        routes.page(.post, path + "/:account/removal", .studyLead, destroy)
        routes.call(.get, path, .studyLead, .many("Who leads the study", StudyLeadAttributes.self), index)
        routes.call(
            .post, path, .studyLead,
            .one(
                "Take in another lead by the address of their account", StudyLeadAttributes.self, status: 201,
                takes: StudyLeadAttributes.sent), add)
        routes.call(
            .delete, path + "/:account", .studyLead, .nothing("Take a lead out; never the last one"), remove)
    }

    // MARK: Pages

    @Sendable static func create(_ c: Context<StudyLead>) throws -> Reply {
        try c.submit(orShow: { try StudyPages.page($0, c) }) { fields in
            do {
                _ = try take(fields, c)
            } catch Problem.conflict(let message, _) {
                throw Problem.invalid(FieldErrors("email", message))
            }
            return .seeOther(c.proof.study.path, flash: Message("studies.saved"))
        }
    }

    @Sendable static func ask(_ c: Context<StudyLead>) throws -> Reply {
        let lead = try found(c)
        let texts = c.texts
        let study = c.proof.study
        let isOwn = lead.id == c.proof.lead.id
        let name = ["name": try lead.name(c.keys) ?? ""]
        return .page(
            StudyStatePages.Confirm(
                head: StudyHead.make(c, tab: .overview), title: texts["studies.lead_removal_title"],
                consequences: [texts[isOwn ? "studies.lead_removal_own" : "studies.lead_removal", name]],
                action: "\(study.path)/leads/\(lead.id)/removal", revision: nil, isStale: false,
                sends: nil, fields: [], submit: texts["studies.remove_lead"], errors: nil))
    }

    @Sendable static func destroy(_ c: Context<StudyLead>) throws -> Reply {
        let lead = try found(c)
        let isOwn = lead.id == c.proof.lead.id
        do {
            try release(lead, c)
        } catch Problem.conflict(let message, _) {
            return .seeOther(c.proof.study.path, flash: message)
        }
        return .seeOther(isOwn ? "/studies" : c.proof.study.path, flash: Message("studies.lead_removed"))
    }

    // MARK: Calls

    @Sendable static func index(_ c: Context<StudyLead>) throws -> Reply {
        let paging = try Paging(c.request)
        let study = c.proof.study.id
        let (all, unmasked) = try c.read { connection in
            (
                try StudyStore.leads(study, connection).compactMap { try AccountStore.find($0, connection) },
                try StudyStore.unmasked(study, connection)
            )
        }
        return try .data(
            paging.part(
                of: all.map { Item(id: $0.id, try wire($0, isMasked: !unmasked.contains($0.id), c)) }))
    }

    @Sendable static func add(_ c: Context<StudyLead>) throws -> Reply {
        let (lead, isMasked) = try take(try c.body(), c)
        return try .data(One(id: lead.id, try wire(lead, isMasked: isMasked, c)), status: 201)
    }

    @Sendable static func remove(_ c: Context<StudyLead>) throws -> Reply {
        try release(try found(c), c)
        return .response(.noContent)
    }

    private static func wire(
        _ lead: AccountRecord, isMasked: Bool, _ c: Context<StudyLead>
    ) throws -> StudyLeadAttributes {
        StudyLeadAttributes(
            name: try lead.name(c.keys) ?? "", email: try lead.email(c.keys), masked: isMasked)
    }

    // MARK: Both

    private static func found(_ c: Context<StudyLead>) throws -> AccountRecord {
        let id: ID<Account> = try c.id("account")
        let study = c.proof.study.id
        let lead = try c.read { connection -> AccountRecord? in
            guard try StudyStore.leads(study, connection).contains(id) else { return nil }
            return try AccountStore.find(id, connection)
        }
        guard let lead else { throw Problem.notFound }
        return lead
    }

    /// - Throws: `Problem.conflict` for a lead of the study, but for one who is masked or not as it is asked for.
    private static func take(
        _ fields: InputReader, _ c: Context<StudyLead>
    ) throws -> (lead: AccountRecord, isMasked: Bool) {
        let study = c.proof.study.id
        let email = fields.email("email")
        let isMasked = fields.box("masked", over: false)
        try fields.finish()
        let account = try c.read { try AccountStore.find(lookup: c.keys.lookup(email: email ?? ""), $0) }
        guard let account else { throw Problem.invalid("email", "studies.no_lead") }
        let action: AuditAction = isMasked ? .studyMaskedLeadAdded : .studyLeadAdded
        try c.write(action, about: account.id, object: study) { connection in
            let present = try AccountStore.find(account.id, connection)
            guard let present, present.roles.contains(.lead), present.disabledAt == nil else {
                throw Problem.invalid("email", "studies.no_lead")
            }
            try StudyStore.add(lead: account.id, to: study, isMasked: isMasked, connection)
        }
        return (account, isMasked)
    }

    /// - Throws: `Problem.conflict` for the last lead who is not masked and can still sign in.
    private static func release(_ lead: AccountRecord, _ c: Context<StudyLead>) throws {
        let study = c.proof.study.id
        try c.write(.studyLeadRemoved, about: lead.id, object: study) { connection in
            try StudyStore.remove(lead: lead.id, from: study, connection)
        }
    }
}

extension AuditAction {
    static let studyLeadAdded = AuditAction(name: "study.lead_added")
    static let studyMaskedLeadAdded = AuditAction(name: "study.masked_lead_added")
    static let studyLeadRemoved = AuditAction(name: "study.lead_removed")
}
