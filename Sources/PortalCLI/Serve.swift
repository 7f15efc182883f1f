import Database
import Foundation
import HTTP
import Outbound
import Portal
import Records

/// Migrates, then serves portal and API until SIGTERM.
enum Serve: Command {
    static let name = "serve"
    static let summary = "Serves the portal and the API"
    static let options = [
        Option.data, Option.database,
        Option("port", "N", "the port (default 8080; 0 takes a free one)"),
        Option("address", "IP", "the address to listen on (default 127.0.0.1; :: is IPv6 alone)"),
        Option("public-url", "URL", "what links begin with (default the address listened on)"),
        Option("tls-certificate", "FILE", "certificate chain, PEM; TLS 1.2 and 1.3"),
        Option("tls-key", "FILE", "its key, PEM"),
        Option("smtp-url", "URL", "where email is sent to: smtp://user:password@host:587"),
        Option("mail-from", "ADDRESS", "whom email comes from (default noreply at the public host)"),
        Option("outbox", nil, "email into files of the data folder is what is meant"),
        Option(
            "push-host", "HOST[:PORT]",
            "a push relay in your own network (repeatable; others have to be public)"),
        Option("ca-file", "FILE", "authorities trusted besides the system's for what goes out, PEM"),
        Option(
            "backups", "DIR", "where daily backups go (default backups/ in the data folder)", kind: .folder),
        Option("backup-days", "N", "how long they are kept, 1 to 35 (default 30; 0 makes none)"),
        Option(
            "second-factor", "WORD",
            "required (default): all staff set one up; optional: only who has is asked"),
        Option("timezone", "ZONE", "the clinic's zone (default the one set in the portal)"),
        Option("requests-per-minute", "N", "for each token (default 300; 0 for no limits)"),
        Option(
            "trusted-proxy", "IP[/BITS]",
            "whose X-Forwarded-For is believed: an address or a network (repeatable)"),
        Option(
            "new-clinic", nil,
            "begins anew, once, where the database is lost; the old keys are laid aside, nothing is deleted"),
        Option("clock", "FILE", "for simulations: tells the time; on loopback addresses only"),
        Option.resources,
    ]

    static func run(_ arguments: Arguments) throws {
        // A closed reader, or a log at its limit, is an error of that write only.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        guard arguments.operands.isEmpty else { throw UsageError("serve takes no operands") }
        var settings = try settings(arguments)
        let server = try serverSettings(arguments)
        try refuseForgottenMail(arguments, server)
        if settings.clockFile != nil, !isLocal(server) || settings.publicURL != nil {
            throw arguments.wrong("clock", "is for simulations on loopback addresses")
        }
        if settings.server != nil { settings.programLock = .shared }
        let lock = try FolderLock.takeToServe(settings)
        // As the owner of the folder from here on: by that user it is opened for every connection.
        if settings.caFile != nil { try StartReasons.requireAuthorities(arguments) }
        try StartReasons.requireBackups(settings, arguments)
        let signals = StopSignals()
        StartReasons.tellFewFiles()
        let app = try StartReasons.named(arguments, server) { try App(settings, server) }
        lock.share()
        Output.ready("listening on \(app.address)")
        signals.wait()
        app.stop()
    }

    private static func settings(_ arguments: Arguments) throws -> Settings {
        var settings = try arguments.settings()
        settings.publicURL = try PublicURL.read(arguments)
        if settings.publicURL == nil, arguments.has("tls-certificate") {
            // Cookies are Secure as soon as the server itself speaks TLS.
            settings.speaksTLS = true
        }
        settings.timezone = try arguments.timezone()
        if let text = arguments["requests-per-minute"] {
            guard let number = Int(text), number >= 0 else {
                throw arguments.wrong("requests-per-minute", "wants a number")
            }
            settings.requestsPerMinute = number
        }
        settings.trustedProxies = try trustedProxies(arguments)
        if let word = arguments["second-factor"] {
            guard let rule = SecondFactorRule(rawValue: word) else {
                throw arguments.wrong("second-factor", "is required or optional")
            }
            settings.secondFactor = rule
        }
        if let url = arguments["smtp-url"] {
            // Not shown: it holds a password.
            guard Settings.isRelay(url) else {
                throw arguments.wrong("smtp-url", "wants something like smtp://user:password@host:587")
            }
            settings.smtpURL = url
        }
        settings.pushHosts = arguments.all("push-host")
        for host in settings.pushHosts where !Settings.isPushHost(host) {
            throw arguments.wrong("push-host", "wants a host, or a host and a port: \(host)")
        }
        settings.caFile = arguments["ca-file"]
        settings.clockFile = arguments["clock"]
        settings.backups = arguments["backups"]
        settings.beginsAnew = arguments.has("new-clinic")
        if let text = arguments["backup-days"] {
            guard let days = Int(text), (0...35).contains(days) else {
                throw arguments.wrong("backup-days", "wants a number from 0 to 35")
            }
            settings.backupDays = days
        }
        settings.sender = try arguments["mail-from"].map { try sender($0, arguments) }
        return settings
    }

    private static func trustedProxies(_ arguments: Arguments) throws -> [AddressRange] {
        try arguments.all("trusted-proxy").flatMap { $0.split { $0 == "," || $0 == " " } }.map { text in
            guard let range = AddressRange(String(text)) else {
                throw arguments.wrong(
                    "trusted-proxy",
                    "wants addresses or networks, as 10.0.0.5 or 172.18.0.0/16, and not every address: \(text)"
                )
            }
            return range
        }
    }

    private static func isAddress(_ text: String) -> Bool {
        var four = in_addr()
        var six = in6_addr()
        return inet_pton(AF_INET, text, &four) == 1 || inet_pton(AF_INET6, text, &six) == 1
    }

    private static func sender(_ address: String, _ arguments: Arguments) throws -> String {
        let isPlain = address.unicodeScalars.allSatisfy {
            $0.value > 0x20 && $0.value < 0x7f && !"<>\"".unicodeScalars.contains($0)
        }
        guard isPlain, address.split(separator: "@").count == 2 else {
            throw arguments.wrong("mail-from", "wants an address")
        }
        return address
    }

    private static func serverSettings(_ arguments: Arguments) throws -> ServerSettings {
        var settings = ServerSettings()
        if let text = arguments["port"] {
            guard let port = UInt16(text) else { throw arguments.wrong("port", "wants a number up to 65535") }
            settings.port = port
        }
        if let address = arguments["address"] {
            guard isAddress(address) else { throw arguments.wrong("address", "wants an IP address") }
            StartReasons.note(address: address)
            settings.address = address
        }
        switch (arguments["tls-certificate"], arguments["tls-key"]) {
        case (_?, _?):
            let key = try StartReasons.read("tls-key", arguments)
            StartReasons.note(key: key)
            settings.tls = (try StartReasons.read("tls-certificate", arguments), key)
        case (nil, nil): break
        case (_?, nil):
            throw arguments.wrong("tls-certificate", "is set without --tls-key: they belong together")
        case (nil, _?):
            throw arguments.wrong("tls-key", "is set without --tls-certificate: they belong together")
        }
        return settings
    }

    private static func isLocal(_ server: ServerSettings) -> Bool {
        server.address.hasPrefix("127.") || server.address == "::1"
    }

    /// Refuses mail to a folder where it would be overlooked.
    private static func refuseForgottenMail(_ arguments: Arguments, _ server: ServerSettings) throws {
        if arguments.has("smtp-url") { return }
        guard !arguments.has("outbox"), !isLocal(server) || arguments.has("public-url") else { return }
        throw UsageError(
            "an address that others reach needs --smtp-url, or --outbox if email in files is meant")
    }
}
