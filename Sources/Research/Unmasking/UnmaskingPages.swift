import Database
import HTTP
import Identity
import Records
import Studies
import Web
import Wire
import Wording

/// Emergency unmasking of a participant, with a reason, and its log (ST-10).
package enum UnmaskingPages {
    static func routes(_ routes: inout Routes) {
        let path = "/studies/:study/participants/:codename/unmasking"
        routes.page(.get, path, .studyAssessor, ask)
        routes.page(.post, path, .studyAssessor, tell)
        routes.call(
            .post, path, .studyAssessor,
            .one(
                "Learn the arm of a participant in an emergency, with a reason that is logged; masked leads too",
                Unmasked.self, status: 201, takes: Unmasked.sent), call)
        routes.page(.get, "/studies/:study/unmaskings", .studyLead, show)
        routes.call(
            .get, "/studies/:study/unmaskings", .studyLead,
            .many("Who unmasked whom, when and why", StudyUnmasking.self), index)
    }

    package struct Ask: Page {
        package static let template = "studies/unmasking"
        package static let section: NavigationItem? = .studies
        let head: StudyHead
        let title: String
        let path: String
        /// Of the participant.
        let back: PageLink
        /// The arm; nil before it is told.
        let told: String?
        let noted: String?
        let reason: FieldView
        let errors: ErrorSummary?

        static let examples = [nil, "S482193 ist in der Gruppe „Wirkstoff“."].map { told in
            Ask(
                head: .example, title: "Notfall-Entblindung: S482193", path: "/studies/new",
                back: PageLink(label: "S482193", path: "/studies", isCurrent: false), told: told,
                noted: told.map { _ in "Die Entblindung ist protokolliert." },
                reason: FieldView(name: "reason", label: "Grund", isRequired: true, isArea: true), errors: nil
            )
        }
    }

    package struct Show: Page {
        package static let template = "studies/unmaskings"
        package static let section: NavigationItem? = .studies
        struct Row: Encodable, Sendable {
            let codename: String
            /// Nil for participants of whom is told nothing any more.
            let path: String?
            let when: String
            let by: String
            let reason: String
        }
        let head: StudyHead
        let rows: [Row]
        let next: String?
    }

    @Sendable static func ask(_ c: Context<StudyAssessor>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    @Sendable static func tell(_ c: Context<StudyAssessor>) throws -> Reply {
        try c.submit(orShow: { try page($0, c) }) { fields in
            let told = try Unmaskings.unmask(because: try Unmaskings.reason(fields), c).told
            let words = try c.read { try ArmWords(of: c.proof.study.id, in: c.languages, c.texts, $0) }
            let arm = words.name(StudyArm.Key(rawValue: told.arm))
            try c.services.slips.put(
                [arm, c.dates.dayAndTime(told.unmaskedAt)], for: c.actor.signedIn?.credential.id ?? "",
                slip(told.codename, c), now: c.now)
            return .seeOther("\(c.proof.study.path)/participants/\(told.codename)/unmasking")
        }
    }

    @Sendable static func call(_ c: Context<StudyAssessor>) throws -> Reply {
        let (id, told) = try Unmaskings.unmask(because: try Unmaskings.reason(try c.body()), c)
        return try .data(One(id: id, told), status: 201)
    }

    /// The name of what the page shows once.
    private static func slip(_ codename: String, _ c: Context<StudyAssessor>) -> String {
        "unmasked \(c.proof.study.id) \(codename)"
    }

    private static func page(_ filled: FormState, _ c: Context<StudyAssessor>) throws -> Ask {
        let texts = c.texts
        let codename = try c.read { try Unmaskings.found(c, $0).enrolment.codename }
        let path = "\(c.proof.study.path)/participants/\(codename)"
        let told = try c.services.slips.read(
            c.actor.signedIn?.credential.id ?? "", slip(codename, c), now: c.now)
        return Ask(
            head: StudyHead.make(c, tab: .participants),
            title: texts["studies.unmask_title", ["codename": codename]], path: "\(path)/unmasking",
            back: PageLink(label: codename, path: path, isCurrent: false),
            told: told?.first.map { texts["studies.unmask_done", ["codename": codename, "arm": $0]] },
            noted: told?.last.map { texts["studies.unmask_noted", ["when": $0]] },
            reason: filled.field(
                "reason", .area, label: "studies.unmask_reason", hint: "studies.unmask_reason_hint",
                required: true), errors: filled.summary)
    }

    // MARK: The log

    @Sendable static func show(_ c: Context<StudyLead>) throws -> Reply {
        let texts = c.texts
        let paging = try Paging(c.request)
        let log = try c.read { try Unmaskings.log(c, $0) }
        let (part, next) = paging.part(of: log) { Position($0.line.unmaskedAt, $0.id) }
        let rows = part.map { entry in
            let line = entry.line
            return Show.Row(
                codename: line.codename ?? texts["studies.log_gone"],
                path: line.codename.map { "\(c.proof.study.path)/participants/\($0)" },
                when: c.dates.dayAndTime(line.unmaskedAt),
                by: entry.name ?? line.by ?? texts["studies.unmasked_gone"], reason: line.reason ?? "–")
        }
        return .page(Show(head: StudyHead.make(c, tab: .groups), rows: rows, next: next))
    }

    @Sendable static func index(_ c: Context<StudyLead>) throws -> Reply {
        let paging = try Paging(c.request)
        let log = try c.read { try Unmaskings.log(c, $0) }
        return try .data(paging.part(of: log.map { Item(id: $0.id, $0.line) }))
    }
}
