import HTTP
import Identity
import Records
import Studies
import Web
import Wire
import Wording

/// Leaving a study (TYS-2): a page that names the consequences of keeping and of removing the answers.
enum LeavingPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/studies/:study/leaving", .patient, ask)
        routes.page(.post, "/my/studies/:study/leaving", .patient, leave)
    }

    /// A study that the caller takes part in, has asked for, or was declined by.
    static func found(_ c: Context<Member>) throws -> (study: StudyRecord, own: EnrolmentRecord) {
        let id: ID<Study> = try c.id("study")
        let found = try c.read { connection in
            (
                try StudyStore.find(id, connection),
                try EnrolmentStore.find(in: id, of: c.proof.account.id, connection)
            )
        }
        guard let study = found.0, let own = found.1, own.state != .left else { throw Problem.notFound }
        return (study, own)
    }

    @Sendable static func ask(_ c: Context<Member>) throws -> Reply {
        let (study, own) = try found(c)
        return .page(page(study, own, FormState(c.texts), c))
    }

    @Sendable static func leave(_ c: Context<Member>) throws -> Reply {
        let (study, own) = try found(c)
        return try c.submit(orShow: { page(study, own, $0, c) }) { fields in
            // A pending request has no answers.
            let choice = fields.choice("data", from: ["keep", "remove"], required: own.state == .enrolled)
            try fields.finish()
            let receipt = try Enrolling.leave(study, isRemoving: choice == "remove", c)
            let key = choice == "remove" ? "own_studies.left_removed" : "own_studies.left"
            let next = receipt == nil ? OwnStudiesPages.path : ReceiptPages.path(study.id)
            return .seeOther(next, flash: Message(key))
        }
    }

    private static func page(
        _ study: StudyRecord, _ own: EnrolmentRecord, _ filled: FormState, _ c: Context<Member>
    ) -> OwnForm {
        let title = study.title.text(in: c.languages) ?? study.name
        guard own.state == .enrolled else {
            let state = own.state.rawValue
            return OwnForm(
                title: c.texts["own_studies.leave_\(state)"], lead: title,
                note: c.texts["own_studies.leave_text_\(state)"],
                parent: OwnStudiesPages.parent(c.texts), action: "/my/studies/\(study.id)/leaving",
                submit: c.texts["own_studies.leave_\(state)"], asks: true)
        }
        let data = filled.list(
            "data", label: "own_studies.data", hint: "own_studies.data_hint", required: true,
            none: "own_studies.data_choose",
            ["keep", "remove"].map { ($0, c.texts["own_studies.data_\($0)"]) })
        return OwnForm(
            title: c.texts["own_studies.leave_title"], lead: title,
            points: (1...3).map { c.texts["own_studies.leave_point_\($0)"] },
            parent: OwnStudiesPages.parent(c.texts), action: "/my/studies/\(study.id)/leaving",
            fields: [data], submit: c.texts["own_studies.leave_enrolled"], isGrave: true, asks: true,
            errors: filled.summary)
    }
}
