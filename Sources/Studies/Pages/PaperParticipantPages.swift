import HTTP
import Web
import Wire
import Wording

/// Taking in somebody on paper, and erasing them again (ST-5).
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
        /// How somebody comes into a group; nil without groups.
        package let groups: String?
        package let fields: [FieldView]
        package let errors: ErrorSummary?

        package static let example = New(
            head: .example, groups: "Die Gruppe wird zugeteilt.",
            fields: [FieldView(name: "codename", label: "Codename")], errors: nil)
    }

    @Sendable package static func new(_ c: Context<StudyLead>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<StudyLead>) throws -> Reply {
        let form = try c.form()
        do {
            let draft = try PaperParticipantDraft.read(InputReader(form: form), today: c.dates.today)
            let codename = try PaperParticipants.enter(draft, c)
            return .seeOther(
                "/studies/\(c.proof.study.id)/participants/\(codename)",
                flash: Message("studies.participant_entered"))
        } catch Problem.invalid(let errors) {
            return .page(try page(FormState(form, errors, c.texts), c), status: 422)
        } catch Problem.conflict(let message, _) {
            let errors = FieldErrors("codename", message)
            return .page(try page(FormState(form, errors, c.texts), c), status: 422)
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
        var codename = filled.field("codename", label: "studies.codename")
        codename.hint = texts["studies.codename_hint"]
        codename.autocomplete = "off"
        var day = filled.field("consented_on", label: "studies.consented_on", first: c.dates.today.text)
        day.type = "date"
        day.isRequired = true
        day.hint = texts["studies.consented_on_hint"]
        var version = filled.field("consent_version", label: "studies.consent")
        version.isSelect = true
        version.choices = consents.filter { !$0.text.isEmpty }.map { consent in
            .init(
                value: String(consent.version),
                label: texts["studies.consent_version", ["n": String(consent.version)]],
                isChosen: String(consent.version) == version.value)
        }
        var fields = [codename, day, version]
        let names = Set(sites.map(\.name)).sorted()
        if !names.isEmpty {
            var site = filled.field("site", label: "studies.site_name")
            site.isSelect = true
            site.choices = [.init(value: "", label: texts["studies.no_site"], isChosen: site.value.isEmpty)]
            site.choices += names.map { .init(value: $0, label: $0, isChosen: $0 == site.value) }
            fields.append(site)
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
        return .seeOther(
            "/studies/\(c.proof.study.id)/participants", flash: Message("studies.participant_erased"))
    }

    private static func erasure(
        _ enrolment: EnrolmentRecord, _ filled: FormState, _ c: Context<StudyLead>
    ) throws -> StudyStatePages.Confirm {
        let texts = c.texts
        let codename = enrolment.codename
        var field = filled.field("codename", label: "studies.codename")
        field.hint = texts["studies.erasure_hint", ["codename": codename]]
        field.isRequired = true
        field.autocomplete = "off"
        return StudyStatePages.Confirm(
            head: StudyHead.make(c, tab: .participants),
            title: texts["studies.erasure_title", ["codename": codename]],
            consequences: ["erasure_all", "erasure_place", "erasure_final"].map { texts["studies.\($0)"] },
            action: "/studies/\(c.proof.study.id)/participants/\(codename)/erasure", revision: nil,
            isStale: false, sends: nil, fields: [field], submit: texts["studies.erasure_submit"],
            errors: filled.summary)
    }
}
