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
        package let held: HeldList
    }

    @Sendable package static func index(_ c: Context<StudyLead>) throws -> Reply {
        let study = c.proof.study.id
        let held = try HeldList.read(at: .study(study), path: path(c), canAct: true, c) {
            try StudyAdmission.read($0, in: study, c.services, $1)
        }
        return .page(Index(head: StudyHead.make(c, tab: .participants), held: held))
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
