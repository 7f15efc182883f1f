import Foundation
import HTTP
import Records

/// Why a start failed, each reason with its setting: the operator must know which of twenty settings a line means.
enum StartReasons {
    /// Runs a start and explains to the operator why the server cannot listen.
    static func named<T>(_ arguments: Arguments, _ server: ServerSettings, _ start: () throws -> T) throws
        -> T
    {
        do {
            return try start()
        } catch let error as ServerError {
            throw StartError(sentence(error, arguments, server))
        }
    }

    private static func sentence(
        _ error: ServerError, _ arguments: Arguments, _ server: ServerSettings
    ) -> String {
        let port = setting("port", String(server.port), arguments)
        let address = setting("address", server.address, arguments)
        switch error {
        case .taken: return "\(port): another program listens there already (\(address)); take another port"
        case .notAllowed(_, let number) where number < 1024:
            return """
                \(port): \(user) may not listen on a port below 1024; take one from 1024 on, with a proxy before it, \
                or give the right (AmbientCapabilities=CAP_NET_BIND_SERVICE in the unit)
                """
        case .notAllowed: return "\(port): \(user) may not listen there (\(address))"
        case .notHere, .badAddress: return "\(address): \(error)"
        case .noCertificate: return "\(file("tls-certificate", arguments)): \(error)"
        case .noKey: return "\(file("tls-key", arguments)): \(error)"
        case .badPair:
            return "\(file("tls-certificate", arguments)), \(file("tls-key", arguments)): \(error)"
        case .cannotListen: return "\(port), \(address): \(error)"
        }
    }

    private static func setting(_ name: String, _ value: String, _ arguments: Arguments) -> String {
        let suffix = arguments.has(name) ? "" : " (its default)"
        return "\(arguments.place(name)) \(value)\(suffix)"
    }

    private static func file(_ name: String, _ arguments: Arguments) -> String {
        "\(arguments.place(name)) \(arguments[name] ?? "")"
    }

    private static var user: String {
        getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? String(geteuid())
    }

    /// The text of the file that an option names.
    /// - Throws: `UsageError` with the option, the path and the reason of the operating system.
    static func read(_ name: String, _ arguments: Arguments) throws -> String {
        let path = try arguments.required(name)
        guard access(path, R_OK) == 0 else {
            throw arguments.wrong(name, "\(path): \(String(cString: strerror(errno)).lowercased())")
        }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw arguments.wrong(name, "\(path): is no file that can be read")
        }
        // Bytes that are no text are no PEM either, which the parser reports.
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Throws: `UsageError` where the authorities to trust cannot be read by the user as which this program acts.
    static func requireAuthorities(_ arguments: Arguments) throws {
        let path = try arguments.required("ca-file")
        if access(path, R_OK) != 0, errno == EACCES {
            throw arguments.wrong(
                "ca-file",
                """
                \(path): permission denied
                On the folder of \(user) this program acts as \(user), also when root starts it: put the file where \(user) can read it
                """)
        }
        guard try read("ca-file", arguments).contains("BEGIN CERTIFICATE") else {
            throw arguments.wrong("ca-file", "holds no certificate (PEM)")
        }
    }

    /// A folder of backups that cannot be written is reported at once, not in a month.
    /// - Throws: `StartError` with the option, the path and the reason of the operating system.
    static func requireBackups(_ settings: Settings, _ arguments: Arguments) throws {
        guard settings.backupDays > 0 else { return }
        let path = settings.backupPath
        let place = arguments.has("backups") ? arguments.place("backups") + " " : ""
        do {
            try DataAccess.makeFolder(path, settings)
        } catch let error as StartError {
            let isReadOnly = error.description.hasSuffix(words(EROFS))
            throw StartError("\(place)\(error)\(isReadOnly ? readOnly(path) : "")")
        }
        guard access(path, R_OK | W_OK | X_OK) != 0 else { return }
        let reason = errno
        let fault = "\(place)\(path): \(words(reason))"
        if reason == EROFS { throw StartError(fault + readOnly(path)) }
        throw StartError(
            """
            \(fault)
            Backups go there, and \(user) may not write into it: give it the folder (chown \(user) \(path)), or name \
            another one with --backups
            """)
    }

    private static func words(_ reason: Int32) -> String { String(cString: strerror(reason)).lowercased() }

    /// No right of a user helps against a unit that makes the rest of the system read-only.
    private static func readOnly(_ path: String) -> String {
        """

        Backups go there. Under a unit with ProtectSystem=strict, as ours, name the folder in it: systemctl edit intersession, \
        and in [Service]: ReadWritePaths=\(path). Where the disk itself is mounted read-only, mount it for writing
        """
    }

    /// Connections need open files; the limit that a program may raise is raised, this one is its operator's.
    static func tellFewFiles() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_max < 1024
        else {
            return
        }
        let facts = [
            ("limit", String(limit.rlim_max)), ("wanted", "1024"), ("setting", "LimitNOFILE, ulimit -Hn"),
        ]
        Log.standardError.line("warning", "open files are limited", facts, at: Clock.system.now)
    }

    /// Told at the start: elsewhere this address often means IPv4 as well.
    static func note(address: String) {
        var six = in6_addr()
        guard inet_pton(AF_INET6, address, &six) == 1,
            withUnsafeBytes(of: six, { $0.allSatisfy { $0 == 0 } })
        else { return }
        let facts = [("setting", "--address \(address)"), ("wanted", "0.0.0.0 for IPv4")]
        Log.standardError.line("warning", "clients of IPv4 are refused", facts, at: Clock.system.now)
    }

    /// Told at the start: programs take such a certificate, browsers do not.
    static func note(key: String) {
        guard TLSKey.isEd25519(key) else { return }
        let facts = [("setting", "--tls-certificate"), ("wanted", "a certificate of P-256 or RSA")]
        Log.standardError.line(
            "warning", "no browser takes a certificate of Ed25519", facts, at: Clock.system.now)
    }
}
