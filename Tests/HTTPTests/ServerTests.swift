import Dispatch
import Foundation
import HTTP
import Synchronization
import Testing

/// Answers with what it got, so that a test sees what the server made of the bytes.
final class EchoApplication: Application {
    let seen = Mutex<[String]>([])
    let slowMayGo = DispatchSemaphore(value: 0)
    let slowIsThere = DispatchSemaphore(value: 0)

    func bodyPlan(for head: RequestHead, peer: String) -> BodyPlan { .memory(limit: 1000) }

    func respond(to request: Request) -> Response {
        let line = "\(request.method.rawValue) /\(request.path.joined(separator: "/")) \(request.body.count)"
        seen.withLock { $0.append(line) }
        if request.path == ["slow"] {
            slowIsThere.signal()
            slowMayGo.wait()
        }
        return Response(type: "text/plain", Array("<\(line)>".utf8))
    }

    func refuse(_ head: RequestHead, status: Int) -> Response {
        Response(status: status, type: "text/plain", Array("refused".utf8))
    }
}

@Suite struct ServerTests {
    let application = EchoApplication()

    func withServer(_ change: (inout ServerSettings) -> Void = { _ in }, _ body: (Server) throws -> Void)
        throws
    {
        var settings = ServerSettings()
        settings.port = 0
        change(&settings)
        let server = try Server(settings, application: application)
        defer { server.stop(within: 2) }
        try body(server)
    }

    static let smuggled = "GET /smug HTTP/1.1\r\nHost: x\r\n\r\n"
    static let hostile: [(String, String)] = [
        (
            "CL and TE",
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                + smuggled
        ),
        (
            "two CL",
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 30\r\n\r\nabc" + smuggled
        ),
        (
            "CL twice",
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc" + smuggled
        ),
        (
            "blank before colon",
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\nContent-Length: 3\r\n\r\nabc"
                + smuggled
        ),
        ("unknown coding", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
        (
            "two codings",
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"
        ),
        ("TE in 1.0", "POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        ("folded", "POST / HTTP/1.1\r\nHost: x\r\nX: a\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        ("two hosts", "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n"),
        ("no host", "GET / HTTP/1.1\r\n\r\n"),
        ("blank in target", "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n"),
        ("another scheme", "GET ftp://evil/x HTTP/1.1\r\nHost: x\r\n\r\n"),
        ("a user in an absolute target", "GET http://u@evil/x HTTP/1.1\r\nHost: x\r\n\r\n"),
        ("NUL in target", "GET /a%00b HTTP/1.1\r\nHost: x\r\n\r\n"),
        ("dots", "GET /static/%2e%2e/etc HTTP/1.1\r\nHost: x\r\n\r\n"),
        ("plain dots", "GET /../etc HTTP/1.1\r\nHost: x\r\n\r\n"),
        ("hidden slash", "GET /a%2fb HTTP/1.1\r\nHost: x\r\n\r\n"),
        ("no UTF-8", "GET /a%ff HTTP/1.1\r\nHost: x\r\n\r\n"),
        ("bad chunk", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n"),
        ("70 fields", "GET / HTTP/1.1\r\nHost: x\r\n" + (0..<70).map { "X\($0): 1\r\n" }.joined() + "\r\n"),
    ]

    @Test(arguments: hostile) func `A4 A5 A7 a hostile head gets one 400 and the connection ends`(
        name: String, bytes: String
    ) throws {
        try withServer { server in
            let client = try RawClient(port: server.port)
            client.send(bytes)
            let answer = client.readAll()
            #expect(RawClient.statuses(in: answer.text) == [400], "\(name)")
            #expect(answer.isClosed, "\(name)")
            #expect(application.seen.withLock { $0 } == [], "\(name)")
        }
    }

    /// Answered by libmicrohttpd itself, which in 0.9.75 writes the head of such an answer twice.
    @Test(arguments: ["+3", "-1", "3, 3", "0x3"]) func `A5 a length that is no number ends the connection`(
        length: String
    ) throws {
        try withServer { server in
            let client = try RawClient(port: server.port)
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(length)\r\n\r\nabc" + Self.smuggled)
            let answer = client.readAll()
            #expect(Set(RawClient.statuses(in: answer.text)) == [400])
            #expect(answer.isClosed)
            #expect(application.seen.withLock { $0 } == [])
        }
    }

    @Test(arguments: ["TRACE", "CONNECT", "OPTIONS", "FOO", "get"])
    func `A6 an unknown method is 405`(method: String) throws {
        try withServer { server in
            let client = try RawClient(port: server.port)
            client.send("\(method) / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(RawClient.statuses(in: client.readAll().text) == [405])
        }
    }

    @Test func `A8 heads of 40 kB are refused`() throws {
        try withServer { server in
            for (head, status) in [
                ("GET / HTTP/1.1\r\nHost: x\r\nX: \(String(repeating: "a", count: 40_000))\r\n\r\n", 431),
                ("GET /\(String(repeating: "a", count: 40_000)) HTTP/1.1\r\nHost: x\r\n\r\n", 414),
            ] {
                let client = try RawClient(port: server.port)
                client.send(head)
                #expect(RawClient.statuses(in: client.readAll().text) == [status])
            }
        }
    }

    @Test func `A9 a head that trickles in is cut off`() throws {
        try withServer({ $0.headSeconds = 1 }) { server in
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: x\r\n")
            let begin = DispatchTime.now().uptimeNanoseconds
            var isClosed = false
            while !isClosed && DispatchTime.now().uptimeNanoseconds < begin + 20_000_000_000 {
                client.send("X: 1\r\n")
                isClosed = client.readAll(seconds: 1).isClosed
            }
            #expect(isClosed)
        }
    }

    @Test(arguments: [900, 2000])
    func `RP-6 a body that trickles in is cut off, and so is one that is thrown away`(size: Int) throws {
        try withServer({ $0.bodySeconds = 1 }) { server in
            let client = try RawClient(port: server.port)
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(size)\r\n\r\n")
            let begin = DispatchTime.now().uptimeNanoseconds
            var isClosed = false
            while !isClosed && DispatchTime.now().uptimeNanoseconds < begin + 20_000_000_000 {
                client.send("a")
                isClosed = client.readAll(seconds: 1).isClosed
            }
            #expect(isClosed)
            #expect(application.seen.withLock { $0 } == [])
        }
    }

    @Test func `requests on one connection are answered in their order`() throws {
        try withServer { server in
            let client = try RawClient(port: server.port)
            client.send(
                "GET /a HTTP/1.1\r\nHost: x\r\n\r\nPOST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi"
            )
            client.send(
                "HEAD /c HTTP/1.1\r\nHost: x\r\n\r\nGET /d HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            let text = client.readAll().text
            #expect(RawClient.statuses(in: text) == [200, 200, 200, 200])
            #expect(
                text.contains("<GET /a 0>") && text.contains("<POST /b 2>") && text.contains("<GET /d 0>"))
            #expect(!text.contains("<HEAD"))
        }
    }

    @Test func `a slow handler delays no other connection`() throws {
        try withServer { server in
            let slow = try RawClient(port: server.port)
            slow.send("GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            application.slowIsThere.wait()
            for _ in 0..<20 {
                let fast = try RawClient(port: server.port)
                fast.send("GET /fast HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                #expect(fast.readAll().text.contains("<GET /fast 0>"))
            }
            application.slowMayGo.signal()
            #expect(slow.readAll().text.contains("<GET /slow 0>"))
        }
    }

    @Test func `stopping lets the request under way finish`() throws {
        var settings = ServerSettings()
        settings.port = 0
        let server = try Server(settings, application: application)
        let client = try RawClient(port: server.port)
        client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        application.slowIsThere.wait()
        let stopped = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            server.stop(within: 5)
            stopped.signal()
        }
        #expect(stopped.wait(timeout: .now() + 0.3) == .timedOut)
        application.slowMayGo.signal()
        let answer = client.readAll()
        #expect(answer.text.contains("<GET /slow 0>"))
        #expect(answer.isClosed)
        #expect(stopped.wait(timeout: .now() + 8) == .success)
        #expect(throws: (any Error).self) { try RawClient(port: server.port) }
    }

    @Test func `a taken port and a bad address are reported`() throws {
        try withServer { server in
            var settings = ServerSettings()
            settings.port = server.port
            #expect(throws: ServerError.self) { try Server(settings, application: application) }
            settings.address = "localhost"
            #expect(throws: ServerError.self) { try Server(settings, application: application) }
        }
    }

    /// Asks every tenth of a second for as long as `crowd` runs on another thread.
    /// - Returns: how long each answer took; infinite for none.
    func probed(_ server: Server, while crowd: @escaping @Sendable () -> Void) -> [Double] {
        let isOver = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            crowd()
            isOver.signal()
        }
        var waits: [Double] = []
        repeat {
            let begin = DispatchTime.now()
            let client = try? RawClient(port: server.port)
            client?.send("GET /probe HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            let isAnswered = client?.readAll(seconds: 5).text.contains("<GET /probe 0>") == true
            let passed = Double(DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds) / 1e9
            waits.append(isAnswered ? passed : .infinity)
        } while isOver.wait(timeout: .now() + 0.1) == .timedOut
        return waits
    }

    /// 2,200 of them beside the 1,200 that the server takes, and those that follow for as long as it is tried.
    @Test(arguments: ["", "GET / HTTP/1.1\r\nHost: x\r\nX: "])
    func `connections that say nothing, or half a head, give way to those that do`(said: String) throws {
        try RawClient.allow(descriptors: 8_000)
        try withServer { server in
            let waits = probed(server) { [port = server.port] in
                var crowd: [RawClient] = []
                for _ in 0..<2_200 {
                    guard let client = try? RawClient(port: port) else { continue }
                    client.send(said)
                    crowd.append(client)
                }
                Thread.sleep(forTimeInterval: 2)
            }
            #expect(waits.count > 5)
            #expect(waits.allSatisfy { $0 < 3 }, "\(waits)")
        }
    }

    @Test func `whoever is being answered or sends a body does not give way`() throws {
        try withServer({ $0.connectionLimit = 4 }) { server in
            let slow = try RawClient(port: server.port)
            slow.send("GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            application.slowIsThere.wait()
            let sending = try RawClient(port: server.port)
            let head = "POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nConnection: close\r\n"
            sending.send(head + "Expect: 100-continue\r\n\r\n")
            // Until then the head may not have been read, and a connection with half a head may be closed.
            #expect(sending.readAll(until: "100 Continue").isClosed == false)
            sending.send("ab")
            // Kept alive: it gives way after those that never asked for anything.
            let kept = try RawClient(port: server.port)
            kept.send("GET /kept HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(kept.readAll(until: "<GET /kept 0>").text.contains("<GET /kept 0>"))
            var silent: [RawClient] = []
            for _ in 0..<20 { silent.append(try RawClient(port: server.port)) }
            #expect(silent[0].readAll().isClosed)
            kept.send("GET /again HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(kept.readAll().text.contains("<GET /again 0>"))
            sending.send("cd")
            #expect(sending.readAll().text.contains("<POST /body 4>"))
            application.slowMayGo.signal()
            #expect(slow.readAll().text.contains("<GET /slow 0>"))
        }
    }
}
