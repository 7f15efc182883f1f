import Demonstration
import Foundation
import Locks
import Portal
import PortalClient

/// The network's faults: some requests are lost, some lose their answer, some are late, some meet an error.
final class Weather: Transport {
    /// The shares of all requests.
    struct Climate: Sendable {
        var lost = 0.0
        var answerLost = 0.0
        var late = 0.0
        var fault = 0.0
        var busy = 0.0

        static let clear = Climate()
        static let stormy = Climate(lost: 0.05, answerLost: 0.05, late: 0.03, fault: 0.03, busy: 0.01)
    }

    struct Counts: Sendable {
        var requests = 0
        var lost = 0
        var answersLost = 0
        var late = 0
        var faults = 0
        var busy = 0
        var unreachable = 0
        /// Milliseconds from sending to the answer, of answered requests.
        var waits: [Double] = []
    }

    private let inner: any Transport
    private let dice: SeededRandom
    private let state: Lock<(climate: Climate, counts: Counts)>

    init(_ inner: any Transport, _ climate: Climate, seed: UInt64) {
        self.inner = inner
        dice = SeededRandom(seed)
        state = Lock((climate, Counts()))
    }

    var counts: Counts { state.withLock { $0.counts } }

    /// Ends all faults.
    func clear() { state.withLock { $0.climate = .clear } }

    /// Resets the counts after signing up.
    func forget() { state.withLock { $0.counts = Counts() } }

    private enum Fate { case fair, lost, answerLost, late, fault, busy }

    private func fate() -> Fate {
        let climate = state.withLock { $0.climate }
        let drawn = dice.share()
        var edge = 0.0
        let fates: [(Double, Fate)] = [
            (climate.lost, .lost), (climate.answerLost, .answerLost), (climate.late, .late),
            (climate.fault, .fault), (climate.busy, .busy),
        ]
        for (share, fate) in fates {
            edge += share
            if drawn < edge { return fate }
        }
        return .fair
    }

    func send(_ ask: Ask) async throws -> ServerReply {
        let fate = fate()
        count { counts in
            counts.requests += 1
            switch fate {
            case .fair: break
            case .lost: counts.lost += 1
            case .answerLost: counts.answersLost += 1
            case .late: counts.late += 1
            case .fault: counts.faults += 1
            case .busy: counts.busy += 1
            }
        }
        switch fate {
        case .lost: throw URLError(.networkConnectionLost)
        case .fault: return ServerReply(status: 500)
        case .busy: return ServerReply(status: 503, headers: ["Retry-After": "1"])
        case .late: try await Task.sleep(for: .milliseconds(dice.number(5...50)))
        case .fair, .answerLost: break
        }
        let reply = try await timed(ask)
        if fate == .answerLost { throw URLError(.networkConnectionLost) }
        return reply
    }

    private func timed(_ ask: Ask) async throws -> ServerReply {
        let clock = ContinuousClock()
        let began = clock.now
        do {
            let reply = try await inner.send(ask)
            let wait = (clock.now - began) / .milliseconds(1)
            count { $0.waits.append(wait) }
            return reply
        } catch {
            count { $0.unreachable += 1 }
            throw error
        }
    }

    private func count(_ change: (inout Counts) -> Void) { state.withLock { change(&$0.counts) } }
}
