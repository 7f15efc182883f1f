import Database
import Records
import Wire

/// One area of the portal, as the composition knows it.
package struct Feature: Sendable {
    /// In lower case, English: the name of its folder.
    package let name: String
    /// Its pages and calls, and what it adds to every page.
    package let addRoutes: @Sendable (inout Routes) -> Void
    /// The parts it keeps for as long as the portal runs.
    package let makeParts: MakeParts
    /// Removes expired data, in one transaction with the other features.
    package let removeExpired: AtMoment
    /// Prepares what must outlive a patient's account, before it is deleted; written together with the deletion.
    package let beforeErasure: BeforeErasure
    /// Erases data that does not fall with a patient's account or therapies, before these are erased.
    package let eraseAccount: EraseAccount
    /// Erases the answers a participant gave in a study; the account stays.
    package let eraseAnswers: EraseAnswers
    /// Revokes what an old copy of the database would revive: ended sessions, used links and codes, sent mails.
    package let revokeAll: AtMoment
    package let questions: FeatureQuestions
    /// The files it adds to the export of a study.
    package let studyFiles: [StudyFile]
    /// Examples of its pages in states that neither a link nor a form of the demonstration leads to, for the gallery.
    package let pages: [any Page]
    /// Its sections of the copy of all own data (GDPR 15 and 20).
    package let ownData: OwnDataOf

    package typealias MakeParts = @Sendable (Settings, Records, Log, ShortMemory) throws -> [any Part]
    package typealias AtMoment = @Sendable (_ now: Instant, borrowing Connection) throws -> Void
    package typealias BeforeErasure =
        @Sendable (_ account: ID<Account>, _ services: Services, _ now: Instant) throws ->
        @Sendable (borrowing Connection) throws -> Void
    package typealias EraseAccount = @Sendable (_ account: ID<Account>, borrowing Connection) throws -> Void
    package typealias EraseAnswers =
        @Sendable (
            _ account: ID<Account>, _ study: ID<Study>, _ questionnaires: [ID<QuestionnaireVersion>],
            borrowing Connection
        ) throws -> Void
    package typealias OwnSections = [OwnDataSection: any Encodable & Sendable]
    package typealias OwnDataOf =
        @Sendable (_ owner: DataOwner, borrowing Connection) throws -> OwnSections

    package init(
        name: String, addRoutes: @escaping @Sendable (inout Routes) -> Void,
        makeParts: @escaping MakeParts = { _, _, _, _ in [] },
        removeExpired: @escaping AtMoment = { _, _ in },
        beforeErasure: @escaping BeforeErasure = { _, _, _ in { _ in } },
        eraseAccount: @escaping EraseAccount = { _, _ in },
        eraseAnswers: @escaping EraseAnswers = { _, _, _, _ in },
        revokeAll: @escaping AtMoment = { _, _ in },
        questions: FeatureQuestions = FeatureQuestions(), studyFiles: [StudyFile] = [],
        pages: [any Page] = [],
        ownData: @escaping OwnDataOf = { _, _ in [:] }
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
        self.pages = pages
        self.ownData = ownData
    }
}
