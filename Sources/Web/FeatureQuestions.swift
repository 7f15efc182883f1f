import Database
import Identity
import Records
import Wire

/// Questions of lower areas to higher ones, whose tables they do not know.
package struct FeatureQuestions: Sendable {
    package typealias Uses =
        @Sendable (_ question: UseQuestion, borrowing Connection) throws -> [QuestionnaireUse]
    package typealias IsAsked =
        @Sendable (_ questionnaire: ID<QuestionnaireVersion>, _ account: ID<Account>, borrowing Connection)
        throws -> Bool
    package typealias Prompted =
        @Sendable (
            _ id: ID<Assignment>, _ account: ID<Account>, Services, _ now: Instant, borrowing Connection
        )
        throws -> PromptedQuestionnaire?
    package typealias HasAgreed =
        @Sendable (_ account: ID<Account>, _ choice: Int, borrowing Connection) throws -> Bool
    package typealias IsNeeded = @Sendable (_ battery: String, borrowing Connection) throws -> Bool
    package typealias MayReach = @Sendable (_ account: ID<Account>, borrowing Connection) throws -> Bool
    package typealias Participates =
        @Sendable (_ account: ID<Account>, Services, _ now: Instant, borrowing Connection) throws -> Void
    package typealias TherapyChanges =
        @Sendable (_ account: ID<Account>, _ now: Instant, borrowing Connection) throws -> Void
    package typealias Starter =
        @Sendable (Context<Member>, borrowing Connection) throws -> StarterPiece?
    package typealias Kits = @Sendable (Context<Member>, borrowing Connection) throws -> [StarterKit]
    package typealias Bands =
        @Sendable (_ request: BandRequest, borrowing Connection) throws -> [SharedBand]
    package typealias Hears = @Sendable (_ account: ID<Account>, borrowing Connection) throws -> Bool
    package typealias Providers =
        @Sendable (_ account: ID<Account>, Services, borrowing Connection) throws -> [MeasurementProvider]
    package typealias Reminded =
        @Sendable (_ account: ID<Account>, borrowing Connection) throws -> [ID<Credential>: String]
    package typealias NamesArms =
        @Sendable (_ study: ID<Study>, borrowing Connection) throws -> [String]
    package typealias Held = @Sendable (_ study: ID<Study>, borrowing Connection) throws -> Int

    /// Uses of questionnaires: what would break without them.
    package var uses: Uses = { _, _ in [] }
    /// Whether a patient may read a version of a questionnaire: it was, is or may yet be asked of them.
    package var isAsked: IsAsked = { _, _, _ in false }
    /// An assignment that is not stored, because it follows from a study's prompts; nil where it cannot be filled in.
    package var prompted: Prompted = { _, _, _, _, _ in nil }
    /// Whether a patient has agreed to a use of their data that is research, by their latest choice.
    package var hasAgreed: HasAgreed = { _, _, _ in false }
    /// The number of a study's refused sheets that wait for a decision.
    package var held: Held = { _, _ in 0 }
    /// The keys of a study's arms that something besides its questionnaires acts on.
    package var namesArms: NamesArms = { _, _ in [] }
    /// Whether a battery is still referred to.
    package var isNeeded: IsNeeded = { _, _ in false }
    /// Whether the reactions of an account without patients of its own can reach any.
    package var mayReach: MayReach = { _, _ in false }
    /// Called when an account joins or leaves a study, or changes its answer on research.
    package var participates: Participates = { _, _, _, _ in }
    /// Called when a person's therapy begins or ends, or its sessions are others.
    package var therapyChanges: TherapyChanges = { _, _, _ in }
    /// An area's part of the starter set for the caller; nil where they have it.
    package var starter: Starter = { _, _ in nil }
    /// Kits an area offers a new clinic beside the starter set, as far as they are missing.
    package var kits: Kits = { _, _ in [] }
    /// A patient's own measurements in a period, as shared with their therapist.
    package var bands: Bands = { _, _ in [] }
    /// Whether a patient has reported a tinnitus.
    package var hearsTinnitus: Hears = { _, _ in false }
    /// Providers of measurements, and whether this clinic can fetch from them.
    package var providers: Providers = { _, _, _ in [] }

    /// A person's devices that push messages were asked for on, with whether these come: `on`, or `ended`.
    package var reminded: Reminded = { _, _ in [:] }

    /// - Parameter answer: sets the questions that an area answers.
    package init(_ answer: (inout FeatureQuestions) -> Void = { _ in }) { answer(&self) }
}

/// The questionnaire of an assignment that is not stored.
package struct PromptedQuestionnaire: Sendable {
    package let version: ID<QuestionnaireVersion>
    /// What is half filled in is kept under this.
    package let draft: String
    package let isAnswered: Bool

    package init(version: ID<QuestionnaireVersion>, draft: String, isAnswered: Bool) {
        self.version = version
        self.draft = draft
        self.isAnswered = isAnswered
    }
}

/// A provider of measurements that this program knows.
package struct MeasurementProvider: Sendable {
    package let name: String
    /// Whether the clinic has set it up, or the person is linked with it.
    package let isOffered: Bool

    package init(name: String, isOffered: Bool) {
        self.name = name
        self.isOffered = isOffered
    }
}

/// Content for clinics that need it, added by a button of its own.
package struct StarterKit: Sendable {
    package let title: String
    package let text: String
    /// The form's action.
    package let path: String
    /// The form's value of `only`; nil where the path is enough.
    package let only: String?

    package init(title: String, text: String, path: String, only: String? = nil) {
        self.title = title
        self.text = text
        self.path = path
        self.only = only
    }
}

/// A part of the starter set that a higher area adds.
package struct StarterPiece: Sendable {
    /// Its description on the page that offers it.
    package let words: String
    /// Writes it, unless it exists by then.
    package let take: @Sendable (borrowing Connection) throws -> Void

    package init(_ words: String, take: @escaping @Sendable (borrowing Connection) throws -> Void) {
        self.words = words
        self.take = take
    }
}

/// The questions, put to every area.
extension Services {
    /// Uses of questionnaires: what would break without them.
    package func uses(
        of questionnaires: [String], for reader: AccountRecord, isOwnOnly: Bool = false, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> [QuestionnaireUse] {
        let question = UseQuestion(
            keys: questionnaires, reader: reader, isOwnOnly: isOwnOnly, now: now, keyring: keys)
        return try features.flatMap { try $0.questions.uses(question, connection) }
    }

    package func isAsked(
        _ questionnaire: ID<QuestionnaireVersion>, of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> Bool {
        try features.contains { try $0.questions.isAsked(questionnaire, account, connection) }
    }

    package func prompted(
        _ id: ID<Assignment>, of account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws -> PromptedQuestionnaire? {
        for feature in features {
            if let found = try feature.questions.prompted(id, account, self, now, connection) { return found }
        }
        return nil
    }

    package func isNeeded(battery: String, _ connection: borrowing Connection) throws -> Bool {
        try features.contains { try $0.questions.isNeeded(battery, connection) }
    }

    package func mayReach(_ account: ID<Account>, _ connection: borrowing Connection) throws -> Bool {
        try features.contains { try $0.questions.mayReach(account, connection) }
    }

    /// Called in the transaction in which an account joins or leaves a study, or says yes or no to research.
    package func participates(
        _ account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        for feature in features { try feature.questions.participates(account, self, now, connection) }
    }

    /// Called in the transaction in which a person's therapy begins or ends, or its sessions become others.
    package func therapyChanges(
        of account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        for feature in features { try feature.questions.therapyChanges(account, now, connection) }
    }

    /// The parts of the starter set of higher areas, for the caller.
    package func starterPieces(
        _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> [StarterPiece] {
        try features.compactMap { try $0.questions.starter(c, connection) }
    }

    /// The kits that areas offer a new clinic beside the starter set.
    package func starterKits(
        _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> [StarterKit] {
        try features.flatMap { try $0.questions.kits(c, connection) }
    }

    package func hasAgreed(
        _ account: ID<Account>, after choice: Int, _ connection: borrowing Connection
    ) throws -> Bool {
        try features.contains { try $0.questions.hasAgreed(account, choice, connection) }
    }

    /// The files that areas above the studies add to an export.
    package var studyFiles: [StudyFile] { features.flatMap(\.studyFiles) }

    /// A patient's own measurements as shared, by area.
    package func bands(
        _ request: BandRequest, _ connection: borrowing Connection
    ) throws -> [SharedBand] {
        try features.flatMap { try $0.questions.bands(request, connection) }
    }

    /// Whether a patient has reported a tinnitus: only then are they asked about it.
    package func hearsTinnitus(_ account: ID<Account>, _ connection: borrowing Connection) throws -> Bool {
        try features.contains { try $0.questions.hearsTinnitus(account, connection) }
    }

    /// Providers from which a person's measurements could be fetched.
    package func providers(
        for account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [MeasurementProvider] {
        try features.flatMap { try $0.questions.providers(account, self, connection) }
    }

    package func reminded(
        _ account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [ID<Credential>: String] {
        try features.reduce(into: [:]) { all, feature in
            all.merge(try feature.questions.reminded(account, connection)) { first, _ in first }
        }
    }

    package func namedArms(of study: ID<Study>, _ connection: borrowing Connection) throws -> Set<String> {
        Set(try features.flatMap { try $0.questions.namesArms(study, connection) })
    }

    package func heldSheets(in study: ID<Study>, _ connection: borrowing Connection) throws -> Int {
        try features.reduce(0) { try $0 + $1.questions.held(study, connection) }
    }
}
