import Records
import Wire

/// Recent answers of relays, to distinguish a relay's own faults from those of one device. In memory only: after a
/// start a few answers show the same.
struct PushRelays {
    /// The devices for which a relay said in a row that it has too much.
    private var busy: [String: Set<ID<PushSubscriptionRecord>>] = [:]
    /// The devices whose messages it refused in a row, and whose they are.
    private var refused: [String: [ID<PushSubscriptionRecord>: ID<Account>]] = [:]

    /// Relays also answer 429 for a single device that gets many messages, and one in a hundred of them must not hold
    /// up the other ninety-nine: only the same answer for so many devices in a row counts for the relay.
    static let mostBusy = 3
    /// As many devices refused in a row are the relay's refusal of this house; fewer may be refused for their own sake.
    static let mostRefused = 5
    /// The most seconds a relay rests as a whole: most windows are longer, and a mistake costs no full day.
    static let longestRest: Int64 = 600

    /// - Returns: until when nothing is sent to this relay at all; nil for no change.
    mutating func note(_ outcome: PushOutcome, of message: DuePushMessage, at now: Instant) -> Instant? {
        let host = message.host
        switch outcome {
        case .busy(let until):
            busy[host, default: []].insert(message.subscription)
            guard busy[host]?.count ?? 0 >= Self.mostBusy else { return nil }
            busy[host] = nil
            return Self.capped(until, now)
        case .closed(let until): return Self.capped(until, now)
        case .accepted:
            busy[host] = nil
            refused[host] = nil
        case .refused:
            busy[host] = nil
            refused[host, default: [:]][message.subscription] = message.account
        case .gone, .hopeless: busy[host] = nil
        // A missing answer contradicts nothing.
        case .later: break
        }
        return nil
    }

    /// The accounts of so many devices that a relay has refused that it may be stopped; none before. Asked again, they are
    /// counted anew.
    mutating func refusedAccounts(_ host: String) -> Set<ID<Account>> {
        guard let devices = refused[host], devices.count >= Self.mostRefused else { return [] }
        refused[host] = nil
        return Set(devices.values)
    }

    private static func capped(_ until: Instant, _ now: Instant) -> Instant {
        min(until, now.adding(seconds: longestRest))
    }
}
