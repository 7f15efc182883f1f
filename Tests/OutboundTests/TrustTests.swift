import Foundation
import Programs
import Testing

@testable import Outbound

/// A server with TLS whose certificate an authority of its own has signed.
final class TrustedServer {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    private(set) var port = 0
    private var server: Program?

    var authority: String { folder.appendingPathComponent("ca.pem").path }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        let subject = ["-subj", "/CN=authority"]
        try openssl(["req", "-x509"] + key + ["-keyout", "ca.key", "-out", "ca.pem"] + subject)
        try openssl(["req"] + key + ["-keyout", "own.key", "-out", "own.csr", "-subj", "/CN=localhost"])
        try Data("subjectAltName=DNS:localhost".utf8).write(to: folder.appendingPathComponent("names"))
        try openssl([
            "x509", "-req", "-in", "own.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
            "-extfile", "names", "-out", "own.pem",
        ])
        let output = Pipe()
        // It says which port it was given.
        let server = try start(
            ["s_server", "-accept", "127.0.0.1:0", "-cert", "own.pem", "-key", "own.key", "-WWW"], output)
        self.server = server
        var said = ""
        while !said.contains(/ACCEPT \S+:(\d+)/) {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { throw POSIXError(.EIO) }
            said += String(decoding: more, as: UTF8.self)
        }
        port = said.firstMatch(of: /ACCEPT \S+:(\d+)/).flatMap { Int($0.1) } ?? 0
    }

    private func start(_ arguments: [String], _ output: Pipe) throws -> Program {
        let process = Program()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return process
    }

    private func openssl(_ arguments: [String]) throws {
        let process = try start(arguments, Pipe())
        process.waitUntilExit()
        if process.terminationStatus != 0 { throw POSIXError(.EIO) }
    }

    func stop() {
        if let server {
            server.terminate()
            server.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: folder)
    }
}

struct TrustTests {
    private func kind(
        _ server: TrustedServer, _ host: String, _ caFile: String?
    ) throws -> OutboundError.Kind? {
        let listed = try #require(ListedHost("\(host):\(server.port)"))
        let client = OutboundClient(.publicAddresses(listed: [listed]), caFile: caFile)
        let request = OutboundRequest(method: "GET", url: "https://\(host):\(server.port)/names")
        do {
            _ = try client.send(request)
            return nil
        } catch { return error.kind }
    }

    @Test func `a certificate holds by an authority that is given, and for its own name alone`() throws {
        let server = try TrustedServer()
        defer { server.stop() }
        #expect(try kind(server, "localhost", server.authority) == nil)
        #expect(try kind(server, "localhost", nil) == .tls)
        #expect(try kind(server, "127.0.0.1", server.authority) == .tls)
        #expect(try kind(server, "localhost", server.folder.appendingPathComponent("own.key").path) == .tls)
    }
}
