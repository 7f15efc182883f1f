import Database
import HTTP
import Instruments
import Studies
import Web
import Wire
import Wording

/// The participants of a study for masked leads: without groups, and without what is answered, which differs by group.
package struct MaskedParticipants: Page {
    package static let template = "studies/masked-participants"
    package static let section: NavigationItem? = .studies
    package struct Row: Encodable, Sendable {
        let codename: String
        /// Nil before they are taken in.
        let path: String?
        let state: String
        let tone: String
        let since: String
        let consent: String
    }
    let head: StudyHead
    let rows: [Row]
    let next: String?

    private init(head: StudyHead, rows: [Row]) {
        self.head = head
        self.rows = rows
        next = nil
    }

    static let example = MaskedParticipants(
        head: .example,
        rows: [
            Row(
                codename: "S482193", path: "/studies", state: "nimmt teil", tone: "good", since: "20.11.2026",
                consent: "Version 1")
        ])

    init(_ c: Context<StudyAssessor>) throws {
        let texts = c.texts
        let study = c.proof.study
        let paging = try Paging(c.request)
        let page = try c.read { try Participants.enrolments(paging, in: study.id, $0) }
        head = StudyHead.make(c, tab: .participants)
        next = page.next
        rows = page.part.map { enrolment in
            let state = enrolment.state
            return Row(
                codename: enrolment.codename,
                path: enrolment.enrolledAt.map { _ in "\(study.path)/participants/\(enrolment.codename)" },
                state: enrolment.waits
                    ? texts["studies.is_waiting"] : texts["studies.is_\(state.rawValue)"],
                tone: state == .pending ? "warn" : state == .enrolled ? "good" : "plain",
                since: c.dates.day(enrolment.enrolledAt ?? enrolment.askedAt),
                consent: texts["studies.consent_version", ["n": String(enrolment.consentVersion)]])
        }
    }
}

/// One participant for masked leads: what can be entered from paper, and the emergency unmasking.
package struct MaskedParticipant: Page {
    package static let template = "studies/masked-participant"
    package static let section: NavigationItem? = .studies
    let head: StudyHead
    let codename: String
    let papers: [PageLink]
    let hasPapers: Bool
    /// Nil before the participant is allocated.
    let unmasking: String?

    private init(head: StudyHead, codename: String, papers: [PageLink], unmasking: String?) {
        self.head = head
        self.codename = codename
        self.papers = papers
        self.unmasking = unmasking
        hasPapers = !papers.isEmpty
    }

    static let example = MaskedParticipant(
        head: .example, codename: "S482193",
        papers: [PageLink(label: "Wohlbefinden", path: "/studies", isCurrent: false)], unmasking: "/studies")

    init(_ c: Context<StudyAssessor>) throws {
        let study = c.proof.study
        let (enrolment, targets) = try c.read { connection in
            let enrolment = try EnrolmentStore.told(c, connection)
            return (
                enrolment,
                try StudyPaper.all(study, enrolment, isMasked: true, c.services.questionnaires, connection)
            )
        }
        let path = "\(study.path)/participants/\(enrolment.codename)"
        head = StudyHead.make(c, tab: .participants)
        codename = enrolment.codename
        papers = targets.map {
            PageLink(
                label: $0.label(c.languages), path: "\(path)/paper/\($0.item.id)", isCurrent: false)
        }
        hasPapers = !papers.isEmpty
        unmasking = enrolment.arm.map { _ in "\(path)/unmasking" }
    }
}
