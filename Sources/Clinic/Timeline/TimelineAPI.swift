import Contributions
import HTTP
import Questionnaires
import Therapies
import Web
import Wire
import Wording

/// The timeline and single scales as data.
enum TimelineAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/patients/:patient/timeline", .caseloadReader,
            .many("What happened, the newest first", TimelineEntry.self, query: ["from", "to", "kind"]), index
        )
        routes.call(
            .get, "/patients/:patient/scores", .caseloadReader,
            .many("Scales over time", Score.self, query: ["questionnaire_key", "scale"]), scores)
    }

    @Sendable static func index(_ c: Context<Caseload>) throws -> Reply {
        let paging = try Paging(c.request)
        let fields = InputReader(form: c.request.query)
        let from = fields.time("from")
        let to = fields.time("to")
        let kind = fields.choice("kind", from: TimelineEntry.kinds)
        try fields.finish()
        let entries = try c.read { connection in
            let sessions = try SessionStore.list(of: c.proof.patient, c.dates.zone, now: c.now, connection)
            return try TimelineReader(c, connection).entries(
                since: from ?? .distantPast, before: to ?? .distantFuture, sessions, connection)
        }
        let words = TimelineFormatter(texts: c.texts, now: c.now, dates: c.dates)
        let wanted = entries.filter { kind == nil || $0.kind.rawValue == kind }
        let (part, next) = paging.part(of: wanted) { Position($0.at, $0.id) }
        let items = part.map { Item(id: DerivedID.of($0.id), wire($0, words)) }
        return try .data(Many(items, total: wanted.count, next: next))
    }

    @Sendable static func scores(_ c: Context<Caseload>) throws -> Reply {
        let paging = try Paging(c.request)
        let fields = InputReader(form: c.request.query)
        let key = fields.text("questionnaire_key")
        let scale = fields.text("scale")
        try fields.finish()
        let therapy = c.proof.patient.id
        let points = try c.read { connection in
            try ContributionStore.series(ofKey: key, scale: scale, inTherapy: therapy, connection)
        }.map { (id: DerivedID.of($0.id, $0.score.scale), point: $0) }
        let newestFirst = points.sorted {
            $0.point.at == $1.point.at ? $0.id < $1.id : $0.point.at > $1.point.at
        }
        let (part, next) = paging.part(of: newestFirst) { Position($0.point.at, $0.id) }
        let items = part.map { id, point in
            Item(
                id: id,
                Score(
                    questionnaireKey: point.key, scale: point.score.scale, at: point.at,
                    value: point.score.value,
                    answered: point.score.answered, items: point.score.items))
        }
        return try .data(Many(items, total: points.count, next: next))
    }

    private static func wire(_ entry: TimelineEvent, _ words: TimelineFormatter) -> TimelineEntry {
        let scores = entry.contribution.map {
            Ordered($0.summary.scores.map { (key: $0.scale, value: $0.value) })
        }
        let state = words.badge(entry)?.text
        let text = words.summary(entry)
        // For a rule's actions, its reason beside their state.
        let isRuled = entry.kind == .intervention || entry.kind == .alert
        let both = [state, text].compactMap(\.self).joined(separator: " · ")
        return TimelineEntry(
            kind: entry.kind.rawValue, at: entry.at, title: words.title(entry),
            summary: isRuled ? both : state ?? text, scores: scores,
            subjectID: entry.subjectID)
    }
}
