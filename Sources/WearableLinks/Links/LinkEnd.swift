import Identity
import Records
import Web
import Wire

/// Revocation at a provider after a link has ended here.
enum LinkEnd {
    /// - Returns: false when the provider could not be reached: then the person must revoke it there.
    static func revoke(
        _ link: WearableLinkRecord, _ account: AccountRecord, _ services: Services, at now: Instant
    ) throws -> Bool {
        guard let provider = services.part(WearableSignal.self).provider(link.provider),
            // Unreadable tokens count as none: they must not prevent the end of a link.
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

    /// Revokes tokens that are not kept; none while a link lives: some providers revoke all permissions at once.
    static func giveBack(
        _ tokens: LinkTokens, _ provider: ConfiguredProvider, _ account: ID<Account>, _ services: Services,
        at now: Instant
    ) throws {
        let link = try services.records.read { try WearableLinkStore.find(provider.name, of: account, $0) }
        if link?.state == .live { return }
        _ = TokenAnswer.revoke(tokens, provider, at: now)
    }

    /// Before an account is erased, so that no provider keeps a permission.
    static func revokeAll(of id: ID<Account>, _ services: Services, at now: Instant) throws {
        let (account, links) = try services.records.read { connection in
            (try AccountStore.find(id, connection), try WearableLinkStore.all(of: id, connection))
        }
        guard let account else { return }
        for link in links { _ = try revoke(link, account, services, at: now) }
    }
}
