import Foundation
import Programs
import Testing

/// FD-34: what keeps the program from starting is said in a sentence of its own, with what was set and where.
@Suite(.serialized) struct StartReasonTests {
    let portal = RunningPortal()

    private func file(_ name: String, _ text: String) throws -> String {
        let path = portal.data + "-" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func clear(_ paths: String...) {
        for path in paths { try? FileManager.default.removeItem(atPath: path) }
    }

    private func start(
        _ options: [String], _ environment: [String: String] = [:]
    ) throws -> RunningPortal.Outcome {
        let setting = environment.map { "\($0)=\($1)" }
        let outcome = try portal.run(
            ["serve"] + options, behind: setting.isEmpty ? [] : ["/usr/bin/env"] + setting)
        #expect(outcome.output.isEmpty, "\(outcome)")
        return outcome
    }

    @Test func `FD-34 a port that is taken is named with its setting and not with the certificate`() throws {
        try portal.serve()
        let port = String(portal.address.split(separator: ":").last ?? "")
        let other = RunningPortal()
        let flag = try other.run(["serve", "--port", port])
        #expect(flag.status == 1 && flag.error.contains("--port \(port): another program"), "\(flag)")
        let words = ["/usr/bin/env", "INTERSESSION_PORT=\(port)"]
        let variable = try other.run(["serve"], behind: words)
        #expect(variable.error.contains("INTERSESSION_PORT \(port): another program"), "\(variable)")
    }

    @Test func `FD-34 an address of another machine is named as such`() throws {
        let outcome = try start(["--address", "192.0.2.1", "--port", "0", "--outbox"])
        #expect(
            outcome.status == 1 && outcome.error.contains("--address 192.0.2.1: this machine has no address"),
            "\(outcome)")
    }

    @Test func `FD-34 a certificate or key that is none is named with its file`() throws {
        let none = try file("none.pem", "no certificate")
        let certificate = try file(
            "cert.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
        let key = try file("key.pem", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
        defer { clear(none, certificate, key) }
        let tls = { (certificate: String, key: String) in
            try start(["--port", "0", "--tls-certificate", certificate, "--tls-key", key])
        }
        let first = try tls(none, key)
        #expect(first.status == 1)
        #expect(first.error.contains("--tls-certificate \(none): the certificate is none"), "\(first)")
        let second = try tls(certificate, none)
        #expect(second.error.contains("--tls-key \(none): the key is none"), "\(second)")
        #expect(try tls(certificate, key).error.contains("do not belong together, or are damaged"))
        let missing = try tls(none + "x", key)
        #expect(
            missing.error.contains("--tls-certificate \(none)x: no such file or directory"), "\(missing)")
        let half = try start(["--port", "0"], ["INTERSESSION_TLS_KEY": key])
        #expect(
            half.status == 2 && half.error.contains("INTERSESSION_TLS_KEY is set without --tls-certificate"))
    }

    @Test func `RP-209 authorities that are none, or not there, are named with their setting`() throws {
        let none = try file("authorities.pem", "no certificate")
        defer { clear(none) }
        let empty = try start(["--port", "0", "--ca-file", none])
        #expect(empty.status == 2 && empty.error.contains("--ca-file holds no certificate (PEM)"), "\(empty)")
        let variable = try start(["--port", "0"], ["INTERSESSION_CA_FILE": none + "x"])
        #expect(variable.status == 2, "\(variable)")
        #expect(
            variable.error.contains("INTERSESSION_CA_FILE \(none)x: no such file or directory"),
            "\(variable)")
    }

    @Test func `FD-34 a folder of backups without the right to write is told at the start`() throws {
        // Root may do everything; a file in its place is no folder even for root.
        let path = try file("backups", "no folder")
        defer { clear(path) }
        let flag = try start(["--port", "0", "--backups", path])
        #expect(flag.status == 1 && flag.error.contains("--backups \(path): "), "\(flag)")
        let variable = try start(["--port", "0"], ["INTERSESSION_BACKUPS": path + "/inside"])
        #expect(variable.error.contains("INTERSESSION_BACKUPS \(path)/inside: "), "\(variable)")
        guard getuid() == 0 else { return }
        clear(path)
        let closed = FileManager.default
        try closed.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let other = RunningPortal()
        try closed.createDirectory(atPath: other.data, withIntermediateDirectories: true)
        try closed.setAttributes([.posixPermissions: 0o777], ofItemAtPath: other.data)
        let outcome = try other.run(["serve", "--port", "0", "--backups", path], as: Stranger())
        #expect(outcome.status == 1)
        #expect(outcome.error.contains("--backups \(path): permission denied"), "\(outcome)")
        #expect(outcome.error.contains("Backups go there"))
    }

    @Test func `FD-34 a variable with a slip in its name is refused, with the one that is meant`() throws {
        let outcome = try start(["--port", "0"], ["INTERSESSION_SMPT_URL": "smtp://ada:secret@example.org"])
        #expect(outcome.status == 2)
        #expect(
            outcome.error.contains(
                "INTERSESSION_SMPT_URL is set in the environment, and there is no such setting; is INTERSESSION_SMTP_URL meant?"
            ), "\(outcome)")
        #expect(!outcome.error.contains("secret"))
        let other = try start(["--port", "0"], ["INTERSESSION_COLOUR": "red"])
        #expect(other.status == 2 && other.error.contains("INTERSESSION_COLOUR"))
        #expect(!other.error.contains("is meant"))
        // What was set in the environment is named as such, not as a flag.
        let wrong = try start([], ["INTERSESSION_PORT": "eighty"])
        #expect(wrong.status == 2 && wrong.error.contains("INTERSESSION_PORT wants a number"), "\(wrong)")
    }

    /// Whether tests may mount what is read-only for them alone.
    private static let mayMount: Bool = {
        let process = Program()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = ["--mount", "/bin/sh", "-c", "mount -t tmpfs -o ro none /mnt"]
        process.standardError = FileHandle.nullDevice
        try? process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    @Test(.enabled(if: mayMount))
    func `RP-225 a folder of backups that the unit makes read-only names ReadWritePaths`() throws {
        let mount = [
            "/usr/bin/unshare", "--mount", "/bin/sh", "-c",
            "mount -t tmpfs -o ro none /mnt && exec \"$0\" \"$@\"",
        ]
        for path in ["/mnt", "/mnt/backups"] {
            let outcome = try portal.run(["serve", "--port", "0", "--backups", path], behind: mount)
            #expect(outcome.status == 1, "\(outcome)")
            #expect(outcome.error.contains("--backups \(path): read-only file system"), "\(outcome)")
            #expect(outcome.error.contains("ReadWritePaths=\(path)."), "\(outcome)")
            #expect(!outcome.error.contains("chown"), "\(outcome)")
        }
    }

    @Test func `RP-225 a hard limit of open files that is low is told at the start`() throws {
        let limit = { (number: Int) in
            ["/bin/sh", "-c", "ulimit -n \(number); exec \"$0\" \"$@\""]
        }
        // The address of another machine ends the start.
        let words = ["serve", "--address", "192.0.2.1", "--port", "0", "--outbox"]
        let low = try portal.run(words, behind: limit(512))
        #expect(low.error.contains(#""event":"open files are limited""#), "\(low)")
        #expect(low.error.contains(#""limit":"512""#), "\(low)")
        let enough = try portal.run(words, behind: limit(1024))
        #expect(!enough.error.contains("open files are limited"), "\(enough)")
    }

    private static let hasIPv6: Bool = {
        let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
            }
        }
    }()

    @Test(.enabled(if: hasIPv6), arguments: ["::", "0:0::0"])
    func `--address :: refuses IPv4, and says so`(address: String) throws {
        let log = portal.data + "-log"
        defer { try? FileManager.default.removeItem(atPath: log) }
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        try portal.serve(["--address", address, "--outbox"], log: log)
        let port = portal.address.split(separator: ":").last ?? ""
        let ask = { (host: String) in
            try RunningPortal.shell("curl -s -o /dev/null -w '%{http_code}' http://\(host):\(port)/livez")
        }
        #expect(try ask("[::1]") == "200" && ask("127.0.0.1") == "000")
        let said = try String(contentsOfFile: log, encoding: .utf8)
        #expect(said.contains(#""event":"clients of IPv4 are refused""#), "\(said)")
        #expect(said.contains("0.0.0.0 for IPv4"), "\(said)")
    }
}
