import Foundation
import Testing

/// RP-6, RP-20, RP-27: the documented blocks as they stand, before a portal, with curl.
@Suite(.serialized) struct ProxySlowTests {
    let portal = RunningPortal()

    @Test(.enabled(if: DocumentedProxy.Kind.nginx.isInstalled, "not installed: bin/setup proxies"))
    func `RP-6 the documented block of nginx takes the largest of every kind`() async throws {
        try await live(behind: .nginx)
    }

    @Test(.enabled(if: DocumentedProxy.Kind.caddy.isInstalled, "not installed: bin/setup proxies"))
    func `RP-6 the documented block of Caddy takes the largest of every kind`() async throws {
        try await live(behind: .caddy)
    }

    @Test(.enabled(if: DocumentedProxy.Kind.apache.isInstalled, "not installed: bin/setup proxies"))
    func `RP-6 the documented block of Apache takes the largest of every kind`() async throws {
        try await live(behind: .apache)
    }

    private func live(behind kind: DocumentedProxy.Kind) async throws {
        let made = try portal.run(
            ["account", "create", "--email", "lea@example.org", "--name", "Lea", "--role", "lead"],
            input: Self.password + "\n")
        #expect(made.status == 0, "\(made.error)")
        let proxy = try DocumentedProxy(kind)
        try portal.serve(["--public-url", proxy.address, "--trusted-proxy", "127.0.0.1", "--outbox"])
        try proxy.start(before: portal.address)
        defer { proxy.stop() }
        let files = try LargestFiles()
        defer { files.remove() }
        let visitor = try Visitor(proxy.address, portal)
        defer { visitor.leave() }
        try addresses(visitor)
        let before = try peak()
        try limits(visitor, files)
        // What is thrown away is kept nowhere: four bodies of 202 MB are among it.
        #expect(try peak() - before < 100_000)
        let sound = try sounds(visitor, files)
        try tags(visitor, of: sound, isCompressed: kind != .caddy)
    }

    static let password = "vier Wörter ohne Sinn"

    // MARK: Sizes

    private struct Body {
        let path: String
        /// Of the program, in bytes.
        let limit: Int
        let words: String
    }

    /// Each kind of body with its limit.
    private static func bodies(_ visitor: Visitor) -> [Body] {
        let token = "-H 'Authorization: Bearer \(visitor.token)'"
        let (json, form) = (
            "-H 'Content-Type: application/json'", "-H 'Content-Type: application/x-www-form-urlencoded'"
        )
        let files = "-H 'Content-Type: multipart/form-data; boundary=b0undary' -b \(visitor.jar)"
        let sound = 200_000_000 + 2_000_000 + 64 * 1024
        return [
            Body(path: "/api/v1/auth/login", limit: 16 * 1024, words: json),
            Body(path: "/api/v1/questionnaires", limit: 64 * 1024, words: json),
            Body(path: "/api/v1/questionnaires", limit: 1024 * 1024, words: "\(json) \(token)"),
            Body(path: "/login", limit: 16 * 1024, words: form),
            Body(path: "/login", limit: 256 * 1024, words: "\(form) -b \(visitor.jar)"),
            Body(path: "/questionnaires/import", limit: (1024 + 64) * 1024, words: files),
            Body(path: "/studies/new", limit: (1024 + 64) * 1024, words: files),
            Body(path: "/sounds/new", limit: sound, words: files),
            Body(
                path: "/api/v1/sounds", limit: sound,
                words: "-H 'Content-Type: multipart/form-data; boundary=b0undary' \(token)"),
        ]
    }

    private func limits(_ visitor: Visitor, _ files: LargestFiles) throws {
        for body in Self.bodies(visitor) {
            let send = { (size: Int) in
                // Without the question whether it may send, which large bodies begin with.
                try visitor.ask("-H Expect: -X POST -T \(try files.hole(size)) \(body.words)", body.path)
            }
            let largest = try send(body.limit)
            #expect(largest.isOurs && largest.status != 413 && largest.status < 500, "\(body) \(largest)")
            for size in [body.limit + 1, body.limit + min(body.limit, 800_000)] {
                let answer = try send(size)
                #expect(answer.isOurs && answer.status == 413, "\(body) \(size) \(answer)")
            }
            // What the program would not read to its end, the proxy refuses itself.
            let isSound = body.limit > 2_000_000
            let answer = try send(isSound ? 207_000_000 : 3_000_000)
            #expect(!answer.isOurs && answer.status == 413, "\(body) \(answer)")
        }
    }

    /// The most memory that the portal has had, in kB.
    private func peak() throws -> Int {
        let server = try #require(portal.identifier)
        let status = try String(contentsOfFile: "/proc/\(server)/status", encoding: .utf8)
        let line = try #require(status.firstMatch(of: /VmHWM:\s*(\d+)/))
        return Int(line.1) ?? 0
    }

    // MARK: Sounds

    /// The largest sound with the largest picture, over the page and over the call.
    /// - Returns: the path of the sound.
    private func sounds(_ visitor: Visitor, _ files: LargestFiles) throws -> String {
        let both = "-F audio=@\(files.sound) -F picture=@\(files.picture)"
        let page = try visitor.ask(
            "-F form_token=\(try visitor.formToken("/sounds/new")) -b \(visitor.jar) \(both)", "/sounds/new")
        #expect(page.status == 303 && page.isOurs, "\(page)")
        let token = "-H 'Authorization: Bearer \(visitor.token)'"
        let category = try visitor.read(
            "\(token) --json '{\"title\": {\"de\": \"Töne\", \"en\": \"Tones\"}}'", "/api/v1/sound-categories"
        )
        let id = try #require(category.firstMatch(of: /"id":\s*"([0-9a-f-]{36})"/), "\(category)").1
        let sound = try visitor.read(
            "\(token) \(both) -F 'title={\"de\": \"Ton\", \"en\": \"Tone\"}' -F category_id=\(id) -F credits=Lea -F licence=CC0-1.0",
            "/api/v1/sounds")
        let own = try #require(sound.firstMatch(of: /"id":\s*"([0-9a-f-]{36})"/), "\(sound)").1
        return "/api/v1/sounds/\(own)"
    }

    // MARK: Entity tags

    /// RP-20: whatever the proxy makes of the tag of an answer that it compresses, it is known again.
    private func tags(_ visitor: Visitor, of sound: String, isCompressed: Bool) throws {
        let words = "-H 'Authorization: Bearer \(visitor.token)' --compressed"
        let head = try visitor.read("\(words) -D - -o /dev/null", sound)
        #expect(head.lowercased().contains("content-encoding: gzip") == isCompressed, "\(head)")
        let tag = try #require(head.firstMatch(of: /(?im)^etag: (.+)$/)).1
        #expect(tag.hasPrefix("W/") || tag.contains("-gzip") || !isCompressed, "\(tag)")
        #expect(try visitor.ask("\(words) -H 'If-None-Match: \(tag)'", sound).status == 304, "\(tag)")
        let change = "-X PATCH -H 'Content-Type: application/json' -d '{\"credits\": \"Lea B.\"}'"
        #expect(try visitor.ask("\(words) \(change) -H 'If-Match: \(tag)'", sound).status == 200, "\(tag)")
        #expect(try visitor.ask("\(words) \(change) -H 'If-Match: \(tag)'", sound).status == 412, "\(tag)")
    }

    // MARK: Addresses

    /// RP-27: each client counts for itself, whatever it says of itself.
    private func addresses(_ visitor: Visitor) throws {
        let path = "/api/v1/auth/email-available?email=pia@example.org"
        let ask = { (client: String, forged: Int) in
            try visitor.ask("--interface \(client) -H 'X-Forwarded-For: 203.0.113.\(forged)'", path).status
        }
        #expect(try (0..<10).map { try ask("127.0.0.2", $0) } == Array(repeating: 200, count: 10))
        #expect(try ask("127.0.0.2", 11) == 429)
        #expect(try ask("127.0.0.3", 11) == 200)
    }
}

/// A study lead with curl, before a proxy.
private struct Visitor {
    let token: String
    /// Of cookies.
    let jar: String
    private let address: String

    init(_ address: String, _ portal: RunningPortal) throws {
        self.address = address
        jar = portal.data + "-jar"
        let login = #"{"email": "lea@example.org", "password": "\#(ProxySlowTests.password)"}"#
        let answer = try Self.curl("--json '\(login)' \(address)/api/v1/auth/login")
        token = String(try #require(answer.firstMatch(of: /"token":\s*"([^"]+)"/), "\(answer)").1)
        let fields = [
            "form_token=\(try formToken("/login"))", "email=lea@example.org",
            "password=\(ProxySlowTests.password)",
        ].map { "--data-urlencode '\($0)'" }.joined(separator: " ")
        #expect(try ask("-b \(jar) -c \(jar) \(fields)", "/login").status == 303)
    }

    func leave() { try? FileManager.default.removeItem(atPath: jar) }

    /// - Returns: the status, and whether the portal gave it: the proxy knows no numbers of requests.
    func ask(_ words: String, _ path: String) throws -> (status: Int, isOurs: Bool) {
        let form = "'%{http_code} %header{x-request-id}'"
        let answer = try Self.curl("-o /dev/null -w \(form) \(words) '\(address)\(path)'")
        return (Int(answer.prefix(3)) ?? 0, answer.utf8.count > 4)
    }

    func read(_ words: String, _ path: String) throws -> String {
        try Self.curl("\(words) '\(address)\(path)'")
    }

    /// The token of the form on a page.
    func formToken(_ path: String) throws -> String {
        let page = try read("-b \(jar) -c \(jar)", path)
        return String(try #require(page.firstMatch(of: /name="form_token" value="([^"]+)"/), "\(page)").1)
    }

    private static func curl(_ words: String) throws -> String {
        try RunningPortal.shell("curl -sk --max-time 600 \(words)")
    }
}
