import Database
import HTTP
import Identity
import Instruments
import Records
import Studies
import Web
import Wire
import Wording

/// Studies in the portal: the list, one of them, and changing it (TYS-1).
package enum StudyPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/studies", .lead, index)
        routes.page(.get, "/studies/new", .lead, new)
        routes.page(.post, "/studies/new", .lead, create)
        routes.page(.get, "/studies/:study", .studyAssessor, show)
        routes.page(.get, "/studies/:study/edit", .studyLead, edit)
        routes.page(.get, "/studies/:study/picture", .studyAssessor, picture)
        routes.page(.post, "/studies/:study/edit", .studyLead, update)
        routes.page(.post, "/studies/:study/copy", .studyLead, copy)
    }

    package struct Edit: Page {
        package static let template = "studies/edit"
        package static let section: NavigationItem? = .studies
        package let title: String
        package let action: String
        /// Nil for a new one.
        package let revision: String?
        /// Another lead has changed the study meanwhile.
        package let isStale: Bool
        package let fields: [FieldView]
        package let errors: ErrorSummary?
    }

    package struct Show: Page {
        package static let template = "studies/show"
        package static let section: NavigationItem? = .studies
        struct Consent: Encodable, Sendable {
            let version: String
            let when: String
            let agreed: String
            let text: String
        }
        package struct Lead: Encodable, Sendable {
            package let name: String
            let isMasked: Bool
            /// The address for removing them; nil for the last one who is not masked.
            package let removal: String?
        }
        package let head: StudyHead
        let overview: StudyOverview
        /// The number of participants who give each of the requested measurements.
        let given: [Fact]
        /// The number who gave them under an earlier sentence, which is not enough by itself; nil for none.
        let earlier: String?
        let asksMeasures: Bool
        package let revision: String
        package let description: String?
        package let picture: String?
        let consents: [Consent]
        let leads: [Lead]
        let isStarted: Bool
        let isArchived: Bool
        let canRemove: Bool
        package let lead: FieldView
        let masked: FieldView
        /// How many emergency unmaskings there are; nil for none.
        let unmaskings: String?
        package let errors: ErrorSummary?
    }

    @Sendable package static func new(_ c: Context<Member>) throws -> Reply {
        .page(form(nil, FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        try c.submit(orShow: { self.form(nil, $0, c) }) { fields in
            let draft = try StudyDraft.read(fields, zone: c.dates.zone, over: nil)
            let id = try StudyActions.begin(draft, by: c.proof.account.id, c)
            return .seeOther("/studies/\(id)/questionnaires", flash: Message("studies.saved"))
        }
    }

    @Sendable static func edit(_ c: Context<StudyLead>) throws -> Reply {
        .page(form(c.proof.study, FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<StudyLead>) throws -> Reply {
        let study = c.proof.study
        let stale = { (filled: FormState) in
            guard let present = try c.read({ try StudyStore.find(study.id, $0) }) else {
                throw Problem.notFound
            }
            return form(present, filled, c)
        }
        return try c.submit(orShow: { form(study, $0, c) }, stale: stale) { fields in
            let draft = try StudyDraft.read(fields, zone: c.dates.zone, over: study)
            try StudyActions.change(study, to: draft, c)
            return .seeOther(study.path, flash: Message("studies.saved"))
        }
    }

    @Sendable static func picture(_ c: Context<StudyAssessor>) throws -> Reply {
        guard let picture = try c.read({ try StudyStore.picture(of: c.proof.study.id, $0) }) else {
            throw Problem.notFound
        }
        return .response(picture.response)
    }

    @Sendable static func show(_ c: Context<StudyAssessor>) throws -> Reply {
        guard let unmasked = c.unmasked else { return .page(MaskedOverview(c)) }
        return .page(try page(FormState(c.texts), unmasked))
    }

    package static func page(_ filled: FormState, _ c: Context<StudyLead>) throws -> Show {
        let study = c.proof.study
        let texts = c.texts
        let (counts, overview, consents, names, measures, unmasked) = try c.read { connection in
            let counts = try StudyStore.counts(study.id, connection)
            return (
                counts, try StudyOverview(c, counts, connection),
                try StudyStore.consents(study.id, connection), try leads(c, connection),
                study.measurements.isEmpty ? nil : try GivenMeasures(study, connection),
                try UnmaskingStore.count(in: study.id, connection)
            )
        }
        return Show(
            head: StudyHead.make(c, tab: .overview), overview: overview,
            given: study.measurements.map { kind in
                Fact(
                    label: texts["health.\(kind.rawValue)"],
                    value: texts.count("studies.given", measures?.people[kind] ?? 0))
            },
            earlier: measures.flatMap {
                $0.waiting > 0 ? texts.count("studies.given_earlier", $0.waiting) : nil
            }, asksMeasures: !study.measurements.isEmpty, revision: String(study.revision),
            description: study.description.text(in: c.languages),
            picture: study.pictureVersion.map { "\(study.path)/picture?version=\($0)" },
            consents: consents.filter { !$0.text.isEmpty }.map { consent in
                Show.Consent(
                    version: texts["studies.consent_version", ["n": String(consent.version)]],
                    when: c.dates.day(consent.writtenAt),
                    agreed: texts.count("studies.agreed", consent.agreed),
                    text: consent.text.text(in: c.languages) ?? "")
            }, leads: names, isStarted: study.isStarted, isArchived: study.archivedAt != nil,
            canRemove: counts.isEmpty, lead: filled.field("email", label: "studies.lead_email"),
            masked: filled.box("masked", label: "studies.lead_box", hint: "studies.lead_box_hint"),
            unmaskings: unmasked > 0 ? texts.count("studies.unmaskings", unmasked) : nil,
            errors: filled.summary)
    }

    private static func leads(
        _ c: Context<StudyLead>, _ connection: borrowing Connection
    ) throws -> [Show.Lead] {
        let study = c.proof.study
        let unmasked = try StudyStore.unmasked(study.id, connection)
        return try StudyStore.leads(study.id, connection).compactMap { id in
            let isMasked = !unmasked.contains(id)
            return try AccountStore.find(id, connection).map { account in
                Show.Lead(
                    name: try account.name(c.keys) ?? "", isMasked: isMasked,
                    removal: isMasked || unmasked.count > 1 ? "\(study.path)/leads/\(id)/removal" : nil)
            }
        }
    }

    @Sendable static func copy(_ c: Context<StudyLead>) throws -> Reply {
        let id = try StudyActions.copy(c.proof.study, c)
        return .seeOther("/studies/\(id)/edit", flash: Message("studies.copied"))
    }
}
