import HTTP
import Identity
import Records
import Studies
import Web
import Wire
import Wording

/// Whether a study gets the position: the reason, the present state, and the choice (FD-27).
enum OwnLocationPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/studies/:study/location", .patient, edit)
        routes.page(.post, "/my/studies/:study/location", .patient, update)
    }

    @Sendable static func edit(_ c: Context<Member>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let (study, _) = try own(c)
        return try c.revise(orShow: { try page($0, c) }) { fields in
            let choice = StudyLocation.read(fields, required: true)
            try fields.finish()
            if let choice { try StudyLocation.choose(choice, in: study.id, c) }
            return .seeOther(OwnStudiesPages.path, flash: Message("own_settings.saved"))
        }
    }

    private static func page(_ filled: FormState, _ c: Context<Member>) throws -> OwnForm {
        let (study, enrolment) = try own(c)
        let account = try c.read { try c.ownAccount($0) }
        let state = StudyLocation.state(enrolment, of: account, c.texts)
        return OwnForm(
            title: c.texts["own_studies.location"], lead: study.title.text(in: c.languages) ?? study.name,
            note: StudyLocation.reason(study, c.texts, c.languages),
            points: [
                c.texts["own_studies.location_state", ["state": state]],
                c.texts["own_studies.location_point_1"], c.texts["own_studies.location_point_2"],
            ], parent: OwnStudiesPages.parent(c.texts), action: "/my/studies/\(study.id)/location",
            fields: [StudyLocation.field(enrolment.location, filled)],
            submit: c.texts["own_settings.save"], errors: filled.summary)
    }

    /// A study that asks for it, and the caller's enrolment.
    /// - Throws: `Problem.notFound`.
    private static func own(_ c: Context<Member>) throws -> (StudyRecord, EnrolmentRecord) {
        let id: ID<Study> = try c.id("study")
        let (study, enrolment, isAsked) = try c.read { connection in
            (
                try StudyStore.find(id, connection),
                try EnrolmentStore.find(in: id, of: c.proof.account.id, connection),
                try StudyLocationStore.isAsked(in: id, connection)
            )
        }
        guard let study, let enrolment, isAsked, [.enrolled, .pending].contains(enrolment.state) else {
            throw Problem.notFound
        }
        return (study, enrolment)
    }
}
