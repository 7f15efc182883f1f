import Accounts
import HTTP
import Identity
import JSON
import Records
import Web
import Wire
import Wording

/// A copy of all own data as one document (GDPR 15 and 20). Staff's private notes about a person are the therapist's
/// record and not in it; what was given to the person is.
enum OwnCopy {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/my/export", .patient,
            .one("Everything held about the caller, one document", OwnData.self),
            show)
        routes.page(.get, "/my/settings/copy", .patient, ask)
        routes.page(.post, "/my/settings/copy", .patient, copy)
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        try .data(One(try copied(c)))
    }

    /// Made for each request; taking it is noted in the audit log.
    private static func copied(_ c: Context<Member>) throws -> OwnData {
        let owner = try DataOwner(c)
        let data = try c.read { try owner.copy($0) }
        try c.write(.dataCopied, about: owner.account.id) { _ in }
        return data
    }

    @Sendable static func ask(_ c: Context<Member>) throws -> Reply {
        .page(page(FormState(c.texts)))
    }

    /// Asks for the password again: an unlocked screen is not enough for all data at once.
    @Sendable static func copy(_ c: Context<Member>) throws -> Reply {
        try c.submit(orShow: page) { fields in
            try Password.confirm(fields.form["password"] ?? "", of: c.proof.account, field: "password", c)
            let bytes = try JSONBytes.of(One(try copied(c)))
            var response = Response(type: MediaType.json, bytes)
            response.headers.append("Content-Disposition", "attachment; filename=\"intersession.json\"")
            return .response(response)
        }
    }

    private static func page(_ filled: FormState) -> OwnForm {
        OwnForm(
            title: filled.texts["own_settings.to_copy"], lead: filled.texts["own_settings.copy_lead"],
            points: (1...2).map { filled.texts["own_settings.copy_point_\($0)"] },
            parent: OwnSettingsPages.parent(filled.texts), action: "/my/settings/copy",
            fields: [filled.field("password", .password, label: "own_settings.current_password")],
            submit: filled.texts["own_settings.copy_submit"], errors: filled.summary)
    }
}

extension AuditAction {
    static let dataCopied = AuditAction(name: "data.copied")
}
