import HTTP
import Web
import Wire

/// Deleting the own account, once the password was given again.
enum ErasureAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .delete, "/my/account", .patient,
            .nothing(
                "Delete the account and everything in it for good",
                takes: .object([Schema.property("password", .string)])), destroy)
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
