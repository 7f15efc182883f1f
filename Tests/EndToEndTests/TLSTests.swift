import Foundation
import Testing

/// RP-18: certificates of today, with clients that are not ours.
@Suite struct TLSTests {
    let portal = RunningPortal()

    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        /// Words for `openssl req`.
        let key: [String]
        /// The one signature that a client of the least kind offers (RFC 8446, 9.1).
        let signature: String

        var testDescription: String { name }
    }

    static let kinds = [
        Kind(
            name: "P-256", key: ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"],
            signature: "ecdsa_secp256r1_sha256"),
        Kind(
            name: "P-384", key: ["ec", "-pkeyopt", "ec_paramgen_curve:P-384"],
            signature: "ecdsa_secp384r1_sha384"),
        Kind(name: "RSA-2048", key: ["rsa:2048"], signature: "rsa_pss_rsae_sha256"),
        Kind(name: "RSA-4096", key: ["rsa:4096"], signature: "rsa_pss_rsae_sha256"),
        Kind(name: "Ed25519", key: ["ed25519"], signature: "ed25519"),
    ]

    @Test(arguments: kinds)
    func `RP-18 a certificate is taken by OpenSSL and GnuTLS over 1.2 and 1.3, and by the least of clients`(
        _ kind: Kind
    ) throws {
        let port = try serve(kind)
        defer { for file in files { try? FileManager.default.removeItem(atPath: file) } }
        let connect = "-connect 127.0.0.1:\(port)"
        for version in ["1_2", "1_3"] {
            #expect(try meets("openssl s_client \(connect) -tls\(version)"), "OpenSSL, \(version)")
            // Installed for the long tests alone (`bin/setup tls`).
            guard FileManager.default.isExecutableFile(atPath: "/usr/bin/gnutls-cli") else { continue }
            let number = version.replacing("_", with: ".")
            #expect(
                try RunningPortal.shell(
                    "echo | gnutls-cli --insecure --port \(port) --priority NORMAL:-VERS-ALL:+VERS-TLS\(number) 127.0.0.1 2>&1"
                ).contains("Handshake was completed"), "GnuTLS, \(version)")
        }
        let least = "-tls1_3 -ciphersuites TLS_AES_128_GCM_SHA256 -groups P-256 -sigalgs \(kind.signature)"
        #expect(try meets("openssl s_client \(connect) \(least)"))
        // Without keys of their own for each connection, or with a cipher that proves nothing, nothing is spoken.
        for cipher in ["AES256-GCM-SHA384", "ECDHE-RSA-AES256-SHA384", "ECDHE-ECDSA-AES128-SHA"] {
            let old = "-tls1_2 -cipher \(cipher):@SECLEVEL=0"
            #expect(try !meets("openssl s_client \(connect) \(old)"), "\(cipher)")
        }
        #expect(try RunningPortal.shell("curl -sk https://127.0.0.1:\(port)/livez") != "")
        let log = try String(contentsOfFile: files[2], encoding: .utf8)
        #expect(log.contains("no browser takes a certificate of Ed25519") == (kind.name == "Ed25519"))
    }

    /// Key, certificate and log.
    private var files: [String] { ["-key.pem", "-cert.pem", "-log"].map { portal.data + $0 } }

    private func serve(_ kind: Kind) throws -> String {
        let made = try RunningPortal.shell(
            "openssl req -x509 -newkey \(kind.key.joined(separator: " ")) -nodes -keyout \(files[0]) -out \(files[1]) -days 2 -subj /CN=127.0.0.1 2>&1 && echo made"
        )
        try #require(made.hasSuffix("made\n"), "\(made)")
        _ = FileManager.default.createFile(atPath: files[2], contents: nil)
        try portal.serve(["--tls-certificate", files[1], "--tls-key", files[0]], log: files[2])
        return String(portal.address.split(separator: ":").last ?? "")
    }

    private func meets(_ client: String) throws -> Bool {
        try RunningPortal.shell("echo | \(client) 2>&1").contains(/Cipher is [^(]/)
    }
}
