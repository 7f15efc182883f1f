import Identity
import JSON
import Web
import Wording

/// Roles as sent: a list in a call, boxes in a form.
enum StaffRoles {
    /// The list in a body; nil when it was not sent.
    static func sent(_ fields: InputReader) -> [String]? {
        guard fields.has("roles") else { return nil }
        guard case .array(let values)? = fields.value("roles") else { return [] }
        return values.map { $0.string ?? "" }
    }

    static func read(_ texts: [String]?, _ fields: InputReader) -> Set<Role>? {
        guard let texts, !texts.isEmpty else {
            fields.refuse("roles", "staff.no_role")
            return nil
        }
        let roles = texts.compactMap(Role.init(rawValue:))
        guard roles.count == texts.count else {
            fields.refuse("roles", "errors.choice")
            return nil
        }
        return Set(roles)
    }
}
