import Contributions
import HTTP
import Records
import Rules
import Templates
import Therapies
import Web
import Wording

/// One page before the session, on paper or screen: events since the last one, changes, open items.
package enum BriefingPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/briefing", .caseloadReader, show)
        routes.page(.post, "/patients/:patient/briefing", .caseloadOwner, update)
    }

    package struct Show: Page {
        package static let template = "timeline/briefing"
        package static let section: NavigationItem? = .patients
        struct Tile: Encodable, Sendable {
            let number: String
            let text: String
            /// The basis of the number, `13 von 21`.
            let basis: String?
            /// The same of the interval before, of any length.
            let before: String?
        }
        package struct Moved: Encodable, Sendable {
            let name: String
            /// The page of the scale.
            let link: String
            let value: String
            /// The day of the value, and how much was answered.
            let when: String
            let basis: String
            /// Its course since the begin, as a path 100 wide and 20 high.
            let path: String
            let changes: [JudgedChange]
            /// Why there is no verdict.
            let unjudged: String?
        }
        package struct Known: Encodable, Sendable {
            let moved: [Moved]
        }
        package struct Line: Encodable, Sendable {
            package let when: String
            package let text: WrittenText
            package let state: String?
        }
        package let id: ID<Therapy>
        package let codename: String
        package let title: String
        package let dates: String
        package let since: String
        /// Answers that must be seen, independent of reactions.
        package let risks: [RiskAnswer]
        let hasRisks: Bool
        let tiles: [Tile]
        /// Whether any scale has a value at all.
        package let hasScores: Bool
        /// Values from after the last session held.
        package let moved: [Moved]
        /// Values from before it; nil without any.
        package let known: Known?
        let happened: [Line]
        /// The number of lines left out at the end of the paper; the timeline has them.
        package let more: String?
        package let open: [Line]
        /// The patient's own measurements since then, as shared.
        let measured: [SharedBandView]
        let hasMeasured: Bool
        package let questions: [String]
        let questionsFrom: String?
        /// Whether the therapist's private words are hidden.
        let isHidden: Bool
        /// Whether the list is the reader's own: others with access only read it.
        let canWrite: Bool
        var last: LastSession?
        /// The page of the coming session.
        var session: String?
        package let field: FieldView
        package let foot: String
        package let errors: ErrorSummary?
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let page = try c.read { try BriefingReader(c, $0).page(FormState(c.texts), $0) }
        try FileLook.note(c)
        return .page(page)
    }

    static let longestQuestions = 2_000

    @Sendable static func update(_ c: Context<Caseload>) throws -> Reply {
        try c.revise(orShow: { filled in try c.read { try BriefingReader(c, $0).page(filled, $0) } }) {
            fields in
            let words = fields.text("questions", limit: longestQuestions, lines: true)
            try fields.finish()
            let therapy = c.proof.patient
            let sealed = try words.map { words in
                try therapy.key(c.keys).seal(words, for: BriefingStore.place(therapy.id))
            }
            try c.write(.briefingNoted, about: therapy.id) { [now = c.now] connection in
                try BriefingStore.save(sealed, of: therapy.id, at: now, connection)
            }
            return .seeOther("\(therapy.path)/briefing", flash: Message("briefing.saved"))
        }
    }
}

extension AuditAction {
    static let briefingNoted = AuditAction(name: "briefing.noted")
}
