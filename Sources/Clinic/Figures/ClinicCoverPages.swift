import Accounts
import Database
import HTTP
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// The only step from the view of the clinic: a cover for a therapist who is away without one (PR-33). It is for all
/// running therapies, so that no patient is named; aliases are the therapist's to share.
package enum ClinicCoverPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/clinic/covers/new", .clinicLead, new)
        routes.page(.post, "/clinic/covers", .clinicLead, create)
        routes.call(
            .post, "/clinic/covers", .clinicLead,
            .nothing("Set up a cover of all running therapies of a therapist", takes: sent), make)
    }

    private static let sent = Schema.object([
        Schema.property("therapist_id", .id), Schema.property("colleague_email", .formatted("email")),
        Schema.property("from", .date), Schema.property("until", .date),
        Schema.property("access", .choice(CoverRecord.Access.allCases.map(\.rawValue))),
    ])

    package struct New: Page {
        package static let template = "clinic/cover"
        package static let section: NavigationItem? = .clinic
        let therapist: ID<Account>
        let name: String
        let fields: [FieldView]
        package let errors: ErrorSummary?

        static let example = New(
            therapist: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", name: "Dr. Ada Lindner", fields: [],
            errors: nil)
    }

    @Sendable static func new(_ c: Context<Member>) throws -> Reply {
        guard let id = ID<Account>(uuid: c.request.query["therapist"]) else { return .seeOther("/clinic") }
        return .page(try page(try therapist(id, c), FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        guard let id = ID<Account>(uuid: form["therapist_id"]) else { throw Problem.notFound }
        let giver = try therapist(id, c)
        return try c.submit(form, orShow: { try page(giver, $0, c) }) { fields in
            _ = try CoverActions.make(
                try CoverDraft.readForAll(fields, today: c.dates.today), for: giver, c)
            return .seeOther("/clinic", flash: Message("covers.made"))
        }
    }

    @Sendable static func make(_ c: Context<Member>) throws -> Reply {
        let fields = try c.body()
        let id: ID<Account>? = fields.id("therapist_id")
        let draft = try CoverDraft.readForAll(fields, today: c.dates.today)
        guard let id else { throw Problem.invalid("therapist_id", "errors.required") }
        _ = try CoverActions.make(draft, for: try therapist(id, c), c)
        return .response(.noContent)
    }

    private static func therapist(_ id: ID<Account>, _ c: Context<Member>) throws -> AccountRecord {
        let found = try c.read { connection -> AccountRecord? in
            guard let account = try AccountStore.find(id, connection),
                account.roles.contains(.therapist)
            else { return nil }
            return account
        }
        guard let found else { throw Problem.notFound }
        return found
    }

    private static func page(
        _ giver: AccountRecord, _ filled: FormState, _ c: Context<Member>
    ) throws -> New {
        let query = c.request.query
        let colleague = try Colleagues.field("colleague_email", in: filled, but: giver.id, c)
        let from = filled.field(
            "from", .date, label: "covers.from", first: query["from"] ?? c.dates.today.text, required: true)
        let until = filled.field(
            "until", .date, label: "covers.until", first: query["until"] ?? "", required: true)
        let access = filled.list(
            "access", label: "covers.access", first: "read",
            CoverRecord.Access.allCases.map { entry in
                (
                    entry.rawValue,
                    c.texts[entry == .read ? "covers.access_read" : "covers.access_act_clinic"]
                )
            })
        return New(
            therapist: giver.id,
            name: try c.read { try TherapistStore.name(of: giver.id, c.keys, $0) },
            fields: [colleague, from, until, access], errors: filled.summary)
    }
}
