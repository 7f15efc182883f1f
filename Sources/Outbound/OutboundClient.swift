import CCurl

/// Asks one server at a time, and waits for the answer. Redirects are not followed: they are answers like any other.
public struct OutboundClient: Sendable {
    private let policy: OutboundPolicy
    private let limits: OutboundLimits
    private let caFile: String?

    /// - Parameter caFile: additional authorities, PEM.
    public init(_ policy: OutboundPolicy, limits: OutboundLimits = OutboundLimits(), caFile: String? = nil) {
        self.policy = policy
        self.limits = limits
        self.caFile = caFile
    }

    public func send(_ request: OutboundRequest) throws(OutboundError) -> OutboundReply {
        guard let transfer = Transfer(policy, limits) else {
            throw OutboundError(kind: .broken, reason: "libcurl cannot be started")
        }
        try transfer.prepare(request, caFile: caFile)
        return try transfer.result(curl_easy_perform(transfer.curl)).get()
    }
}

/// Asks many servers at once; one thread owns it. Connections are kept for the next request to the same server.
public final class OutboundPool {
    /// Ends a `wait` from another thread.
    public let bell: OutboundBell
    private var multi: UnsafeMutableRawPointer { bell.multi }
    private let policy: OutboundPolicy
    private let limits: OutboundLimits
    private let caFile: String?
    private var idle: [Transfer] = []
    private var busy: [UnsafeMutableRawPointer: Transfer] = [:]
    private var refused: [(tag: Int64, result: Result<OutboundReply, OutboundError>)] = []
    /// Requests not given to libcurl yet: their time would run while they wait for a connection.
    private var waiting: [(request: OutboundRequest, tag: Int64)] = []
    private var firstWaiting = 0
    private let most: Int

    /// Nil only when libcurl cannot be started.
    /// - Parameter most: connections at a time.
    public init?(
        _ policy: OutboundPolicy, limits: OutboundLimits = OutboundLimits(), caFile: String? = nil,
        most: Int = 100
    ) {
        guard Libcurl.isReady, let multi = curl_multi_init() else { return nil }
        bell = OutboundBell(UnsafeMutableRawPointer(multi))
        self.policy = policy
        self.limits = limits
        self.caFile = caFile
        self.most = most
        for option in [CURLMOPT_MAX_TOTAL_CONNECTIONS, CURLMOPT_MAX_HOST_CONNECTIONS, CURLMOPT_MAXCONNECTS] {
            _ = intersession_curl_multi_set(multi, option, most)
        }
    }

    deinit {
        for transfer in busy.values { curl_multi_remove_handle(multi, transfer.curl) }
        idle = []
        busy = [:]
    }

    /// The number of running and waiting ones.
    public var count: Int { busy.count + refused.count + waiting.count - firstWaiting }

    /// Begins a request, or keeps it until there is room; `wait` returns its result, also of a refused one.
    public func add(_ request: OutboundRequest, tag: Int64) {
        if busy.count < most { begin(request, tag) } else { waiting.append((request, tag)) }
    }

    private func beginWaiting() {
        while busy.count < most, firstWaiting < waiting.count {
            let next = waiting[firstWaiting]
            firstWaiting += 1
            begin(next.request, next.tag)
        }
        // Rarely enough that each is moved about once.
        if firstWaiting * 2 >= waiting.count {
            waiting.removeFirst(firstWaiting)
            firstWaiting = 0
        }
    }

    private func begin(_ request: OutboundRequest, _ tag: Int64) {
        guard let transfer = idle.popLast() ?? Transfer(policy, limits) else {
            return refuse(tag, OutboundError(kind: .broken, reason: "libcurl cannot be started"))
        }
        do {
            try transfer.prepare(request, caFile: caFile)
        } catch {
            idle.append(transfer)
            return refuse(tag, error)
        }
        transfer.tag = tag
        busy[transfer.curl] = transfer
        curl_multi_add_handle(multi, transfer.curl)
    }

    private func refuse(_ tag: Int64, _ error: OutboundError) { refused.append((tag, .failure(error))) }

    /// Runs them, and waits until one has ended or the time is over.
    public func wait(milliseconds: Int) -> [(tag: Int64, result: Result<OutboundReply, OutboundError>)] {
        beginWaiting()
        var ended = refused
        refused = []
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        collect(&ended)
        if ended.isEmpty, milliseconds > 0 {
            curl_multi_poll(multi, nil, 0, Int32(milliseconds), nil)
            curl_multi_perform(multi, &running)
            collect(&ended)
        }
        return ended
    }

    private func collect(_ ended: inout [(tag: Int64, result: Result<OutboundReply, OutboundError>)]) {
        var code = CURLE_OK
        while let curl = intersession_curl_multi_next(multi, &code) {
            curl_multi_remove_handle(multi, curl)
            guard let transfer = busy.removeValue(forKey: curl) else { continue }
            ended.append((transfer.tag, transfer.result(code)))
            idle.append(transfer)
        }
    }
}

/// Wakes the thread that waits for a pool. It may outlive the pool; then it does nothing.
public final class OutboundBell: @unchecked Sendable {
    // Other threads may only wake libcurl up.
    fileprivate let multi: UnsafeMutableRawPointer

    fileprivate init(_ multi: UnsafeMutableRawPointer) { self.multi = multi }

    deinit { curl_multi_cleanup(multi) }

    /// Makes `wait` return at once, or the next one when there is none now.
    public func ring() { curl_multi_wakeup(multi) }
}
