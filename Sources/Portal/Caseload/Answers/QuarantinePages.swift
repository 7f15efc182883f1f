import Database
import HTTP
import Wire

/// Refused sheets of a patient that wait for a decision.
enum QuarantinePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/quarantine", .caseload, index)
        routes.page(.post, "/patients/:patient/quarantine/:sheet/admission", .caseload, admit)
        routes.page(.post, "/patients/:patient/quarantine/:sheet/discard", .caseload, discard)
        routes.page(.post, "/patients/:patient/quarantine/:sheet/return", .caseload, bringBack)
    }

    struct Index: Page {
        static let template = "contributions/quarantine"
        static let section: Section? = .patients
        struct Line: Encodable, Sendable {
            let question: String
            let answer: String
        }
        struct Held: Encodable, Sendable {
            let id: String
            let title: String
            let reason: String
            let facts: [String]
            let lines: [Line]
            let contentLanguage: String
            /// What admitting it would do; nil when it cannot be admitted.
            let effect: String?
            let obstacle: String?
        }
        /// One that was discarded and can still be brought back.
        struct Discarded: Encodable, Sendable {
            let id: String
            let title: String
            let reason: String
            let facts: [String]
        }
        let patient: String
        let codename: String
        let entries: [Held]
        let discarded: [Discarded]
        let hasDiscarded: Bool

        static let example = Index(
            patient: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480",
            entries: [
                Held(
                    id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a12", title: "ISF-K", reason: "Uhr",
                    facts: ["eingelangt heute 12:41"], lines: [Line(question: "Wie oft?", answer: "oft")],
                    contentLanguage: "de", effect: "Zählt als heute 12:41", obstacle: nil)
            ],
            discarded: [
                Discarded(
                    id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a13", title: "ISF-K", reason: "Uhr",
                    facts: ["verworfen heute"])
            ], hasDiscarded: true)
    }

    @Sendable static func index(_ c: Context<Caseload>) throws -> Reply {
        let therapy = c.proof.patient
        let page = try c.read { connection in
            let waiting = try QuarantineStore.waiting(inTherapy: therapy.id, connection).map { record in
                try Admission.read(record, therapy, c.services, connection)
            }
            let discarded = try QuarantineStore.discarded(
                inTherapy: therapy.id, at: c.now, connection
            ).map { record in try Admission.read(record, therapy, c.services, connection) }
            return Index(
                patient: therapy.id, codename: therapy.codename, entries: waiting.map { entry($0, c) },
                discarded: discarded.map { self.discarded($0, c) }, hasDiscarded: !discarded.isEmpty)
        }
        return .page(page)
    }

    private static func discarded(_ admission: Admission, _ c: Context<Caseload>) -> Index.Discarded {
        let (texts, record, dates) = (c.texts, admission.record, c.dates)
        let decided = record.decidedAt ?? record.receivedAt
        let last = decided.adding(days: Quarantine.returnDays)
        return Index.Discarded(
            id: record.id, title: title(admission, c),
            reason: texts["quarantine.reason_\(record.reason.rawValue)"],
            facts: [
                texts["quarantine.discarded_at", ["when": dates.dayAndTime(decided)]],
                texts["quarantine.kept_until", ["day": dates.day(last)]],
            ])
    }

    private static func title(_ admission: Admission, _ c: Context<Caseload>) -> String {
        admission.target?.questionnaire.title(c.language) ?? c.texts["quarantine.unknown"]
    }

    private static func entry(_ admission: Admission, _ c: Context<Caseload>) -> Index.Held {
        let (texts, record, dates) = (c.texts, admission.record, c.dates)
        let questionnaire = admission.target?.questionnaire
        let language = questionnaire?.definition.language(asked: c.language.rawValue) ?? "de"
        var facts = [texts["contributions.received", ["when": dates.dayAndTime(record.receivedAt)]]]
        if let submission = admission.submission {
            facts.append(texts["quarantine.completed", ["when": dates.dayAndTime(submission.completedAt)]])
        }
        let effect = admission.obstacle == nil ? effect(admission, c) : nil
        return Index.Held(
            id: record.id, title: title(admission, c),
            reason: texts["quarantine.reason_\(record.reason.rawValue)"], facts: facts,
            lines: lines(admission, language, c), contentLanguage: language, effect: effect,
            obstacle: admission.obstacle.map { texts[$0] })
    }

    private static func effect(_ admission: Admission, _ c: Context<Caseload>) -> String {
        let when = ["when": admission.completedAt.map(c.dates.dayAndTime) ?? ""]
        switch admission.record.reason {
        case .clock:
            let isLate = admission.completedAt.map { $0 < admission.record.receivedAt } ?? false
            return c.texts[isLate ? "quarantine.effect_clock_late" : "quarantine.effect_clock", when]
        case .contradiction: return c.texts["quarantine.effect_contradiction", when]
        case .unknownVersion:
            let version = String(admission.target?.questionnaire.version ?? 0)
            return c.texts["quarantine.effect_version", ["n": version]]
        }
    }

    /// The answers in the words of the questionnaire where they fit it, else as they were sent.
    private static func lines(
        _ admission: Admission, _ language: String, _ c: Context<Caseload>
    ) -> [Index.Line] {
        guard admission.obstacle == nil, let definition = admission.target?.questionnaire.definition else {
            guard case .object(let members)? = admission.json["answers"] else { return [] }
            return members.prefix(200).map { member in
                let bytes = (try? JSONWriter.bytes(of: member.value)) ?? []
                return Index.Line(
                    question: String(member.key.prefix(60)),
                    answer: String(String(decoding: bytes, as: UTF8.self).prefix(500)))
            }
        }
        return definition.questions.compactMap { question in
            admission.answers[question.key].map { answer in
                let words = ContributionPages.words(answer, question, language, c.texts, c.dates)
                return Index.Line(question: question.text[language] ?? question.key, answer: words)
            }
        }
    }

    @Sendable static func admit(_ c: Context<Caseload>) throws -> Reply {
        try QuarantineAPI.find(c).admit(c)
        return back("quarantine.admitted", c)
    }

    @Sendable static func discard(_ c: Context<Caseload>) throws -> Reply {
        let id = try QuarantineAPI.find(c).record.id
        try Admission.discard(id, c)
        return back("quarantine.discarded", undo: "\(path(c))/\(id)/return", c)
    }

    @Sendable static func bringBack(_ c: Context<Caseload>) throws -> Reply {
        try Admission.bringBack(try c.id("sheet"), c)
        return back("quarantine.returned", c)
    }

    private static func back(_ flash: String, undo: String? = nil, _ c: Context<Caseload>) -> Reply {
        .seeOther(path(c), flash: Message(flash), undo: undo)
    }

    private static func path(_ c: Context<Caseload>) -> String {
        "/patients/\(c.proof.patient.id)/quarantine"
    }
}
