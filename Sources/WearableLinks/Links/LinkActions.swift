import Database
import HTTP
import Identity
import Records
import Secrets
import Wearables
import Web
import Wire
import Wording

/// People's actions on their links, for calls and pages alike.
enum LinkActions {
    /// In seconds: the time to answer the provider's question.
    static let waitSeconds: Int64 = 600

    /// The provider of a path.
    /// - Throws: `Problem.notFound` for an unknown one, `.conflict` for one that is not set up.
    static func provider(_ c: Context<Member>) throws -> ConfiguredProvider {
        let table = try named(c)
        guard let provider = c.services.part(WearableSignal.self).provider(table.name) else {
            throw Problem.conflict(Message("wearables.not_set_up"))
        }
        return provider
    }

    /// - Throws: `Problem.notFound`.
    static func named(_ c: Context<Member>) throws -> WearableProvider {
        guard let table = WearableProvider.named(c.places["provider"] ?? "") else { throw Problem.notFound }
        return table
    }

    /// The providers on pages: only those the clinic has set up can be chosen.
    @Sendable static func providers(
        of account: ID<Account>, _ services: Services, _ connection: borrowing Connection
    ) throws -> [MeasurementProvider] {
        let linked = Set(try WearableLinkStore.all(of: account, connection).map(\.provider))
        let desk = services.part(WearableSignal.self)
        return WearableProvider.all.map { table in
            MeasurementProvider(
                name: table.name, isOffered: desk.provider(table.name) != nil || linked.contains(table.name))
        }
    }

    static func all(_ c: Context<Member>) throws -> [Wearable] {
        let links = try c.read { try WearableLinkStore.all(of: c.proof.account.id, $0) }
        let desk = c.services.part(WearableSignal.self)
        return WearableProvider.all.map { table in
            if let link = links.first(where: { $0.provider == table.name }) { return link.wire }
            let state = desk.provider(table.name) == nil ? "unavailable" : "available"
            return Wearable(provider: table.name, state: state)
        }
    }

    // MARK: Linking

    static func redirect(_ services: Services) -> String { services.origin + "/wearables/callback" }

    /// The address of the provider's question, with PKCE (RFC 7636) and a state that this device alone makes valid.
    static func ask(_ c: Context<Member>) throws -> String {
        let provider = try provider(c)
        let account = c.proof.account
        try c.services.limiter.count("wearable link \(account.id)", limit: 20, seconds: 600, now: c.now)
        let state = Token()
        let verifier = Token()
        let sealed = try account.key(c.keys).seal(verifier.text, for: WearablePlace.verifier(state.hash))
        let credential = c.proof.credential
        try c.writeUnaudited(.wearables) { [now = c.now] connection in
            try LinkRequestStore.insert(
                state: state.hash, verifier: sealed, of: account.id, by: credential.id,
                isByBrowser: credential.kind == .session, provider.name, at: now,
                until: now.adding(seconds: waitSeconds), connection)
        }
        let challenge = Token.base64url(Digest.sha256(Array(verifier.text.utf8)))
        let scopes = provider.provider.scopes.map(\.name)
        let query: [(String, String)] =
            [
                ("client_id", provider.clientID), ("response_type", "code"),
                ("redirect_uri", redirect(c.services)),
                ("scope", scopes.joined(separator: String(provider.provider.dialect.separator))),
                ("state", state.text), ("code_challenge", challenge), ("code_challenge_method", "S256"),
            ] + provider.provider.wishes.map { ($0.name, $0.value) }
        return "\(provider.addresses.authorize)?\(ConfiguredProvider.text(query))"
    }

    /// Whether the person has come back and must confirm that it was them.
    static func isToConfirm(_ c: Context<Member>) throws -> Bool {
        let account = c.proof.account.id
        let credential = c.proof.credential.id
        let name = try named(c).name
        return try c.read {
            try LinkRequestStore.returned(name, of: account, by: credential, at: c.now, $0) != nil
        }
    }

    /// Makes the link valid, only for the device that requested it.
    /// - Throws: `Problem.conflict` with a sentence for every possible fault of a provider.
    static func confirm(_ c: Context<Member>) throws -> Wearable {
        let provider = try provider(c)
        let account = c.proof.account
        let credential = c.proof.credential.id
        // Taken before it is used: a second confirmation finds nothing.
        let request = try c.writeUnaudited(.wearables) { [now = c.now] connection -> LinkRequestRecord? in
            let found = try LinkRequestStore.returned(
                provider.name, of: account.id, by: credential, at: now, connection)
            if let found { try LinkRequestStore.remove(found.state, connection) }
            return found
        }
        guard let request, let sealedCode = request.sealedCode else {
            throw Problem.conflict(Message("wearables.nothing_to_confirm"))
        }
        let key = try account.key(c.keys)
        let verifier = try key.open(request.sealedVerifier, from: WearablePlace.verifier(request.state))
        let code = try key.open(sealedCode, from: WearablePlace.code(request.state))
        let answer: TokenAnswer
        do {
            answer = try TokenAnswer.exchange(
                code, verifier: verifier, redirect: redirect(c.services), provider, at: c.now)
        } catch let fault as LinkFault {
            throw notLinked(fault, provider, c)
        }
        return try keep(answer, provider, c)
    }

    private static func notLinked(
        _ fault: LinkFault, _ provider: ConfiguredProvider, _ c: Context<Member>
    ) -> Problem {
        let facts = [("provider", provider.name), ("problem", fault.word ?? "")]
        c.services.log.line("warning", "wearable not linked", facts, at: c.now)
        return Problem.conflict(Message("wearables.not_linked"))
    }

    private static func keep(
        _ answer: TokenAnswer, _ provider: ConfiguredProvider, _ c: Context<Member>
    ) throws -> Wearable {
        let account = c.proof.account
        let table = provider.provider
        // The granted scopes count, not the requested ones (RFC 6749, 5.1: without an answer they are the same).
        let granted = table.scopes.map(\.name).filter { answer.scopes?.contains($0) ?? true }
        let tokens = LinkTokens(
            access: answer.access, refresh: answer.refresh ?? "", user: answer.user)
        guard answer.refresh != nil, table.missing(granted: granted).count < table.missing(granted: []).count
        else {
            var unused = tokens
            if unused.refresh.isEmpty { unused.refresh = answer.access }
            try LinkEnd.giveBack(unused, provider, account.id, c.services, at: c.now)
            throw Problem.conflict(Message("wearables.nothing_granted"))
        }
        let id: ID<WearableLinkRecord> = c.newID()
        do {
            try table.enrol?(tokens, id.text, provider, c.now)
        } catch let fault as LinkFault {
            try LinkEnd.giveBack(tokens, provider, account.id, c.services, at: c.now)
            throw notLinked(fault, provider, c)
        }
        let key = try account.key(c.keys)
        let new = NewWearableLink(
            id: id, account: account.id, provider: provider.name,
            tokens: try tokens.sealed(key, id), scopes: granted,
            accessUntil: c.now.adding(seconds: answer.accessSeconds),
            consentUntil: answer.consentSeconds.map { c.now.adding(seconds: $0) })
        let other: LinkTokens?
        do {
            other = try c.write(.wearableLinked, about: account.id, object: provider.name) {
                [now = c.now] connection in
                let other = try another(than: tokens, provider.name, account.id, key, connection)
                if other != nil {
                    try PullStore.removeCursors(of: provider.name, account.id, connection)
                }
                try WearableLinkStore.save(new, at: now, connection)
                return other
            }
        } catch {
            // Tokens that are not kept are revoked.
            try LinkEnd.giveBack(tokens, provider, account.id, c.services, at: c.now)
            throw error
        }
        if let other {
            LinkEnd.tell(TokenAnswer.revoke(other, provider, at: c.now), provider.name, c.services, at: c.now)
        }
        c.services.part(WearableSignal.self).wake()
        guard let link = try c.read({ try WearableLinkStore.find(provider.name, of: account.id, $0) }) else {
            // Unlinked, or erased with the account, in this very moment.
            try LinkEnd.giveBack(tokens, provider, account.id, c.services, at: c.now)
            throw Problem.notFound
        }
        return link.wire
    }

    /// The tokens of a link that is replaced by one to another account at the provider, as far as it reports that.
    private static func another(
        than tokens: LinkTokens, _ provider: String, _ account: ID<Account>, _ key: PersonKey,
        _ connection: borrowing Connection
    ) throws -> LinkTokens? {
        guard let link = try WearableLinkStore.find(provider, of: account, connection),
            let before = try? link.tokens(key), let user = before.user, let new = tokens.user, user != new
        else { return nil }
        return before
    }

    // MARK: Unlinking

    /// - Returns: whether the provider has revoked it as well.
    /// - Throws: `Problem.notFound` without a link.
    static func unlink(removingData: Bool, _ c: Context<Member>) throws -> Bool {
        let table = try named(c)
        let account = c.proof.account
        let link = try c.write(.wearableUnlinked, about: account.id, object: table.name) {
            [now = c.now] connection -> WearableLinkRecord in
            guard let link = try WearableLinkStore.find(table.name, of: account.id, connection) else {
                throw Problem.notFound
            }
            try WearableLinkStore.remove(table.name, of: account.id, connection)
            if removingData {
                try DeletedDayStore.noteAll(from: table.source, of: account.id, connection)
                try MeasurementDayStore.delete(from: table.source, of: account.id, connection)
                try OtherDeviceDayStore.removeAll(from: table.source, of: account.id, connection)
                try FetchedSleepStore.deleteAll(from: table.name, of: account.id, at: now, connection)
            } else {
                try FetchedSleepStore.keepAll(from: table.name, of: account.id, connection)
            }
            return link
        }
        return try LinkEnd.revoke(link, account, c.services, at: c.now)
    }
}
