import Database
import Identity
import Records
import Wire

/// What areas below ask of those above them, whose tables they do not know.
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
    package typealias Starter =
        @Sendable (Context<Member>, borrowing Connection) throws -> StarterPiece?
    package typealias Kits = @Sendable (Context<Member>, borrowing Connection) throws -> [StarterKit]
    package typealias Bands =
        @Sendable (_ request: BandRequest, borrowing Connection) throws -> [SharedBand]
    package typealias Hears = @Sendable (_ account: ID<Account>, borrowing Connection) throws -> Bool
    package typealias Providers =
        @Sendable (_ account: ID<Account>, Services, borrowing Connection) throws -> [MeasurementProvider]
    package typealias Held = @Sendable (_ study: ID<Study>, borrowing Connection) throws -> Int

    /// What rests on questionnaires.
    package let uses: Uses
    /// Whether a patient may read a version of a questionnaire, because they are or were asked it or can come to be.
    package let isAsked: IsAsked
    /// What an assignment asks that is not stored, because it follows from a study's prompts; nil where it cannot be filled in.
    package let prompted: Prompted
    /// Whether a patient has agreed to something that is research after a choice of theirs.
    package let hasAgreed: HasAgreed
    /// How many refused sheets of a study wait for a decision.
    package let held: Held
    /// Whether a battery is named by something that would miss it.
    package let isNeeded: IsNeeded
    /// Whether the reactions of somebody without patients can reach any.
    package let mayReach: MayReach
    /// Takes note that somebody takes part in other studies than before, or has said another word on research.
    package let participates: Participates
    /// What an area adds to the starter set for whoever asks; nil where they have had it.
    package let starter: Starter
    /// What an area offers to a new clinic beside the starter set, as far as it is missing.
    package let kits: Kits
    /// What somebody measures themselves and shows to their therapist, in a stretch of time.
    package let bands: Bands
    /// Whether somebody has told of a tinnitus.
    package let hearsTinnitus: Hears
    /// Providers of measurements, and whether this clinic can fetch from them.
    package let providers: Providers

    package init(
        uses: @escaping Uses = { _, _ in [] },
        isAsked: @escaping IsAsked = { _, _, _ in false },
        prompted: @escaping Prompted = { _, _, _, _, _ in nil },
        hasAgreed: @escaping HasAgreed = { _, _, _ in false },
        held: @escaping Held = { _, _ in 0 },
        isNeeded: @escaping IsNeeded = { _, _ in false },
        mayReach: @escaping MayReach = { _, _ in false },
        participates: @escaping Participates = { _, _, _, _ in },
        starter: @escaping Starter = { _, _ in nil },
        kits: @escaping Kits = { _, _ in [] },
        bands: @escaping Bands = { _, _ in [] },
        hearsTinnitus: @escaping Hears = { _, _ in false },
        providers: @escaping Providers = { _, _, _ in [] }
    ) {
        self.uses = uses
        self.isAsked = isAsked
        self.prompted = prompted
        self.hasAgreed = hasAgreed
        self.held = held
        self.isNeeded = isNeeded
        self.mayReach = mayReach
        self.participates = participates
        self.starter = starter
        self.kits = kits
        self.bands = bands
        self.hearsTinnitus = hearsTinnitus
        self.providers = providers
    }
}

/// What an assignment asks that is not stored.
package struct PromptedQuestionnaire: Sendable {
    package let version: ID<QuestionnaireVersion>
    package let isAnswered: Bool

    package init(version: ID<QuestionnaireVersion>, isAnswered: Bool) {
        self.version = version
        self.isAnswered = isAnswered
    }
}

/// A provider of measurements that this program knows.
package struct MeasurementProvider: Sendable {
    package let name: String
    /// The clinic has set it up, or the person is linked with it.
    package let isOffered: Bool

    package init(name: String, isOffered: Bool) {
        self.name = name
        self.isOffered = isOffered
    }
}

/// Something for clinics that need it, taken by a button of its own.
package struct StarterKit: Sendable {
    package let title: String
    package let text: String
    /// Where the button sends to.
    package let path: String
    /// What the form names as `only`; nil where the path says it all.
    package let only: String?

    package init(title: String, text: String, path: String, only: String? = nil) {
        self.title = title
        self.text = text
        self.path = path
        self.only = only
    }
}

/// A part of the starter set that an area above brings.
package struct StarterPiece: Sendable {
    /// What it is, on the page that offers it.
    package let words: String
    /// Writes it, unless it is there by then.
    package let take: @Sendable (borrowing Connection) throws -> Void

    package init(_ words: String, take: @escaping @Sendable (borrowing Connection) throws -> Void) {
        self.words = words
        self.take = take
    }
}

/// The questions, put to every area.
extension Services {
    /// What rests on questionnaires.
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

    /// Told in the transaction in which somebody begins or ends to take part in a study, or says yes or no to research.
    package func participates(
        _ account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        for feature in features { try feature.questions.participates(account, self, now, connection) }
    }

    /// What areas above add to the starter set for whoever asks.
    package func starterPieces(
        _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> [StarterPiece] {
        try features.compactMap { try $0.questions.starter(c, connection) }
    }

    /// What areas offer to a new clinic beside it.
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

    /// What areas above the studies add to an export.
    package var studyFiles: [StudyFile] { features.flatMap(\.studyFiles) }

    /// What a patient measures themselves and shows, by area.
    package func bands(
        _ request: BandRequest, _ connection: borrowing Connection
    ) throws -> [SharedBand] {
        try features.flatMap { try $0.questions.bands(request, connection) }
    }

    /// Whether somebody has told of a tinnitus: others are not asked about one.
    package func hearsTinnitus(_ account: ID<Account>, _ connection: borrowing Connection) throws -> Bool {
        try features.contains { try $0.questions.hearsTinnitus(account, connection) }
    }

    /// Providers from which a person's measurements could be fetched.
    package func providers(
        for account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [MeasurementProvider] {
        try features.flatMap { try $0.questions.providers(account, self, connection) }
    }

    package func heldSheets(in study: ID<Study>, _ connection: borrowing Connection) throws -> Int {
        try features.reduce(0) { try $0 + $1.questions.held(study, connection) }
    }
}
