import Dispatch
import HTTP
import JSON
import Locks
import Outbound
import Records
import Wire

/// The calls of one fetch of one link: each within its reserved quota, none after the hour of that quota.
final class LinkCalls: Sendable {
    private let provider: ConfiguredProvider
    private let token: @Sendable (_ isRefused: Bool) throws -> String
    private let clock: Clock
    private let budget: Lock<Budget>
    private let isStopped: @Sendable () -> Bool
    /// The end of a fetch, so that a provider that always answers at the last moment does not delay others for longer.
    private let end = DispatchTime.now().uptimeNanoseconds + 120_000_000_000

    /// Calls that may still be made in an hour of the clock.
    struct Budget: Sendable {
        var left: Int
        /// Hours since 1970.
        let hour: Int64
        /// The bytes of all answers of one fetch.
        var bytes = 0
        static let mostBytes = 64 * 1024 * 1024
    }

    /// - Parameter token: gives the token to use; gets whether the last one was refused.
    init(
        _ provider: ConfiguredProvider, _ budget: Budget, _ clock: Clock,
        isStopped: @escaping @Sendable () -> Bool = { false },
        token: @escaping @Sendable (_ isRefused: Bool) throws -> String
    ) {
        self.provider = provider
        self.token = token
        self.clock = clock
        self.budget = Lock(budget)
        self.isStopped = isStopped
    }

    var left: Int { budget.withLock { $0.left } }

    /// - Throws: `LinkFault`.
    func get(_ path: String) throws -> JSON { try ask("GET", path, nil) }

    /// - Returns: nil for 404 or 204, by which providers say that there is nothing.
    /// - Throws: `LinkFault`.
    func find(_ path: String) throws -> JSON? {
        try ask("GET", path, nil) { [data = provider.provider.dialect.data] reply, now in
            [204, 404].contains(reply.status) ? nil : try data(reply, now)
        }
    }

    /// - Throws: `LinkFault`.
    func post(_ path: String, _ body: JSON) throws -> JSON {
        try ask("POST", path, ("application/json", try JSONWriter.bytes(of: body)))
    }

    /// - Throws: `LinkFault`.
    func post(_ path: String, form: [(String, String)]) throws -> JSON {
        let text = ConfiguredProvider.text(form)
        return try ask("POST", path, ("application/x-www-form-urlencoded", Array(text.utf8)))
    }

    private func ask(_ method: String, _ path: String, _ body: Body?) throws -> JSON {
        try ask(method, path, body, provider.provider.dialect.data)
    }

    private func ask<Value>(
        _ method: String, _ path: String, _ body: Body?, _ read: (OutboundReply, Instant) throws -> Value
    ) throws -> Value {
        // Checked before a token is requested as well: a renewed one must not be lost.
        if isStopped() { throw LinkFault.gone }
        let reply = try send(method, path, body, try token(false))
        do {
            return try read(reply, clock.now)
        } catch LinkFault.refused {
            // Some providers end tokens early.
            return try read(try send(method, path, body, try token(true)), clock.now)
        }
    }

    private typealias Body = (type: String, bytes: [UInt8])

    private func send(
        _ method: String, _ path: String, _ body: Body?, _ token: String
    ) throws -> OutboundReply {
        guard DispatchTime.now().uptimeNanoseconds < end else { throw LinkFault.timeout }
        let now = clock.now
        try budget.withLock { budget throws in
            guard budget.left > 0, now.seconds / 3_600 == budget.hour else { throw LinkFault.quotaUsed }
            budget.left -= 1
        }
        var headers = [("Authorization", "Bearer \(token)"), ("Accept", "application/json")]
        if let body { headers.append(("Content-Type", body.type)) }
        let request = OutboundRequest(
            method: method, url: provider.addresses.api + path, headers: headers, body: body?.bytes ?? [])
        let reply = try provider.answer(request, .data)
        try budget.withLock { budget throws in
            budget.bytes += reply.body.count
            guard budget.bytes <= Budget.mostBytes else { throw LinkFault.tooLong }
        }
        return reply
    }
}
