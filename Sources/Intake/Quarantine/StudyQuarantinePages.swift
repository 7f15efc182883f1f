import HTTP
import Studies
import Web
import Wording

/// Refused sheets of a study that wait for a decision of its leads.
package enum StudyQuarantinePages {
    static func routes(_ routes: inout Routes) {
        let path = "/studies/:study/quarantine"
        routes.page(.get, path, .studyLead, index)
        routes.page(.post, path + "/:sheet/admission", .studyLead, admit)
        routes.page(.post, path + "/:sheet/discard", .studyLead, discard)
        routes.page(.post, path + "/:sheet/return", .studyLead, bringBack)
    }

    package struct Index: Page {
        package static let template = "studies/quarantine"
        package static let section: NavigationItem? = .studies
        package let head: StudyHead
        package let entries: [HeldSheet]
        package let discarded: [DiscardedSheet]
        package let hasDiscarded: Bool
        /// Whether the reader may decide about them.
        let canAct: Bool
    }

    @Sendable package static func index(_ c: Context<StudyLead>) throws -> Reply {
        let study = c.proof.study.id
        let base = path(c)
        let page = try c.read { connection in
            let waiting = try QuarantineStore.waiting(at: .study(study), connection).map {
                try StudyAdmission.read($0, in: study, c.services, connection)
            }
            let discarded = try QuarantineStore.discarded(at: .study(study), now: c.now, connection).map {
                try StudyAdmission.read($0, in: study, c.services, connection)
            }
            return Index(
                head: StudyHead.make(c, tab: .participants),
                entries: waiting.map { HeldSheet($0, in: base, c) },
                discarded: discarded.map { DiscardedSheet($0, in: base, c) },
                hasDiscarded: !discarded.isEmpty, canAct: true)
        }
        return .page(page)
    }

    @Sendable static func admit(_ c: Context<StudyLead>) throws -> Reply {
        try StudyQuarantineAPI.find(c).admit(c)
        return .seeOther(path(c), flash: Message("quarantine.admitted"))
    }

    @Sendable static func discard(_ c: Context<StudyLead>) throws -> Reply {
        let sheet = try StudyQuarantineAPI.find(c)
        try sheet.discard(c)
        return .seeOther(
            path(c), flash: Message("quarantine.discarded"), undo: "\(path(c))/\(sheet.record.id)/return")
    }

    @Sendable static func bringBack(_ c: Context<StudyLead>) throws -> Reply {
        try StudyAdmission.bringBack(c)
        return .seeOther(path(c), flash: Message("quarantine.returned"))
    }

    private static func path(_ c: Context<StudyLead>) -> String { "\(c.proof.study.path)/quarantine" }
}
