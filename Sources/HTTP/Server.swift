import CMicroHTTPD
import Foundation
import Synchronization

/// Where and how a server listens.
public struct ServerSettings: Sendable {
    /// A numeric IPv4 or IPv6 address.
    public var address = "127.0.0.1"
    /// 0 takes a free port.
    public var port: UInt16 = 8080
    /// Certificate chain and key as PEM text; without them plain HTTP.
    public var tls: (certificate: String, key: String)?
    /// The URL by which clients reach the server; nil where only the address is known.
    public var publicURL: String?
    /// With more connections than this, idle ones are closed; where none is idle, the new ones are. Clinics sit
    /// behind one address, so there is no limit for each address.
    public var connectionLimit = 1_200
    /// Seconds until a complete head must have arrived, also on a kept-alive connection.
    public var headSeconds = 10
    /// Seconds for receiving a body, and for sending an answer.
    public var bodySeconds = 60
    public var answerSeconds = 120
    /// Seconds for a form with files: two hundred megabytes over a slow line.
    public var uploadSeconds = 1_800
    /// Seconds of work on an answer before the first check whether its client is still there.
    public var patienceSeconds = 0.5

    public init() {}
}

/// A web server over libmicrohttpd, one thread per connection: a slow handler does not delay other requests.
///
/// `@unchecked Sendable` is safe because `daemon` is written before `init` returns and read only by `stop`.
public final class Server: @unchecked Sendable {
    public let port: UInt16
    private let daemon: OpaquePointer
    private let core: ServerCore
    private let secrets: [UnsafeMutablePointer<CChar>]

    /// Starts listening.
    /// - Throws: `ServerError`.
    public init(_ settings: ServerSettings, application: any Application) throws {
        raiseFileLimit(to: settings.connectionLimit * 3 + 200)
        core = ServerCore(settings, application)
        var address = try SocketAddress(settings.address, port: settings.port)
        let context = Unmanaged.passUnretained(core).toOpaque()
        secrets = [settings.tls?.certificate, settings.tls?.key].compactMap { $0.flatMap { strdup($0) } }
        let options = daemonOptions(settings, context: context, secrets: secrets)
        let flags = daemonFlags(settings, isIPv6: address.isIPv6)
        let daemon = address.withPointer { pointer in
            let items =
                options + [
                    MHD_OptionItem(option: .SOCK_ADDR, value: 0, ptr_value: pointer),
                    MHD_OptionItem(option: .END, value: 0, ptr_value: nil),
                ]
            return intersession_mhd_start(flags, settings.port, onRequest, context, items)
        }
        guard let daemon else { throw ServerError.reason(settings, address) }
        self.daemon = daemon
        port = intersession_mhd_port(daemon)
        core.watchdog.start()
    }

    /// Takes no new connections, lets running requests finish for up to `seconds`, then ends.
    public func stop(within seconds: Double = 8) {
        let listener = MHD_quiesce_daemon(daemon)
        core.isStopping.store(true, ordering: .relaxed)
        let end = monotonicSeconds() + seconds
        while core.requestsUnderWay.load(ordering: .acquiring) > 0 && monotonicSeconds() < end {
            usleep(20_000)
        }
        core.watchdog.stop()
        MHD_stop_daemon(daemon)
        if listener >= 0 { close(listener) }
        secrets.forEach { free($0) }
    }
}

/// State shared by the callbacks.
final class ServerCore: Sendable {
    let application: any Application
    let watchdog: Watchdog
    let patience: Double
    let speaksTLS: Bool
    /// The authority of the public URL.
    private let publicAuthority: String?
    let requestsUnderWay = Atomic<Int>(0)
    let isStopping = Atomic<Bool>(false)

    init(_ settings: ServerSettings, _ application: any Application) {
        self.application = application
        watchdog = Watchdog(settings)
        patience = settings.patienceSeconds
        speaksTLS = settings.tls != nil
        publicAuthority = settings.publicURL.flatMap { AbsoluteTarget($0)?.authority }
    }

    /// Whether a target names this server: by its public URL, or by the address and port that the client has reached.
    func isMeant(by target: AbsoluteTarget, on socket: Int32) -> Bool {
        target.authority == publicAuthority
            || target.authority == AbsoluteTarget(reaching: socket, speaksTLS: speaksTLS)?.authority
    }
}

private func daemonFlags(_ settings: ServerSettings, isIPv6: Bool) -> UInt32 {
    var flags = MHD_USE_INTERNAL_POLLING_THREAD.rawValue | MHD_USE_THREAD_PER_CONNECTION.rawValue
    flags |= MHD_USE_POLL.rawValue | MHD_USE_ITC.rawValue
    if isIPv6 { flags |= MHD_USE_IPv6.rawValue }
    if settings.tls != nil { flags |= MHD_USE_TLS.rawValue }
    return flags
}

private func daemonOptions(
    _ settings: ServerSettings, context: UnsafeMutableRawPointer, secrets: [UnsafeMutablePointer<CChar>]
) -> [MHD_OptionItem] {
    let completed:
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
            MHD_RequestTerminationCode
        ) -> Void = onCompleted
    let connection:
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
            MHD_ConnectionNotificationCode
        ) -> Void = onConnection
    let target:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
        ) -> UnsafeMutableRawPointer? = onTarget
    var items = [
        // Room for connections that were told to end and still exist: the watchdog holds the limit itself.
        MHD_OptionItem(option: .CONNECTION_LIMIT, value: settings.connectionLimit * 2, ptr_value: nil),
        // Inactivity only; the watchdog ends trickling connections.
        MHD_OptionItem(option: .CONNECTION_TIMEOUT, value: settings.bodySeconds, ptr_value: nil),
        MHD_OptionItem(option: .CONNECTION_MEMORY_LIMIT, value: 32 * 1024, ptr_value: nil),
        MHD_OptionItem(option: .LISTEN_BACKLOG_SIZE, value: 1024, ptr_value: nil),
        MHD_OptionItem(
            option: .NOTIFY_COMPLETED, value: unsafeBitCast(completed, to: Int.self), ptr_value: context),
        MHD_OptionItem(
            option: .NOTIFY_CONNECTION, value: unsafeBitCast(connection, to: Int.self), ptr_value: context),
        MHD_OptionItem(
            option: .URI_LOG_CALLBACK, value: unsafeBitCast(target, to: Int.self), ptr_value: context),
    ]
    if secrets.count == 2 {
        items += [
            MHD_OptionItem(option: .HTTPS_MEM_CERT, value: 0, ptr_value: secrets[0]),
            MHD_OptionItem(option: .HTTPS_MEM_KEY, value: 0, ptr_value: secrets[1]),
            // The default would accept TLS 1.0 and 1.1.
            MHD_OptionItem(option: .HTTPS_PRIORITIES, value: 0, ptr_value: tlsPriorities),
        ]
    }
    return items
}

/// Ephemeral keys and ciphers that prove what they carry, alone, in the words of GnuTLS. Certificates may be of P-256, which ACME clients
/// ask for today, P-384, RSA and Ed25519; what RFC 8446, 9.1 makes every client offer is among it.
private let tlsRules = [
    ["NONE", "+VERS-TLS1.3", "+VERS-TLS1.2", "+ECDHE-ECDSA", "+ECDHE-RSA"],
    ["+AES-256-GCM", "+CHACHA20-POLY1305", "+AES-128-GCM", "+AEAD"],
    ["+GROUP-X25519", "+GROUP-SECP256R1", "+GROUP-SECP384R1"],
    [
        "+SIGN-ECDSA-SECP256R1-SHA256", "+SIGN-ECDSA-SECP384R1-SHA384", "+SIGN-ECDSA-SHA256",
        "+SIGN-ECDSA-SHA384",
    ],
    [
        "+SIGN-EDDSA-ED25519", "+SIGN-RSA-PSS-RSAE-SHA256", "+SIGN-RSA-PSS-RSAE-SHA384",
        "+SIGN-RSA-PSS-RSAE-SHA512",
    ],
    [
        "+SIGN-RSA-SHA256", "+SIGN-RSA-SHA384", "+SIGN-RSA-SHA512", "+COMP-NULL", "+CTYPE-X509",
        "%SERVER_PRECEDENCE",
    ],
]

/// Lives as long as the program, as libmicrohttpd expects of option strings.
nonisolated(unsafe) private let tlsPriorities: UnsafeMutablePointer<CChar>? =
    strdup(tlsRules.joined().joined(separator: ":"))

/// A numeric address in the form that socket calls expect.
struct SocketAddress {
    private var storage = sockaddr_storage()
    let isIPv6: Bool

    init(_ text: String, port: UInt16) throws {
        var four = sockaddr_in()
        var six = sockaddr_in6()
        if inet_pton(AF_INET, text, &four.sin_addr) == 1 {
            four.sin_family = sa_family_t(AF_INET)
            four.sin_port = port.bigEndian
            isIPv6 = false
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: four, as: sockaddr_in.self) }
        } else if inet_pton(AF_INET6, text, &six.sin6_addr) == 1 {
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            isIPv6 = true
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: six, as: sockaddr_in6.self) }
        } else {
            throw ServerError.badAddress(text)
        }
    }

    mutating func withPointer<T>(_ body: (UnsafeMutableRawPointer?) -> T) -> T {
        withUnsafeMutableBytes(of: &storage) { body($0.baseAddress) }
    }
}

/// A connection is a file descriptor; shells often allow 1,024 where the system would allow more.
private func raiseFileLimit(to wanted: Int) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    guard limit.rlim_cur < rlim_t(wanted) else { return }
    limit.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

/// Seconds of a clock that is never set.
func monotonicSeconds() -> Double {
    Double(DispatchTime.now().uptimeNanoseconds) / 1e9
}
