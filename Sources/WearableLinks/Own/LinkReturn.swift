import Database
import HTTP
import Identity
import Records
import Secrets
import Web
import Wire
import Wording

/// The return from a provider. Anyone may call this; the result counts only once the requesting device confirms it.
enum LinkReturn {
    private enum Outcome: Sendable {
        /// An invalid, used or old state; or another browser than the requesting one.
        case unknown
        case declined(isByBrowser: Bool)
        /// To be confirmed on a page, or by the requesting app.
        case toConfirm(provider: String, isByBrowser: Bool)
    }

    private static let longestCode = 2_048

    @Sendable static func callback(_ c: Context<Anyone>) throws -> Reply {
        let query = c.request.query
        guard let state = query["state"].flatMap({ Token($0) }) else { throw unknown }
        let code = query["code"].flatMap { text -> String? in
            let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
            return isPlain && !text.isEmpty && text.utf8.count <= longestCode ? text : nil
        }
        switch try take(state.hash, code, c) {
        case .unknown: throw unknown
        case .declined(true):
            return .seeOther(OwnWearablePages.path, flash: Message("wearables.declined"))
        case .declined(false): return .seeOther("/wearables/returned?declined=true")
        case .toConfirm(let provider, true):
            return .seeOther("\(OwnWearablePages.path)/\(provider)/confirmation")
        case .toConfirm(_, false): return .seeOther("/wearables/returned")
        }
    }

    private static var unknown: Problem { .malformed(Message("wearables.state_unknown")) }

    /// Uses up the state, whatever the result.
    private static func take(_ state: [UInt8], _ code: String?, _ c: Context<Anyone>) throws -> Outcome {
        let person = c.actor.signedIn
        return try c.writeUnaudited(.wearables) { [now = c.now, keys = c.keys] connection in
            guard let request = try LinkRequestStore.waiting(state, at: now, connection),
                let account = try AccountStore.find(request.account, connection)
            else { return .unknown }
            // A page's browser sends its session. An app's comes without one, never with another account's.
            let isOther =
                request.isByBrowser
                ? person?.credential.id != request.credential
                : person.map { $0.account.id != request.account } ?? false
            if isOther || code == nil { try LinkRequestStore.remove(state, connection) }
            if isOther { return .unknown }
            guard let code else { return .declined(isByBrowser: request.isByBrowser) }
            let sealed = try account.key(keys).seal(code, for: WearablePlace.code(state))
            try LinkRequestStore.setCode(sealed, of: state, connection)
            return .toConfirm(provider: request.provider, isByBrowser: request.isByBrowser)
        }
    }
}
