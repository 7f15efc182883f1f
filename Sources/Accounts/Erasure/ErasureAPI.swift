import HTTP
import Identity
import Web
import Wire
import Wording

/// Deleting the own account, after giving the password again.
enum ErasureAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/my/account/deletion", .patient,
            .one("What deleting the account does: to be shown before it is done", AccountDeletion.self), ask)
        routes.call(
            .delete, "/my/account", .patient,
            .nothing(
                "Delete the account and everything in it for good",
                takes: .object([Schema.property("password", .string)])), destroy)
    }

    @Sendable static func ask(_ c: Context<Member>) throws -> Reply {
        let isKept = try Erasure.leavesFile(c.proof.account.id, c)
        let words = [
            c.texts["own_settings.delete_lead"], Erasure.aboutBackups(c.services.settings, c.texts),
            isKept ? c.texts["own_settings.delete_file"] : nil,
        ].compactMap(\.self)
        return try .data(
            One(
                id: AccountDeletion.type,
                AccountDeletion(
                    fileKeptDays: isKept ? Int(Erasure.fileDays) : 0, message: words.joined(separator: " "))))
    }

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        let fields = try c.body()
        let password = fields.secret("password")
        try fields.finish()
        try Password.confirm(password ?? "", of: c.proof.account, field: "password", c)
        try Erasure.erase(c)
        return .response(.noContent)
    }
}
