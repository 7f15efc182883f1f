import Identity
import Records
import Wire

/// What relays have answered last, as far as it tells the relay's own troubles from those of one device. In memory only: after
/// a start a few answers say the same again.
struct PushRelays {
    /// To whom a relay said in a row that it has too much.
    private var busy: [String: Set<ID<PushSubscriptionRecord>>] = [:]
    /// Whose messages it refused in a row, as many as stop it.
    private var refused: [String: [ID<Account>]] = [:]

    /// Relays say 429 also of a single device that gets much, and one in a hundred of them must not hold up the other
    /// ninety-nine: only what so many devices are told one after the other is said of the relay.
    static let mostBusy = 3
    /// As long a relay rests as a whole, whatever it asks for. Most windows are longer, and what one has said by mistake should
    /// not cost a day's reminders.
    static let longestRest: Int64 = 600

    /// - Returns: until when nothing goes to this relay at all; nil for as before.
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
            refused[host] = (refused[host] ?? []).suffix(PushHostStore.mostRefusals - 1) + [message.account]
        case .gone, .hopeless: busy[host] = nil
        // Who said nothing does not contradict.
        case .later: break
        }
        return nil
    }

    /// Whether more people than one were refused lately: with one alone it may be their device.
    func refusesSeveral(_ host: String) -> Bool { Set(refused[host] ?? []).count > 1 }

    private static func capped(_ until: Instant, _ now: Instant) -> Instant {
        min(until, now.adding(seconds: longestRest))
    }
}
