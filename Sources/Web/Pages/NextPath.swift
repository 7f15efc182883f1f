import HTTP
import Identity
import Wire

/// Paths that a login may lead on to: this site's own.
package enum NextPath {
    /// `/` for anything that could lead elsewhere.
    package static func safe(_ text: String?) -> String {
        guard let text, text.hasPrefix("/"), !text.hasPrefix("//"), !text.contains("\\"),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else { return "/" }
        return text
    }

    /// The page that was asked for where it is one, else where people of these roles begin.
    package static func destination(_ next: String, _ account: AccountRecord, among routes: Routes) -> String
    {
        let isPage = Target(next).map { (try? routes.match(.get, $0.path)) != nil } ?? false
        return isPage && next != "/" ? next : home(of: account)
    }

    /// Where people of these roles begin.
    package static func home(of account: AccountRecord) -> String {
        if account.roles.contains(.therapist) { return "/" }
        if account.roles.contains(.lead) { return "/studies" }
        return account.roles.contains(.admin) ? "/admin" : "/profile"
    }
}
