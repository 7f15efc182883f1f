import Database
import HTTP
import Studies
import Web
import Wire
import Wording

/// Participants of a study, by codename alone.
package enum ParticipantPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/studies/:study/participants", .studyAssessor, index)
        routes.page(.post, "/studies/:study/participants/:codename/decision", .studyLead, decide)
    }

    package struct Index: Page {
        package static let template = "studies/participants"
        package static let section: NavigationItem? = .studies
        package struct Row: Encodable, Sendable {
            package let codename: String
            /// Nil before they are taken in.
            package let path: String?
            /// The group; nil without groups.
            package let arm: String?
            package let state: String
            package let tone: String
            package let since: String
            package let active: String
            package let answered: String
            package let consent: String
            /// Takes part on paper, without an account.
            package let isPaper: Bool
            /// Waits for a decision.
            package let isPending: Bool
        }
        package let head: StudyHead
        package let rows: [Row]
        package let next: String?
        /// The flow of all participants taken in.
        package let flow: [String]
        /// The number of refused sheets that wait for a decision; nil for none.
        package let held: String?
    }

    @Sendable package static func index(_ c: Context<StudyAssessor>) throws -> Reply {
        guard let unmasked = c.unmasked else { return .page(try MaskedParticipants(c)) }
        return try list(unmasked)
    }

    private static func list(_ c: Context<StudyLead>) throws -> Reply {
        let texts = c.texts
        let paging = try Paging(c.request)
        let (page, arms) = try c.read { connection in
            (
                try Participants.page(paging, c, connection),
                try ArmWords(of: c.proof.study.id, in: c.languages, c.texts, connection)
            )
        }
        let rows = page.part.map { entry in
            let enrolment = entry.enrolment
            let state = enrolment.state
            return Index.Row(
                codename: enrolment.codename,
                path: enrolment.enrolledAt.map { _ in
                    "\(c.proof.study.path)/participants/\(enrolment.codename)"
                },
                arm: enrolment.waits ? texts["studies.is_waiting"] : enrolment.arm.map(arms.name),
                state: texts["studies.is_\(state.rawValue)"],
                tone: state == .pending ? "warn" : state == .enrolled ? "good" : "plain",
                since: c.dates.day(enrolment.enrolledAt ?? enrolment.askedAt),
                active: enrolment.lastActivityAt.map { c.dates.short($0) } ?? "–",
                answered: entry.compliance.words(texts),
                consent: texts["studies.consent_version", ["n": String(enrolment.consentVersion)]],
                isPaper: enrolment.signedOn != nil, isPending: state == .pending)
        }
        let (flow, held) = try c.read { connection in
            (
                try FlowStore.flow(of: c.proof.study.id, connection),
                try c.services.heldSheets(in: c.proof.study.id, connection)
            )
        }
        return .page(
            Index(
                head: StudyHead.make(c, tab: .participants), rows: rows, next: page.next,
                flow: flow.lines(texts),
                held: held > 0 ? texts.count("quarantine.waiting", held) : nil))
    }

    @Sendable static func decide(_ c: Context<StudyLead>) throws -> Reply {
        let fields = InputReader(form: try c.form())
        let action = fields.choice("action", from: ["accept", "decline"], required: true)
        try fields.finish()
        try Participants.decide(c.places["codename"] ?? "", isAccepted: action == "accept", c)
        return .seeOther("\(c.proof.study.path)/participants", flash: Message("studies.saved"))
    }
}
