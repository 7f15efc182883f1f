import Accounts
import Contributions
import HTTP
import Records
import Therapies
import Web
import Wording

/// Erasing an unpaired patient: added by mistake, or on paper alone. Paired patients erase themselves.
enum ErasurePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/erasure", .caseloadOwner, show)
        routes.page(.post, "/patients/:patient/erasure", .caseloadOwner, destroy)
        routes.call(
            .delete, "/patients/:patient", .caseloadOwner,
            .nothing("Erase somebody who is not paired, with all that was filled in, for good").revised(
                TherapyStore.revision), delete)
    }

    /// - Throws: `Problem.conflict` for a patient who is paired, or was when the therapy ended.
    private static func require(_ therapy: Therapy) throws(Problem) {
        if therapy.accountID != nil { throw Problem.conflict(Message("ending.has_account")) }
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    @Sendable static func destroy(_ c: Context<Caseload>) throws -> Reply {
        try c.submit(orShow: { try page($0, c) }) { fields in
            EndingPages.requireCodename(fields, c)
            try fields.finish()
            try Erasure.erase(c.proof.patient, .patientErased, c)
            return .seeOther("/patients", flash: Message("ending.erased"))
        }
    }

    @Sendable static func delete(_ c: Context<Caseload>) throws -> Reply {
        try require(c.proof.patient)
        try Erasure.erase(c.proof.patient, .patientErased, c)
        return .response(.noContent)
    }

    private static func page(_ filled: FormState, _ c: Context<Caseload>) throws -> EndingPages.Confirm {
        let therapy = c.proof.patient
        let texts = c.texts
        try require(therapy)
        let sheets = try c.read { try ContributionStore.count(inTherapy: therapy.id, $0) }
        var lines: [String] = []
        if sheets > 0 { lines.append(texts.count("ending.erase_sheets", sheets)) }
        lines += [texts["ending.erase_all"], texts["ending.erase_final"]]
        return EndingPages.Confirm(
            id: therapy.id, codename: therapy.codename, title: texts["ending.erase_title"],
            lead: texts["ending.erase_lead"], action: "\(therapy.path)/erasure", lines: lines,
            assign: nil, fields: [EndingPages.codename(filled, c)], submit: texts["ending.erase_submit"],
            errors: filled.summary)
    }
}

extension AuditAction {
    static let patientErased = AuditAction(name: "patient.erased")
}
