import Contributions
import HTTP
import Identity
import JSON
import Records
import Therapies
import Web
import Wire
import Wording

/// Marking an answer that has to be seen as seen, with a word (PR-11, PR-27), by page and by call.
enum RiskPages {
    static func routes(_ routes: inout Routes) {
        let path = "/patients/:patient/contributions/:contribution/seen"
        routes.page(.post, path, .caseloadWatcher, undo: .riskSeen, create)
        routes.call(
            .post, path, .caseloadWatcher,
            .one(
                "The answers that have to be seen were seen, with all alerts that they raised",
                SeenAnswer.self,
                takes: .object([Schema.optional("comment", .string.orNull)])
            ).withOptionalBody.undone(.riskSeen), mark)
        routes.call(
            .post, path + "/return", .caseloadWatcher,
            .nothing("Let them wait again, for ten minutes").revised(Undo.riskSeen.revision), bringBack)
    }

    /// The form once more, with what is wrong with its word.
    package struct Again: Page {
        package static let template = "alerts/seen"
        package static let section: NavigationItem? = .today
        let title: String
        let action: String
        let back: String
        let field: FieldView
        let errors: ErrorSummary?

        static let example = Again(
            title: "–",
            action:
                "/patients/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11/contributions/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11/seen",
            back: "/", field: FieldView(name: "comment", label: "–"), errors: nil)
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        let form = try c.form()
        let back = NextPath.safe(form["back"])
        let record = try sheet(c)
        let path = "\(c.proof.patient.path)/contributions/\(record.id)"
        return try c.submit(form, orShow: { again($0, path: path, back: back, c) }) { fields in
            let comment = fields.text("comment", limit: RiskActions.commentLimit, lines: true)
            try fields.finish()
            try settle(record, comment, c)
            return .seeOther(
                back == "/" ? path : back == "/today" ? "/" : back, flash: Message("seen.noted"))
        }
    }

    private static func again(
        _ filled: FormState, path: String, back: String, _ c: Context<Caseload>
    ) -> Again {
        let field = filled.field("comment", .area, label: "risk.word", hint: "risk.word_hint")
        return Again(
            title: c.texts["risk.title"], action: path + "/seen", back: back, field: field,
            errors: filled.summary)
    }

    @Sendable static func mark(_ c: Context<Caseload>) throws -> Reply {
        let fields = c.request.body.isEmpty ? InputReader(json: .object([])) : try c.body()
        let comment = fields.text("comment", limit: RiskActions.commentLimit, lines: true)
        try fields.finish()
        let record = try sheet(c)
        try settle(record, comment, c)
        let key = try c.proof.patient.key(c.keys)
        let seen = try c.read { connection -> SeenAnswer? in
            try ContributionStore.find(record.id, inTherapy: c.proof.patient.id, connection).map { now in
                SeenAnswer(
                    contributionID: now.id.text, acknowledgedAt: now.seenAt,
                    acknowledgedBy: try now.seenBy.flatMap {
                        try AccountStore.find($0, connection)?.name(c.keys)
                    },
                    comment: try now.seenComment(key))
            }
        }
        guard let seen else { throw Problem.notFound }
        return try .data(One(id: record.id, seen))
    }

    @Sendable static func bringBack(_ c: Context<Caseload>) throws -> Reply {
        try RiskActions.takeBack(c)
        return .response(.noContent)
    }

    /// - Throws: `Problem.notFound` for a sheet of another patient.
    private static func sheet(_ c: Context<Caseload>) throws -> ContributionRecord {
        let id: ID<ContributionRecord> = try c.id("contribution")
        let found = try c.read { try ContributionStore.find(id, inTherapy: c.proof.patient.id, $0) }
        guard let found else { throw Problem.notFound }
        return found
    }

    /// Marking twice is harmless, as is marking a sheet without such an answer.
    private static func settle(
        _ record: ContributionRecord, _ comment: String?, _ c: Context<Caseload>
    ) throws {
        guard record.mustBeSeen, record.seenAt == nil else { return }
        try RiskActions.settle(record.id, of: c.proof.patient, comment, by: c.proof.therapist.id, c)
    }
}
