import Database
import Records
import Wire

/// One area of the portal, as the composition knows it.
package struct Feature: Sendable {
    /// Lower case, English; of the folder it stands in.
    package let name: String
    /// Its pages and calls, and what it adds to every page.
    package let addRoutes: @Sendable (inout Routes) -> Void
    /// What it keeps for as long as the portal runs.
    package var makeParts: @Sendable (Settings, Records, Log) throws -> [any Part] = { _, _, _ in [] }
    /// Removes what has run out; in one transaction with what the other features remove.
    package var removeExpired: @Sendable (_ now: Instant, borrowing Connection) throws -> Void = { _, _ in }
    /// Erases what a patient's account or its therapies cannot go without: what hangs on them by itself goes with them.
    package var eraseAccount: @Sendable (_ account: String, borrowing Connection) throws -> Void = { _, _ in }
    /// Erases what somebody gave in a study while they took part, and keeps the account.
    package var eraseAnswers: @Sendable (StudyAnswers, borrowing Connection) throws -> Void = { _, _ in }
    /// Takes back what an old copy of the database would bring to life: sessions, links and codes may have been ended or
    /// used since, mails may have been sent.
    package var revokeAll: @Sendable (_ now: Instant, borrowing Connection) throws -> Void = { _, _ in }

    /// What one person gave in one study.
    package struct StudyAnswers: Sendable {
        package let account: String
        package let study: String

        package init(account: String, study: String) {
            self.account = account
            self.study = study
        }
    }

    package init(
        name: String, addRoutes: @escaping @Sendable (inout Routes) -> Void,
        makeParts: @escaping @Sendable (Settings, Records, Log) throws -> [any Part] = { _, _, _ in [] },
        removeExpired: @escaping @Sendable (_ now: Instant, borrowing Connection) throws -> Void = { _, _ in
        },
        eraseAccount: @escaping @Sendable (_ account: String, borrowing Connection) throws -> Void = { _, _ in
        },
        eraseAnswers: @escaping @Sendable (StudyAnswers, borrowing Connection) throws -> Void = { _, _ in },
        revokeAll: @escaping @Sendable (_ now: Instant, borrowing Connection) throws -> Void = { _, _ in }
    ) {
        self.name = name
        self.addRoutes = addRoutes
        self.makeParts = makeParts
        self.removeExpired = removeExpired
        self.eraseAccount = eraseAccount
        self.eraseAnswers = eraseAnswers
        self.revokeAll = revokeAll
    }
}

/// Something that a feature keeps for as long as the portal runs: a cache, a queue. It lies in memory only; what it holds is
/// lost with the process and unknown to a second one.
package protocol Part: AnyObject, Sendable {
    /// Somebody may be told to nobody any more: they were erased or have withdrawn.
    func consentEnded(_ records: Records)
    /// The portal stops.
    func close()
}

extension Part {
    package func consentEnded(_ records: Records) {}
    package func close() {}
}
