import HTTP
import Studies
import Web
import Wire
import Wording

/// Adding a participant on paper, and erasing them again (ST-5).
package enum PaperParticipantPages {
    static func routes(_ routes: inout Routes) {
        let path = "/studies/:study/participants"
        routes.page(.get, path + "/new", .studyLead, new)
        routes.page(.post, path + "/new", .studyLead, create)
        routes.page(.get, path + "/:codename/erasure", .studyLead, ask)
        routes.page(.post, path + "/:codename/erasure", .studyLead, destroy)
    }

    package struct New: Page {
        package static let template = "studies/participant-new"
        package static let section: NavigationItem? = .studies
        package let head: StudyHead
        /// How participants are allocated to groups; nil without groups.
        package let groups: String?
        package let fields: [FieldView]
        package let errors: ErrorSummary?
    }

    @Sendable package static func new(_ c: Context<StudyLead>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<StudyLead>) throws -> Reply {
        try c.submit(orShow: { try page($0, c) }) { fields in
            let draft = try PaperParticipantDraft.read(fields, today: c.dates.today)
            do {
                let codename = try PaperParticipants.enter(draft, c)
                return .seeOther(
                    "\(c.proof.study.path)/participants/\(codename)",
                    flash: Message("studies.participant_entered"))
            } catch Problem.conflict(let message, _) {
                throw Problem.invalid(FieldErrors("codename", message))
            }
        }
    }

    private static func page(_ filled: FormState, _ c: Context<StudyLead>) throws -> New {
        let study = c.proof.study
        let texts = c.texts
        let (consents, sites, groups) = try c.read { connection in
            (
                try StudyStore.consents(study.id, connection),
                try GroupStore.sites(of: study.id, connection), try GroupStore.find(study.id, connection)
            )
        }
        let codename = filled.field(
            "codename", label: "studies.codename", hint: "studies.codename_hint", autocomplete: "off")
        let day = filled.field(
            "consented_on", .date, label: "studies.consented_on", first: c.dates.today.text,
            hint: "studies.consented_on_hint", required: true)
        let version = filled.list(
            "consent_version", label: "studies.consent",
            consents.filter { !$0.text.isEmpty }.map { consent in
                (String(consent.version), texts["studies.consent_version", ["n": String(consent.version)]])
            })
        var fields = [codename, day, version]
        let names = Set(sites.map(\.name)).sorted(byName: \.self, then: \.self)
        if !names.isEmpty {
            fields.append(
                filled.list(
                    "site", label: "studies.site_name", none: "studies.no_site", names.map { ($0, $0) }))
        }
        return New(
            head: StudyHead.make(c, tab: .participants),
            groups: groups == nil ? nil : texts["studies.paper_groups"], fields: fields,
            errors: filled.summary)
    }

    // MARK: Erasing

    @Sendable static func ask(_ c: Context<StudyLead>) throws -> Reply {
        .page(try erasure(try PaperParticipants.found(c), FormState(c.texts), c))
    }

    @Sendable static func destroy(_ c: Context<StudyLead>) throws -> Reply {
        let enrolment = try PaperParticipants.found(c)
        let form = try c.form()
        guard form["codename"]?.uppercased() == enrolment.codename else {
            let errors = FieldErrors("codename", "studies.erasure_codename")
            return .page(try erasure(enrolment, FormState(form, errors, c.texts), c), status: 422)
        }
        try PaperParticipants.erase(enrolment, c)
        return .seeOther("\(c.proof.study.path)/participants", flash: Message("studies.participant_erased"))
    }

    private static func erasure(
        _ enrolment: EnrolmentRecord, _ filled: FormState, _ c: Context<StudyLead>
    ) throws -> StudyStatePages.Confirm {
        let texts = c.texts
        let codename = enrolment.codename
        let field = filled.field(
            "codename", label: "studies.codename",
            hint: Message("studies.erasure_hint", ["codename": codename]), required: true, autocomplete: "off"
        )
        return StudyStatePages.Confirm(
            head: StudyHead.make(c, tab: .participants),
            title: texts["studies.erasure_title", ["codename": codename]],
            consequences: ["erasure_all", "erasure_place", "erasure_final"].map { texts["studies.\($0)"] },
            action: "\(c.proof.study.path)/participants/\(codename)/erasure", revision: nil,
            isStale: false, sends: nil, fields: [field], submit: texts["studies.erasure_submit"],
            errors: filled.summary)
    }
}
