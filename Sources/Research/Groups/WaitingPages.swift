import HTTP
import Instruments
import Questionnaires
import Records
import Studies
import Web
import Wire
import Wording

/// A participant who is enrolled and not allocated, and the reason (ST-5).
struct WaitingParticipant: Documented, Decodable {
    static let type = "waiting_participant"
    static let causes = ["baseline", "place", "obstacle", "closed"]

    var codename: String
    var enrolledAt: Instant?
    /// `place`: the baseline is complete and the sample is; `obstacle`: the participant is told which; `closed`: allocation is over.
    var cause: String
    /// The baselines without an answer.
    var questionnaireKeys: [String]
    /// On the reserve list, from 1.
    var place: Int?

    static let narrowed: [String: Schema] = ["cause": .choice(causes)]
    static let example = WaitingParticipant(
        codename: "S482193", enrolledAt: .example, cause: "baseline", questionnaireKeys: ["phq-9"], place: nil
    )

    init(codename: String, enrolledAt: Instant?, cause: String, questionnaireKeys: [String], place: Int?) {
        self.codename = codename
        self.enrolledAt = enrolledAt
        self.cause = cause
        self.questionnaireKeys = questionnaireKeys
        self.place = place
    }

    /// The group of another study is that study's affair, so it is an obstacle like any other.
    init(_ enrolment: EnrolmentRecord, _ cause: Waiting.Cause) {
        self.init(
            codename: enrolment.codename, enrolledAt: enrolment.enrolledAt, cause: "", questionnaireKeys: [],
            place: nil)
        switch cause {
        case .baseline(let items):
            self.cause = "baseline"
            questionnaireKeys = items.map(\.key)
        case .place(let number):
            self.cause = "place"
            place = number
        case .otherGroup: self.cause = "obstacle"
        case .closed: self.cause = "closed"
        }
    }
}

/// Participants who are enrolled and not allocated, for leads.
package enum WaitingPages {
    static func routes(_ routes: inout Routes) {
        let path = "/studies/:study/waiting"
        routes.call(
            .get, path, .studyLead,
            .many("Who is enrolled and not allocated, and waits for what", WaitingParticipant.self), index)
        routes.page(.get, path, .studyLead, show)
    }

    package struct Show: Page {
        package static let template = "studies/waiting"
        package static let section: NavigationItem? = .studies
        package struct Row: Encodable, Sendable {
            package let codename: String
            package let path: String
            package let since: String
            package let cause: String
        }
        package let head: StudyHead
        package let rows: [Row]
        package let next: String?
    }

    private static func all(
        _ c: Context<StudyLead>
    ) throws -> [(enrolment: EnrolmentRecord, cause: Waiting.Cause)] {
        try c.read { try Waiting.causes(in: c.proof.study, at: c.now, $0) }
    }

    @Sendable static func index(_ c: Context<StudyLead>) throws -> Reply {
        let paging = try Paging(c.request)
        let items = try all(c).map { Item(id: $0.enrolment.id, WaitingParticipant($0.enrolment, $0.cause)) }
        return try .data(paging.part(of: items))
    }

    @Sendable static func show(_ c: Context<StudyLead>) throws -> Reply {
        let paging = try Paging(c.request)
        let (part, next) = paging.part(of: Array(try all(c).enumerated()), .earliestFirst) {
            Position(number: Int64($0.offset), String($0.offset))
        }
        let rows = try part.map { _, one in
            Show.Row(
                codename: one.enrolment.codename,
                path: "\(c.proof.study.path)/participants/\(one.enrolment.codename)",
                since: c.dates.day(one.enrolment.enrolledAt ?? one.enrolment.askedAt),
                cause: try words(one.cause, c))
        }
        return .page(Show(head: StudyHead.make(c, tab: .groups), rows: rows, next: next))
    }

    private static func words(_ cause: Waiting.Cause, _ c: Context<StudyLead>) throws -> String {
        switch cause {
        case .baseline(let items):
            let titles = try c.read { connection in
                try items.map {
                    try QuestionnaireStore.newest($0.key, c.services.questionnaires, connection)?.title(
                        c.language) ?? $0.key
                }
            }
            return c.texts["studies.waits_baseline", ["names": titles.joined(separator: ", ")]]
        case .place(let number): return c.texts["studies.waits_place", ["n": String(number)]]
        case .otherGroup: return c.texts["studies.waits_obstacle"]
        case .closed: return c.texts["studies.waits_closed"]
        }
    }
}
