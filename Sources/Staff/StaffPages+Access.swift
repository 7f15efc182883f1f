import Web
import Wording

/// Buttons of an account that need no form.
extension StaffPages {
    @Sendable static func inviteAgain(_ c: Context<Member>) throws -> Reply {
        try StaffActions.inviteAgain(try StaffAPI.member(c), c)
        return .seeOther("/admin/accounts", flash: Message("staff.invited"))
    }

    @Sendable static func reopen(_ c: Context<Member>) throws -> Reply {
        try StaffActions.apply(StaffActions.Change(isClosed: false), to: try StaffAPI.member(c), c)
        return .seeOther("/admin/accounts", flash: Message("staff.reopened"))
    }
}
