import Database
import Wire

/// A session of today in three lines: what moved since the last one, what came in, what is due.
struct VisitLines {
    private let c: Context<Member>
    private let therapy: Therapy
    private let sessions: SessionList
    private let since: Instant

    /// - Parameter since: the end of the last session.
    init(_ c: Context<Member>, _ therapy: Therapy, _ sessions: SessionList, since: Instant) {
        (self.c, self.therapy, self.sessions, self.since) = (c, therapy, sessions, since)
    }

    func lines(_ connection: borrowing Connection) throws -> [String] {
        [try moved(connection), try came(connection), try due(connection)].compactMap(\.self)
    }

    /// The lead scale that was answered last, with its changes.
    private func moved(_ connection: borrowing Connection) throws -> String? {
        let all = try LeadScales.all(of: therapy, c.services.questionnaires, connection)
        guard let series = all.first,
            let change = ScoreChange(
                series, startedOn: therapy.startedOn, sessions: sessions, zone: c.dates.zone),
            let value = change.last.score.value
        else { return nil }
        let words = ScoreWords(texts: c.texts)
        let changes = [
            ("patients.since_session", change.sinceSession), ("patients.since_begin", change.sinceBegin),
        ].compactMap { label, difference in
            difference.map { "\(words.signed($0)) \(c.texts[label])" }
        }
        let rest = changes.isEmpty ? "" : " (\(changes.joined(separator: ", ")))"
        return "\(series.name(c.language)) \(c.texts.number(value))\(rest)"
    }

    private func came(_ connection: borrowing Connection) throws -> String {
        let news = try ContributionStore.count(inTherapy: therapy.id, after: since, connection)
        let slots = try DailyStore.slots(in: therapy.id, from: since, until: c.now, connection).filter {
            $0.isDelivered
        }
        let answers = try ContributionStore.dailies(
            inTherapy: therapy.id, from: since, until: c.now.adding(seconds: 301), connection)
        var words = [c.texts.count("today.news", news)]
        if !slots.isEmpty {
            let ratio = c.texts.count("timeline.n_of", slots.count(where: \.isAnswered), of: slots.count)
            words.append("\(ratio) \(c.texts["timeline.prompts"])")
            words.append("\(answers.count { $0.thought > 0 })× \(c.texts["timeline.thoughts"])")
        }
        return words.joined(separator: " · ")
    }

    private func due(_ connection: borrowing Connection) throws -> String? {
        var words: [String] = []
        for record in try AssignmentStore.open(in: therapy.id, at: c.now, connection) {
            guard record.source != .daily, record.state(at: c.now) == .open,
                let questionnaire = try QuestionnaireStore.find(
                    record.questionnaireID, c.services.questionnaires, connection)
            else { continue }
            let until = c.texts["briefing.until", ["when": c.dates.short(record.dueAt)]]
            words.append("\(questionnaire.title(c.language)) \(until)")
        }
        let open = try InterventionStore.all(in: therapy.id, withWithdrawn: false, connection).count {
            $0.completedAt == nil && $0.assignedAt > since
        }
        if open > 0 { words.append(c.texts.count("today.interventions", open)) }
        return words.isEmpty ? nil : c.texts["today.due", ["what": words.joined(separator: ", ")]]
    }
}
