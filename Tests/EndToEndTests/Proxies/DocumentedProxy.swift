import Foundation
import Programs
import Testing

/// A proxy of Debian before a portal, with the block of `docs/operating.md` as it stands: addresses and certificates alone are put in.
/// What surrounds the block is as Debian ships it, with compression of answers.
final class DocumentedProxy {
    enum Kind: String, CaseIterable {
        case nginx, caddy, apache

        var program: String {
            switch self {
            case .nginx: "/usr/sbin/nginx"
            case .caddy: "/usr/bin/caddy"
            case .apache: "/usr/sbin/apache2"
            }
        }

        var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }
    }

    let port: UInt16
    var address: String { "https://127.0.0.1:\(port)" }
    private let kind: Kind
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "proxy-\(UUID().uuidString)"
    ).path
    private let process = Program()

    init(_ kind: Kind) throws {
        self.kind = kind
        port = try RunningPortal.freePort()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Starts it before a portal, and returns once it answers.
    /// - Parameter portal: its address, as `http://127.0.0.1:8080`.
    func start(before portal: String) throws {
        let made = try RunningPortal.shell(
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout \(folder)/key.pem -out \(folder)/cert.pem -days 2 -subj /CN=127.0.0.1 2>&1 && echo made"
        )
        try #require(made.hasSuffix("made\n"), "\(made)")
        let upstream = portal.replacing("http://", with: "")
        let block = try Self.block(kind).replacing("127.0.0.1:8080", with: upstream)
            .replacing("portal.example.org", with: address)
        let file = folder + "/configuration"
        try surrounded(block).write(toFile: file, atomically: false, encoding: .utf8)
        let words =
            switch kind {
            case .nginx: ["-p", folder, "-c", file, "-e", "stderr"]
            case .caddy: ["run", "--config", file, "--adapter", "caddyfile"]
            case .apache: ["-d", folder, "-f", file, "-DFOREGROUND"]
            }
        _ = FileManager.default.createFile(atPath: folder + "/log", contents: nil)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["HOME=\(folder)", "XDG_DATA_HOME=\(folder)", "XDG_CONFIG_HOME=\(folder)", kind.program] + words
        process.standardError = FileHandle(forWritingAtPath: folder + "/log")
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        for _ in 0..<300 where process.isRunning {
            if try RunningPortal.shell("curl -sk \(address)/livez") != "" { return }
            usleep(100_000)
        }
        let log = try String(contentsOfFile: folder + "/log", encoding: .utf8)
        Issue.record("\(kind) does not answer: \(log)")
        throw CocoaError(.fileReadUnknown)
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    /// The block of the manual that begins with the proxy's name.
    static func block(_ kind: Kind) throws -> String {
        let manual = try String(contentsOfFile: RunningPortal.root + "/docs/operating.md", encoding: .utf8)
        let blocks = manual.components(separatedBy: "```").map {
            $0.split(separator: "\n", omittingEmptySubsequences: false)
        }
        // The first line is the name of the language, or nothing.
        let block = blocks.first { $0.count > 1 && $0[1].lowercased().hasPrefix("# \(kind.rawValue)") }
        return try #require(block, "no block of \(kind.rawValue)").dropFirst().joined(separator: "\n")
    }

    private func surrounded(_ block: String) -> String {
        switch kind {
        case .nginx:
            """
            daemon off;
            user root;
            pid \(folder)/pid;
            events {}
            http {
                access_log off;
                client_body_temp_path \(folder)/bodies;
                proxy_temp_path \(folder)/answers;
                gzip on;
                gzip_types application/json;
                gzip_proxied any;
                server {
                    listen 127.0.0.1:\(port) ssl;
                    ssl_certificate \(folder)/cert.pem;
                    ssl_certificate_key \(folder)/key.pem;
                    \(block)
                }
            }
            """
        case .caddy:
            """
            {
            \tadmin off
            \tauto_https disable_redirects
            \tskip_install_trust
            }
            \(block)
            """
        case .apache:
            """
            \(["mpm_event", "authz_core", "ssl", "proxy", "proxy_http", "alias", "filter", "deflate", "reqtimeout"].map {
                "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so"
            }.joined(separator: "\n"))
            DefaultRuntimeDir \(folder)
            PidFile \(folder)/pid
            ErrorLog \(folder)/log
            User #65534
            Group #65534
            ServerName 127.0.0.1
            Listen 127.0.0.1:\(port)
            AddOutputFilterByType DEFLATE application/json
            RequestReadTimeout header=20-40,minrate=500 body=10,minrate=500
            <VirtualHost 127.0.0.1:\(port)>
            SSLEngine on
            SSLCertificateFile \(folder)/cert.pem
            SSLCertificateKeyFile \(folder)/key.pem
            \(block)
            </VirtualHost>
            """
        }
    }
}
