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
    package let makeParts: MakeParts
    /// Removes what has run out; in one transaction with what the other features remove.
    package let removeExpired: AtMoment
    /// What is laid aside before a patient deletes their account: made from what is there, written with the deletion.
    package let beforeErasure: BeforeErasure
    /// Erases what does not go with a patient's account or therapies by itself, before these go.
    package let eraseAccount: EraseAccount
    /// Erases what somebody gave in a study; the account stays.
    package let eraseAnswers: EraseAnswers
    /// Takes back what an old copy of the database would bring to life: sessions, links and codes may have been ended or
    /// used since, mails may have been sent.
    package let revokeAll: AtMoment
    package let questions: FeatureQuestions
    /// What it adds to the export of a study.
    package let studyFiles: [StudyFile]

    package typealias MakeParts = @Sendable (Settings, Records, Log) throws -> [any Part]
    package typealias AtMoment = @Sendable (_ now: Instant, borrowing Connection) throws -> Void
    package typealias BeforeErasure =
        @Sendable (_ account: ID<Account>, _ services: Services, _ now: Instant) throws ->
        @Sendable (borrowing Connection) throws -> Void
    package typealias EraseAccount = @Sendable (_ account: ID<Account>, borrowing Connection) throws -> Void
    package typealias EraseAnswers =
        @Sendable (_ account: ID<Account>, _ study: ID<Study>, borrowing Connection) throws -> Void

    package init(
        name: String, addRoutes: @escaping @Sendable (inout Routes) -> Void,
        makeParts: @escaping MakeParts = { _, _, _ in [] },
        removeExpired: @escaping AtMoment = { _, _ in },
        beforeErasure: @escaping BeforeErasure = { _, _, _ in { _ in } },
        eraseAccount: @escaping EraseAccount = { _, _ in },
        eraseAnswers: @escaping EraseAnswers = { _, _, _ in },
        revokeAll: @escaping AtMoment = { _, _ in },
        questions: FeatureQuestions = FeatureQuestions(), studyFiles: [StudyFile] = []
    ) {
        self.name = name
        self.addRoutes = addRoutes
        self.makeParts = makeParts
        self.removeExpired = removeExpired
        self.beforeErasure = beforeErasure
        self.eraseAccount = eraseAccount
        self.eraseAnswers = eraseAnswers
        self.revokeAll = revokeAll
        self.questions = questions
        self.studyFiles = studyFiles
    }
}

/// Something that a feature keeps for as long as the portal runs: a cache, a queue. It lies in memory only; what it holds is
/// lost with the process and unknown to a second one.
package protocol Part: AnyObject, Sendable {
    /// Somebody may be told to nobody any more: they were erased or have withdrawn.
    func consentEnded(_ records: Records)
    /// Told after a transaction that changed what studies ask of somebody: they came in, left, or chose other times.
    func studiesChanged(of account: ID<Account>)
    /// The portal stops.
    func close()
}

extension Part {
    package func consentEnded(_ records: Records) {}
    package func studiesChanged(of account: ID<Account>) {}
    package func close() {}
}
