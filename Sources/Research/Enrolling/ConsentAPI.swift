import HTTP
import Identity
import Records
import Studies
import Web
import Wire
import Wording

/// Consents given in a study: for the participant with the texts, for its leads by codename.
enum ConsentAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/my/studies/:study/consents", .patient,
            .many(
                "The consent texts of a study that the caller has agreed to, the newest first",
                OwnConsent.self), own)
        routes.call(
            .get, "/studies/:study/consents", .studyLead,
            .many(
                "Consents of a study's participants to its texts, by codename, the newest first",
                ParticipantConsent.self), all)
    }

    @Sendable static func own(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let agreed = try found(c)
        let items = agreed.map { consent in
            Item(
                id: consent.id,
                OwnConsent(
                    version: consent.version, text: consent.text?.text(in: c.languages),
                    agreedAt: consent.agreedAt, way: consent.way?.rawValue,
                    versionTold: consent.isVersionTold))
        }
        return try .data(paging.part(of: items))
    }

    /// - Throws: `Problem.notFound` for an account without any consent there.
    private static func found(_ c: Context<Member>) throws -> [AgreedConsent] {
        let study: ID<Study> = try c.id("study")
        let agreed = try c.read { try AgreedConsentStore.all(of: c.proof.account.id, in: study, $0) }
        if agreed.isEmpty { throw Problem.notFound }
        return agreed
    }

    @Sendable static func all(_ c: Context<StudyLead>) throws -> Reply {
        let paging = try Paging(c.request)
        let agreed = try c.read { try AgreedConsentStore.all(in: c.proof.study.id, $0) }
        let (part, next) = paging.part(of: agreed) { Position($0.agreedAt, $0.id) }
        let items = part.map { consent in
            Item(
                id: consent.id,
                ParticipantConsent(
                    codename: consent.codename, version: consent.version, agreedAt: consent.agreedAt,
                    way: consent.way?.rawValue, versionTold: consent.isVersionTold))
        }
        return try .data(Many(items, total: agreed.count, next: next))
    }
}
