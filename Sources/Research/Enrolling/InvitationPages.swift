import HTTP
import Identity
import Records
import Studies
import Web
import Wire
import Wording

/// Invitations to a study: made in any number, shown once to be printed or passed on (TYS-1).
package enum InvitationPages {
    static func routes(_ routes: inout Routes) {
        let path = "/studies/:study/invitations"
        routes.page(.get, path, .studyLead, show)
        routes.page(.post, path, .studyLead, create)
        routes.call(
            .post, path, .studyLead,
            .one(
                "Make codes that let one person in each; told only now", Invited.self, status: 201,
                takes: sent),
            make)
    }

    /// The new codes for the lead, shown once.
    struct Invited: Documented {
        static let type = "invitations"
        let codes: [String]
        let expiresAt: Instant

        enum CodingKeys: String, CodingKey {
            case codes
            case expiresAt = "expires_at"
        }

        static let schema = Schema.object([
            Schema.property("codes", .list(.string)), Schema.property("expires_at", .time),
        ])
        static let example = Invited(
            codes: ["4719203368"], expiresAt: Instant(milliseconds: 1_795_000_000_000))
    }

    private static let sent = Schema.object([
        Schema.property("amount", .integer), Schema.optional("days", .integer.orNull),
    ])

    package struct Show: Page {
        package static let template = "studies/invitations"
        package static let section: NavigationItem? = .studies
        package let head: StudyHead
        package let codes: [String]
        package let standing: String
        package let fields: [FieldView]
        package let errors: ErrorSummary?
    }

    @Sendable static func show(_ c: Context<StudyLead>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<StudyLead>) throws -> Reply {
        try c.submit(orShow: { try page($0, c) }) { fields in
            let made = try invite(fields, c)
            let sight = c.actor.signedIn?.credential.id ?? ""
            try c.services.slips.put(made.codes, for: sight, c.proof.study.id.text, now: c.now)
            return .seeOther("\(c.proof.study.path)/invitations")
        }
    }

    @Sendable static func make(_ c: Context<StudyLead>) throws -> Reply {
        try .data(One(id: c.proof.study.id, try invite(try c.body(), c)), status: 201)
    }

    private static let most = 200

    private static func invite(_ fields: InputReader, _ c: Context<StudyLead>) throws -> Invited {
        if fields.value("amount") == nil { fields.refuse("amount", "errors.required") }
        let amount = fields.whole("amount", 1...most, first: 1) ?? 1
        let days = fields.whole("days", 1...365, first: 30) ?? 30
        try fields.finish()
        let codes = (0..<amount).map { _ in c.services.chance.digits(Invitations.digits) }
        let lookups = codes.map(c.keys.lookup(invitation:))
        let until = c.now.adding(days: Int64(days))
        let study = c.proof.study.id
        try c.write(.studyInvited, object: study) { [now = c.now] connection in
            try InvitationStore.insert(lookups, in: study, until: until, at: now, connection)
        }
        return Invited(codes: codes, expiresAt: until)
    }

    private static func page(_ filled: FormState, _ c: Context<StudyLead>) throws -> Show {
        let study = c.proof.study.id
        let counts = try c.read { try InvitationStore.counts(in: study, at: c.now, $0) }
        let codes =
            try c.services.slips.read(c.actor.signedIn?.credential.id ?? "", study.text, now: c.now) ?? []
        let fields = [("amount", "10"), ("days", "30")].map { name, first in
            filled.field(name, .whole, label: "studies.invitation_\(name)", first: first, required: true)
        }
        return Show(
            head: StudyHead.make(c, tab: .participants),
            codes: codes.map { "\($0.prefix(5)) \($0.dropFirst(5))" },
            standing: c.texts[
                "studies.invitations_standing", ["n": String(counts.open), "m": String(counts.used)]],
            fields: fields, errors: filled.summary)
    }
}

extension AuditAction {
    static let studyInvited = AuditAction(name: "study.invited")
}
