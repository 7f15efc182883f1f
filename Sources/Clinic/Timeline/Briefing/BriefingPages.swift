import HTTP
import Records
import Responses
import Therapies
import Web
import Wording

/// One page before the session, on paper or screen: what happened since the last one, what moved, what is open.
package enum BriefingPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/briefing", .caseloadReader, show)
        routes.page(.post, "/patients/:patient/briefing", .caseloadOwner, update)
    }

    package struct Show: Page {
        package static let template = "timeline/briefing"
        struct Tile: Encodable, Sendable {
            let number: String
            let text: String
            /// What the number rests on, `13 von 21`.
            let basis: String?
            /// The same of the interval before, however long that was.
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
            /// Why nothing of it is judged.
            let unjudged: String?
        }
        package struct Known: Encodable, Sendable {
            let moved: [Moved]
        }
        package struct Line: Encodable, Sendable {
            package let when: String
            package let text: String
            package let state: String?
        }
        package let id: ID<Therapy>
        package let codename: String
        package let title: String
        package let dates: String
        package let since: String
        /// Answers that have to be seen, whatever the reactions say.
        package let unseen: [UnseenAnswer]
        let hasUnseen: Bool
        let tiles: [Tile]
        /// Whether any scale has a value at all.
        package let hasScores: Bool
        /// Values from after the last session that was held.
        package let moved: [Moved]
        /// Values from before it; nil when there are none.
        package let known: Known?
        let happened: [Line]
        /// How many lines are left out because the paper ends; the timeline has them.
        package let more: String?
        package let open: [Line]
        /// What the person measures themselves and shows, since then.
        let measured: [SharedBandView]
        let hasMeasured: Bool
        package let questions: [String]
        let questionsFrom: String?
        /// The therapist hides what they wrote for their own eyes.
        let isHidden: Bool
        /// Whether the list is the reader's own: others who know it read it.
        let canWrite: Bool
        /// What was kept of the last session.
        var last: LastSession?
        /// The page of the session that comes.
        var session: String?
        package let field: FieldView
        package let foot: String
        package let errors: ErrorSummary?

        package static let example = Show(
            id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480",
            title: "C020480 · vor der 12. Sitzung",
            dates: "Dienstag, 24. November, 09:00",
            since: "Seit der letzten Sitzung, 5 Tage · zuvor: 21 Tage",
            unseen: [.example], hasUnseen: true,
            tiles: [
                Tile(
                    number: "62 %", text: "Tagesabfragen beantwortet", basis: "13 von 21",
                    before: "zuvor 62 % (39 von 63)")
            ], hasScores: true,
            moved: [
                Moved(
                    name: "ISF-K Intensität", link: "/patients", value: "2,7", when: "Di 17.11.",
                    basis: "6 von 6",
                    path: "M0 10L100 4", changes: [.example], unjudged: nil)
            ],
            known: Known(moved: [
                Moved(
                    name: "Wohlbefinden", link: "/patients", value: "48", when: "Di 27.10.", basis: "5 von 5",
                    path: "M0 10L100 4", changes: [], unjudged: "erster Wert")
            ]),
            happened: [Line(when: "Mi 18.11.", text: "Aufgabe „Drei Momente“", state: "geöffnet")], more: nil,
            open: [], measured: [.example], hasMeasured: true, questions: ["Gespräch mit dem Bruder?"],
            questionsFrom: "Ihre Notiz vom 17.11.",
            isHidden: false, canWrite: true, last: .example, session: "/patients",
            field: FieldView(name: "questions", label: "Woran Sie anknüpfen wollen", isArea: true),
            foot: "Zahlen mit n und Formel in der Zeitachse.", errors: nil)
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let page = try c.read { try BriefingSheet(c, $0).page(FormState(c.texts), $0) }
        try FileLook.note(c)
        return .page(page)
    }

    static let longestQuestions = 2_000

    @Sendable static func update(_ c: Context<Caseload>) throws -> Reply {
        let form = try c.form()
        do {
            let fields = InputReader(form: form)
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
            let page = try c.read { try BriefingSheet(c, $0).page(FormState(form, errors, c.texts), $0) }
            return .page(page, status: 422)
        }
    }
}

extension AuditAction {
    static let briefingNoted = AuditAction(name: "briefing.noted")
}
