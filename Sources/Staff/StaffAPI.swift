import HTTP
import Identity
import Records
import Web
import Wire
import Wording

/// Accounts of staff over the API, for administrators.
enum StaffAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(.get, "/accounts", .admin, .many("Accounts of staff", StaffAccount.self), index)
        routes.call(
            .post, "/accounts", .admin,
            .one(
                "Invite somebody; a mail leads to the first password", StaffAccount.self, status: 201,
                takes: StaffAccount.invitation), create)
        routes.call(
            .get, "/accounts/:account", .admin,
            .one("One account", StaffAccount.self).revised(StaffStore.revision), show)
        routes.call(
            .patch, "/accounts/:account", .admin,
            .one(
                "Change name, roles and site, close or reopen; the address while the invitation is open, which goes out again",
                StaffAccount.self, takes: StaffAccount.change
            )
            .revised(StaffStore.revision),
            update)
        routes.call(
            .post, "/accounts/:account/invitation", .admin,
            .nothing("Send the invitation again; the old link is dead", status: 202), inviteAgain)
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let all = try c.read { try StaffStore.all($0) }
        let (part, next) = paging.part(of: all) { Position($0.createdAt, $0.account.id) }
        let items = try part.map { Item(id: $0.account.id, try $0.wire(c.keys)) }
        return try .data(Many(items, total: all.count, next: next))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let fields = try c.body()
        let id = try StaffActions.invite(
            try StaffDraft.read(fields, among: c.services.languages, roles: StaffRoles.sent(fields)), c)
        return try answer(id, c, status: 201)
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        try answer(try c.id("account"), c, status: 200)
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let fields = try c.body()
        let member = try member(c)
        var change = StaffActions.Change()
        if fields.has("name") { change.name = fields.text("name", required: true, limit: 120) }
        if fields.has("email") { change.email = fields.email("email") }
        if let sent = StaffRoles.sent(fields) { change.roles = StaffRoles.read(sent, fields) }
        change.isClosed = fields.bool("closed")
        // A call is deliberate; the page asks, because a click may be a slip.
        change.leavesTherapies = true
        if fields.has("site") { change.site = .some(fields.text("site", limit: StaffDraft.longestSite)) }
        try fields.finish()
        try StaffActions.apply(change, to: member, c)
        return try answer(member.account.id, c, status: 200)
    }

    @Sendable static func inviteAgain(_ c: Context<Member>) throws -> Reply {
        try StaffActions.inviteAgain(try member(c), c)
        return .response(Response(status: 202))
    }

    /// - Throws: `Problem.notFound` for a patient's account as for none.
    static func member(_ c: Context<Member>) throws -> StaffMember {
        let id: ID<Account> = try c.id("account")
        guard let member = try c.read({ try StaffStore.find(id, $0) }) else { throw Problem.notFound }
        return member
    }

    private static func answer(_ id: ID<Account>, _ c: Context<Member>, status: Int) throws -> Reply {
        guard let member = try c.read({ try StaffStore.find(id, $0) }) else { throw Problem.notFound }
        return try .data(One(id: id, try member.wire(c.keys)), status: status)
    }
}
