import HTTP
import Wire

/// The timeline and single scales as data.
enum TimelineAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/patients/:patient/timeline", .caseload,
            .many("What happened, the newest first", TimelineEntry.self, query: ["from", "to", "kind"]), index)
        routes.call(
            .get, "/patients/:patient/scores", .caseload,
            .many("Scales over time", Score.self, query: ["questionnaire_key", "scale"]), scores)
    }

    @Sendable static func index(_ c: Context<Caseload>) throws -> Reply {
        let (paging, fields) = (try Paging(c.request), Fields(form: c.request.query))
        let (from, to) = (fields.time("from"), fields.time("to"))
        let kind = fields.choice("kind", from: TimelineEntry.kinds)
        try fields.finish()
        let reader = TimelineReader(
            therapy: c.proof.patient, cache: c.services.questionnaires, zone: c.dates.zone, now: c.now)
        let entries = try c.read { connection in
            try reader.entries(since: from, before: to, limit: 100_000, connection)
        }
        let words = EntryWords(texts: c.texts, now: c.now, dates: c.dates)
        let wanted = entries.filter { kind == nil || $0.kind.rawValue == kind }
        let part = wanted.dropFirst(paging.offset).prefix(paging.limit)
        let items = part.map { entry in Item(id: id(entry, c.proof.patient.id), wire(entry, words)) }
        return try .data(Many(items, total: wanted.count, next: paging.next(total: wanted.count)))
    }

    @Sendable static func scores(_ c: Context<Caseload>) throws -> Reply {
        let (paging, fields) = (try Paging(c.request), Fields(form: c.request.query))
        let key = fields.text("questionnaire_key", required: true)
        let scale = fields.text("scale")
        try fields.finish()
        let therapy = c.proof.patient.id
        let series = try c.read { connection in
            try ContributionStore.series(ofKey: key ?? "", scale: scale, inTherapy: therapy, connection)
        }
        let items = series.reversed().map { point in
            Item(
                id: "\(point.id)/\(point.score.scale)",
                Score(
                    questionnaireKey: key ?? "", scale: point.score.scale, at: point.at, value: point.score.value,
                    answered: point.score.answered, items: point.score.items))
        }
        return try .data(paging.page(items))
    }

    private static func wire(_ entry: Entry, _ words: EntryWords) -> TimelineEntry {
        let scores = entry.sheet.map { Ordered($0.scores.map { (key: $0.scale, value: $0.value) }) }
        return TimelineEntry(
            kind: entry.kind.rawValue, at: entry.at, title: words.title(entry),
            summary: words.badge(entry)?.text ?? words.summary(entry), scores: scores,
            subjectID: entry.kind == .therapy ? nil : entry.subjectID)
    }

    /// Entries have no id of their own: kind and subject name them.
    private static func id(_ entry: Entry, _ therapy: String) -> String {
        "\(entry.kind.rawValue)/\(entry.subjectID ?? therapy)"
    }
}
