import Foundation

/// Why a server cannot listen. libmicrohttpd gives no reason, so it is found out afterwards.
public enum ServerError: Error, Equatable, CustomStringConvertible {
    case badAddress(String)
    /// Another program uses the port.
    case taken(String, UInt16)
    /// The operating system reserves this port.
    case notAllowed(String, UInt16)
    /// This machine has no such address.
    case notHere(String)
    /// The certificate's text holds none.
    case noCertificate
    /// The key's text holds no key that opens without a password.
    case noKey
    /// Certificate and key do not belong together, or cannot be read.
    case badPair
    case cannotListen(String, UInt16, String)

    public var description: String {
        switch self {
        case .badAddress(let text): "\(text) is no numeric address"
        case .taken(let address, let port): "another program listens on \(address), port \(port)"
        case .notAllowed(let address, let port): "this program may not listen on \(address), port \(port)"
        case .notHere(let address): "this machine has no address \(address)"
        case .noCertificate: "the certificate is none: no PEM text that begins with BEGIN CERTIFICATE"
        case .noKey: "the key is none: no PEM text of a private key without a password"
        case .badPair: "certificate and key do not belong together, or are damaged"
        case .cannotListen(let address, let port, let reason):
            "cannot listen on \(address), port \(port): \(reason)"
        }
    }

    /// The meaning of a system error of a socket call.
    init(_ reason: Int32, _ address: String, _ port: UInt16) {
        switch reason {
        case EADDRINUSE: self = .taken(address, port)
        case EACCES, EPERM: self = .notAllowed(address, port)
        case EADDRNOTAVAIL: self = .notHere(address)
        default: self = .cannotListen(address, port, String(cString: strerror(reason)).lowercased())
        }
    }

    /// Why the start failed: a fault of the certificate, else the error that a socket of our own gets.
    static func reason(_ settings: ServerSettings, _ address: SocketAddress) -> ServerError {
        if let tls = settings.tls, let fault = fault(certificate: tls.certificate, key: tls.key) {
            return fault
        }
        if let reason = address.refusal() { return ServerError(reason, settings.address, settings.port) }
        if settings.tls != nil { return .badPair }
        return .cannotListen(settings.address, settings.port, "the operating system does not say why")
    }

    private static func fault(certificate: String, key: String) -> ServerError? {
        if !certificate.contains("-----BEGIN CERTIFICATE-----") { return .noCertificate }
        let isSealed = key.contains("BEGIN ENCRYPTED PRIVATE KEY") || key.contains("Proc-Type: 4,ENCRYPTED")
        return isSealed || !key.contains("PRIVATE KEY-----") ? .noKey : nil
    }
}

extension SocketAddress {
    /// The system error of listening here; nil for none.
    func refusal() -> Int32? {
        let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        // As libmicrohttpd does: connections that are just closing do not count as another program.
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let size = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        var address = self
        let isBound = address.withPointer { pointer in
            guard let pointer else { return false }
            return bind(descriptor, pointer.assumingMemoryBound(to: sockaddr.self), socklen_t(size)) == 0
                && listen(descriptor, 1) == 0
        }
        return isBound ? nil : errno
    }
}
