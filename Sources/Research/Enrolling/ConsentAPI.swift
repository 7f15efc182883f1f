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
        let id: ID<Study> = try c.id("study")
        let account = c.proof.account.id
        let found = try c.read { connection -> (agreed: [AgreedConsent], items: AgreedItems)? in
            guard let study = try StudyStore.find(id, connection) else { return nil }
            let agreed = try AgreedConsentStore.all(of: account, in: id, connection)
            return (agreed, try AgreedItems(agreed, in: study, connection))
        }
        // An account without any consent there.
        guard let found, !found.agreed.isEmpty else { throw Problem.notFound }
        let items = found.agreed.map { consent in
            Item(
                id: consent.id,
                OwnConsent(
                    version: consent.version, text: consent.text?.text(in: c.languages),
                    agreedAt: consent.agreedAt, way: consent.way?.rawValue,
                    versionTold: consent.isVersionTold, items: found.items.wire(consent)))
        }
        return try .data(paging.part(of: items))
    }

    @Sendable static func all(_ c: Context<StudyLead>) throws -> Reply {
        let paging = try Paging(c.request)
        let (agreed, choices) = try c.read { connection in
            let agreed = try AgreedConsentStore.all(in: c.proof.study.id, connection)
            return (agreed, try AgreedItems(agreed, in: c.proof.study, connection))
        }
        let (part, next) = paging.part(of: agreed) { Position($0.agreedAt, $0.id) }
        let items = part.map { consent in
            Item(
                id: consent.id,
                ParticipantConsent(
                    codename: consent.codename, version: consent.version, agreedAt: consent.agreedAt,
                    way: consent.way?.rawValue, versionTold: consent.isVersionTold,
                    items: choices.wire(consent)))
        }
        return try .data(Many(items, total: agreed.count, next: next))
    }
}
