import Database
import HTTP
import Templates
import Wire

/// One page before the session, on paper or screen: what happened since the last one, what moved, what is open.
enum BriefingPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/briefing", .caseload, show)
        routes.page(.post, "/patients/:patient/briefing", .caseload, update)
    }

    struct Show: Page {
        static let template = "timeline/briefing"
        struct Tile: Encodable, Sendable {
            let number: String
            let text: String
            /// The same of the interval before.
            let before: String?
        }
        struct Moved: Encodable, Sendable {
            let name: String
            let value: String
            /// Its course since the begin, as a path 100 wide and 20 high.
            let path: String
            let change: String
            let tone: String
        }
        struct Line: Encodable, Sendable {
            let when: String
            let text: String
            let state: String?
        }
        let id: String
        let codename: String
        let title: String
        let dates: String
        let since: String
        let tiles: [Tile]
        let moved: [Moved]
        let happened: [Line]
        /// How many lines are left out because the paper ends; the timeline has them.
        let more: String?
        let open: [Line]
        let questions: [String]
        let questionsFrom: String?
        let field: FieldView
        let foot: String
        let errors: ErrorSummary?

        static let example = Show(
            id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480",
            title: "C020480 · vor Sitzung 12",
            dates: "Dienstag, 24. November, 09:00", since: "Seit der letzten Sitzung, sieben Tage",
            tiles: [Tile(number: "18 von 21", text: "Abfragen beantwortet", before: "zuvor 19 von 21")],
            moved: [
                Moved(
                    name: "ISF-K Intensität", value: "2,7", path: "M0 10L100 4", change: "+1,6 seit Beginn",
                    tone: "good")
            ],
            happened: [Line(when: "Mi 18.11.", text: "Aufgabe „Drei Momente“", state: "geöffnet")], more: nil,
            open: [], questions: ["Gespräch mit dem Bruder?"], questionsFrom: "Ihre Notiz vom 17.11.",
            field: FieldView(name: "questions", label: "Woran Sie anknüpfen wollen", isArea: true),
            foot: "Zahlen mit n und Formel in der Zeitachse.", errors: nil)
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        .page(try c.read { try BriefingSheet(c, $0).page(Filled(c.texts), $0) })
    }

    static let longestQuestions = 2_000

    @Sendable static func update(_ c: Context<Caseload>) throws -> Reply {
        let form = try c.form()
        do {
            let fields = Fields(form: form)
            let words = fields.text("questions", limit: longestQuestions, lines: true)
            try fields.finish()
            let therapy = c.proof.patient
            let sealed = try words.map { words in
                try therapy.key(c.keys).seal(words, for: BriefingQuestions.place(therapy.id))
            }
            try c.write(.briefingNoted, about: therapy.id) { [now = c.now] connection in
                try BriefingStore.save(sealed, of: therapy.id, at: now, connection)
            }
            return .seeOther("/patients/\(therapy.id)/briefing", flash: Message("briefing.saved"))
        } catch Problem.invalid(let errors) {
            let page = try c.read { try BriefingSheet(c, $0).page(Filled(form, errors, c.texts), $0) }
            return .page(page, status: 422)
        }
    }
}

extension AuditAction {
    static let briefingNoted = AuditAction(name: "briefing.noted")
}
