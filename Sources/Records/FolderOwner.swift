import Foundation

/// The owner of a data folder. What root writes there for another user keeps that user's server from starting: commands given by
/// root act as the owner.
public enum FolderOwner {
    package struct User: Sendable, Equatable {
        let id: uid_t
        let group: gid_t
        /// nil for an id without an account.
        let name: String?

        package init(id: uid_t, group: gid_t, name: String?) {
            self.id = id
            self.group = group
            self.name = name
        }

        package var words: String { name ?? "user \(id)" }

        /// What comes before a command that acts as this user. `runuser` takes names alone.
        var prefix: String {
            name.map { "runuser -u \($0) --" } ?? "setpriv --reuid \(id) --regid \(group) --clear-groups --"
        }
    }

    /// The owner where root acts on another user's folder; nil for everybody else, and for a folder that is not there yet.
    static func other(of settings: Settings) -> User? {
        var facts = stat()
        guard geteuid() == 0, stat(settings.data, &facts) == 0, facts.st_uid != 0 else { return nil }
        let entry = getpwuid(facts.st_uid)?.pointee
        return User(
            id: facts.st_uid, group: entry?.pw_gid ?? facts.st_gid,
            name: entry.map { String(cString: $0.pw_name) })
    }

    /// Goes on as the owner of the folder, for good.
    /// - Returns: the owner's name; nil where nothing had to be changed.
    /// - Throws: `StartError` where root may not become another user. Nothing was written then.
    @discardableResult
    public static func become(_ settings: Settings) throws -> String? {
        guard let user = other(of: settings) else { return nil }
        let hasGroups = user.name.map { initgroups($0, user.group) == 0 } ?? (setgroups(0, nil) == 0)
        guard hasGroups, setgid(user.group) == 0, setuid(user.id) == 0 else {
            throw StartError(sentence(user, settings))
        }
        return user.words
    }

    /// Why root writes nothing into the folder of another user.
    static func sentence(_ owner: User, _ settings: Settings) -> String {
        """
        \(settings.data) belongs to \(owner.words), and what root writes there keeps the server of \(owner.words) from starting.
        Give the command as its owner: \(owner.prefix) intersession …
        """
    }
}
