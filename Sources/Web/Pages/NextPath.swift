import HTTP
import Identity

/// Paths that a login may lead on to: this site's own.
package enum NextPath {
    /// `/` for anything that could lead elsewhere.
    package static func safe(_ text: String?) -> String {
        guard let text, text.hasPrefix("/"), !text.hasPrefix("//"), !text.contains("\\"),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else { return "/" }
        return text
    }

    /// The requested page where it fits the account, else the first page of its roles.
    package static func destination(_ next: String, _ account: AccountRecord, among routes: Routes) -> String
    {
        let isPage = Target(next).map { (try? routes.match(.get, $0.path)) != nil } ?? false
        let isOwn = next == "/my" || next.hasPrefix("/my/") || next.hasPrefix("/my?")
        // An earlier user of this browser may have left a path that does not fit this account.
        let fits = isOwn ? account.kind == .patient : account.kind == .staff || isForAll(next)
        return isPage && fits && next != "/" ? next : home(of: account)
    }

    /// Pages that both patients and others use.
    private static func isForAll(_ path: String) -> Bool {
        ["/pair", "/info/"].contains { path.hasPrefix($0) }
            || (path.hasPrefix("/studies/") && path.split(separator: "/").count == 2)
    }

    /// The first page of an account's roles.
    package static func home(of account: AccountRecord) -> String {
        if account.kind == .patient { return "/my" }
        if account.roles.contains(.therapist) { return "/" }
        if account.roles.contains(.lead) { return "/studies" }
        return account.roles.contains(.admin) ? "/admin" : "/profile"
    }
}
