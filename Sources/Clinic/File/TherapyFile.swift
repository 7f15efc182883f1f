import Wire

/// A whole therapy for the clinic's own record (PR-26), in words that need no other document. It names the patient by
/// the codename alone.
struct TherapyFile: Documented, Decodable {
    static let type = "therapy_file"
    var codename: String
    /// The language of its words.
    var language: String
    var madeAt: Instant
    var takenInAt: Instant
    var pairedAt: Instant?
    var therapyStartedOn: LocalDate?
    var therapyEndsOn: LocalDate?
    var therapyEndedOn: LocalDate?
    /// Whether the therapist's notes and agendas are in it.
    var withNotes: Bool
    /// Whether daily prompts are in it one by one; nil in a file kept before there was a choice: they are.
    var withDailies: Bool?
    /// The first page; nil in a file kept before it had one.
    var overview: Overview?
    var dailyWeeks: [DailyWeek]?
    var sessions: [Session] = []
    var questionnaires: [Sheet] = []
    var dailies: [Sheet] = []
    var interventions: [Intervention] = []
    var alerts: [Alert] = []
    var pauses: [Pause] = []
    var plan: [Plan] = []
    var phoneContacts: [Call] = []
    /// The therapist's letters, which go with the notes; nil without notes, and in a file kept before there were any.
    var letters: [WrittenLetter]?

    static let example: TherapyFile = {
        let at = Instant.example
        var file = TherapyFile(
            codename: "C020480", language: "de", madeAt: at, takenInAt: at, pairedAt: at,
            therapyStartedOn: nil,
            therapyEndsOn: nil, therapyEndedOn: nil, withNotes: false)
        file.sessions = [
            Session(number: 1, startsAt: at, endsAt: at, state: "held", note: nil, agenda: nil)
        ]
        file.questionnaires = [
            Sheet(
                id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a12", key: "isf-k", version: 1, title: "ISF-K",
                completedAt: at, answered: 6, asked: 6,
                scores: [.init(scale: "intensity", title: "Intensität", value: 2.5, answered: 6, items: 6)],
                answers: [.init(question: "Wie oft?", answer: "oft (3)", value: "3")])
        ]
        file.withDailies = false
        file.overview = Overview(
            sessions: .init(
                held: 1, missed: 0, cancelled: 0, firstHeldOn: LocalDate("2026-11-20"),
                lastHeldOn: LocalDate("2026-11-20"), nextAt: at),
            scales: [
                .init(
                    questionnaireKey: "isf-k", scale: "intensity", title: "ISF-K · Intensität",
                    reading: "0 bis 4 · höher = belastender", lowest: 0, highest: 4, cutoff: nil,
                    values: [.init(at: at, value: 2.5, answered: 6, items: 6)], begin: nil, change: nil,
                    verdict: nil, basis: "")
            ], open: [.init(kind: "assignment", title: "ISF-K", since: at, until: at)])
        file.dailyWeeks = [
            DailyWeek(
                startsOn: LocalDate(year: 2026, month: 11, day: 16) ?? .example, delivered: 7, answered: 5,
                answers: 5, thoughts: 3, mood: 3.7, moodCount: 3)
        ]
        file.interventions = [
            Intervention(
                kind: "task", text: "Achten Sie auf den Weg.", state: "opened", assignedAt: at, openedAt: at,
                completedAt: nil, withdrawnAt: nil, reason: nil)
        ]
        file.alerts = [Alert(raisedAt: at, title: "Lange still", reason: "", seenAt: nil, remark: nil)]
        file.plan = [Plan(title: "ISF-K", occasion: "before_session", madeAt: at, stoppedAt: nil)]
        file.phoneContacts = [Call(at: at, note: nil)]
        file.letters = [
            WrittenLetter(kind: "gp", title: "Bericht", writtenAt: at, text: "Sehr geehrter Kollege,")
        ]
        return file
    }()
}
