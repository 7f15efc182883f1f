import Database
import Identity
import Records
import Web
import Wire

/// What is asked of a provider when a link has ended here.
enum LinkEnd {
    /// - Returns: false when the provider could not be told: then the person has to.
    static func revoke(
        _ link: WearableLinkRecord, _ account: AccountRecord, _ services: Services, at now: Instant
    ) throws -> Bool {
        guard let provider = services.part(WearableDesk.self).provider(link.provider),
            // Tokens that cannot be read are none: whoever wants to go is not kept for them.
            let tokens = try? link.tokens(try account.key(services.keys))
        else { return link.state == .needsConsent }
        let fault = TokenAnswer.revoke(tokens, provider, at: now)
        tell(fault, link.provider, services, at: now)
        return fault == nil
    }

    static func tell(_ fault: LinkFault?, _ provider: String, _ services: Services, at now: Instant) {
        guard let fault else { return }
        let facts = [("provider", provider), ("problem", fault.word ?? "")]
        services.log.line("warning", "wearable not revoked", facts, at: now)
    }

    /// Takes back tokens that nobody keeps; but some providers take back everything that a person has allowed, and so nothing is
    /// taken back while a link lives.
    static func giveBack(
        _ tokens: LinkTokens, _ provider: ConfiguredProvider, _ account: ID<Account>, _ services: Services,
        at now: Instant
    ) throws {
        let link = try services.records.read { try WearableLinkStore.find(provider.name, of: account, $0) }
        if link?.state == .live { return }
        _ = TokenAnswer.revoke(tokens, provider, at: now)
    }

    /// Before an account is erased: a provider does not go on believing in it.
    static func revokeAll(of id: ID<Account>, _ services: Services, at now: Instant) throws {
        let (account, links) = try services.records.read { connection in
            (try AccountStore.find(id, connection), try WearableLinkStore.all(of: id, connection))
        }
        guard let account else { return }
        for link in links { _ = try revoke(link, account, services, at: now) }
    }
}
