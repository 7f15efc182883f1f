import Contributions
import Delivery
import HTTP
import Identity
import Instruments
import Intake
import JSON
import Questionnaires
import Records
import Studies
import Web
import Wire
import Wording

/// Takes sheets filled in on the device itself: half-filled ones as drafts, complete ones through `Submitting`, as
/// from phones; sending the same again is harmless. A refusal is given in words (PW-6).
enum OfflineSheets {
    static func routes(_ routes: inout Routes) {
        routes.page(.post, "/my/offline/sheets", .patient, take)
    }

    /// The result, for the script that sent it.
    private struct Taken: Encodable {
        let state: String
        /// The page to continue with; nil for a draft.
        var path: String?
        /// The present draft, with other devices' answers meanwhile.
        var draft: OfflinePlan.Draft?
    }

    @Sendable static func take(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        guard let sheet = ID<ContributionRecord>(uuid: form["id"]) else {
            throw Problem.invalid("id", "errors.id")
        }
        let sent = try Sent(form, sheet, c)
        return try answer(form["action"] == "keep" ? keep(sent, c) : send(sent, c))
    }

    private static func answer(_ taken: Taken) throws -> Reply {
        try .plain(taken)
    }

    /// A form as received, with the version of the questionnaire that it was drawn with.
    private struct Sent {
        let form: Form
        let sheet: ID<ContributionRecord>
        let definition: QuestionnaireDefinition
        let version: ID<QuestionnaireVersion>
        let answers: JSON

        /// - Throws: `Problem.notFound` for an unknown version.
        init(_ form: Form, _ sheet: ID<ContributionRecord>, _ c: Context<Member>) throws {
            guard let id = ID<QuestionnaireVersion>(uuid: form["version"]),
                let record = try c.read({ try QuestionnaireStore.find(id, c.services.questionnaires, $0) })
            else { throw Problem.notFound }
            self.form = form
            self.sheet = sheet
            version = id
            definition = record.definition
            answers = PhoneAnswers.read(form, definition, isSpelled: true)
        }

        /// By how many milliseconds the server's clock is ahead of the device's, which says when it sends (RP-109): of two devices the
        /// later answer counts, not the one whose clock is fast. Nothing for a device that does not say.
        func ahead(_ now: Instant) -> Int64 {
            form["sent_at"].flatMap { Instant($0) }.map { now.milliseconds - $0.milliseconds } ?? 0
        }

        /// When each question was answered or taken back.
        var times: [(key: String, at: String)] {
            definition.questions.compactMap { question in
                form["at.\(question.key)"].map { (question.key, $0) }
            }
        }
    }

    /// The target of the form.
    private enum Aim {
        case fillable(Fillable)
        /// A daily whose day was not planned yet when the device went offline.
        case daily(from: String, due: String)

        init(_ form: Form, _ c: Context<Member>) throws {
            if let from = form["daily_from"], let due = form["daily_due"] {
                self = .daily(from: from, due: due)
            } else if let id = ID<Assignment>(uuid: form["assignment"]) {
                self = .fillable(try Fillables.assignment(id, c))
            } else if let id = ID<StudyItem>(uuid: form["item"]) {
                self = .fillable(try Fillables.item(id, c))
            } else if let id = ID<StudyEvent>(uuid: form["event"]) {
                // A press that has not come, or was taken away: the form stays where it was filled in.
                guard try c.read({ try StudyEventStore.find(id, of: c.proof.account.id, $0) }) != nil else {
                    throw Problem.invalid("event_id", "answers.unknown_event")
                }
                self = .fillable(try Fillables.event(id, c))
            } else {
                throw Problem.notFound
            }
        }
    }

    // MARK: Drafts

    private static func keep(_ sent: Sent, _ c: Context<Member>) throws -> Taken {
        guard case .fillable(let target) = try Aim(sent.form, c) else { return Taken(state: "kept") }
        let now = try Answering.find(target, c)
        if let closed = target.closed {
            throw Problem.conflict(
                Message("offline.closed", ["why": try now.page(closed: closed, [:], c).message]))
        }
        if case .assignment(let id) = target.reason {
            try Fetching.noteOpened(id, of: c.proof.account.id, c)
        }
        var changes: [String: DraftAnswers.Change] = [:]
        let ahead = sent.ahead(c.now)
        for (key, at) in sent.times {
            let value = sent.answers[key]
            let answer = value.flatMap { value in
                try? sent.definition.readAnswers(.object([JSON.Member(key, value)]), isHalf: true)[key]
            }
            // Input that cannot be an answer stays on the device where it was typed.
            if value != nil, answer.map({ target.definition.takes(key, $0) }) != true { continue }
            changes[key] = .init(
                answer, at: Instant(at).map { Instant(milliseconds: $0.milliseconds + ahead) })
        }
        var begin = now.draft
        if begin.items.isEmpty {
            begin.sheet = sent.sheet
            begin.startedAt = sent.form["started_at"].flatMap { Instant($0) } ?? begin.startedAt
        }
        let kept = try DraftKeeping.keep(
            changes, for: target.draft, of: target.account, from: now.older, begin: begin, c,
            proves: target.prove)
        return Taken(state: "kept", draft: try OfflinePlan.Draft(kept))
    }

    // MARK: Sheets

    private static func send(_ sent: Sent, _ c: Context<Member>) throws -> Taken {
        let account = c.proof.account
        let (members, path) = try reason(sent, c)
        let json = JSON.object(members + body(sent, of: account))
        let submission = try Submission.read(InputReader(json: json), zone: account.timezone)
        let taken = try Submitting.take(submission, json, id: sent.sheet, of: account, in: .browser, c)
        return Taken(state: "taken", path: "\(path)?sheet=\(taken.id)")
    }

    private static func reason(
        _ sent: Sent, _ c: Context<Member>
    ) throws -> (members: [JSON.Member], path: String) {
        // A prompt of last week is not asked any more, but may still be answered: `Submitting` decides.
        if let id = ID<Assignment>(uuid: sent.form["assignment"]) {
            let isShown = (try? Fillables.assignment(id, c)) != nil
            let path = isShown ? "/my/assignments/\(id)/sent" : "/my/contributions/\(sent.sheet)"
            return ([.init("assignment_id", .string(id.text))], path)
        }
        switch try Aim(sent.form, c) {
        case .daily(let from, let due):
            var window: [JSON.Member] = [
                .init("questionnaire_id", .string(sent.version.text)),
                .init("available_from", .string(from)), .init("due_at", .string(due)),
            ]
            // A form of before filled in the sheet by the zone that had planned its window.
            if let zone = sent.form["daily_zone"] { window.append(.init("timezone", .string(zone))) }
            return ([.init("daily", .object(window))], "/my/contributions/\(sent.sheet)")
        case .fillable(let target):
            guard case .study(let study, _) = target.reason else { throw Problem.notFound }
            return (target.named(sent.version, in: study), target.path + "/sent")
        }
    }

    private static func body(_ sent: Sent, of account: AccountRecord) -> [JSON.Member] {
        let times = sent.times.filter { sent.answers[$0.key] != nil }.map { key, at in
            JSON.Member(key, .string(at))
        }
        let said = ["started_at", "completed_at"].compactMap { name in
            sent.form[name].map { JSON.Member(name, .string($0)) }
        }
        let zone = JSON.Member("timezone", .string(sent.form.zone(of: account).told))
        return said + [zone, .init("answers", sent.answers), .init("answered_at", .object(times))]
    }
}
