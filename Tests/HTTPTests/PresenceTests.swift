import Dispatch
import Foundation
import HTTP
import Testing

/// Works on its answers step by step, and asks between them whether they are waited for.
final class LongApplication: Application {
    let hasBegun = DispatchSemaphore(value: 0)
    /// An answer was not made to its end.
    let isLeft = DispatchSemaphore(value: 0)

    func bodyPlan(for head: RequestHead, peer: String) -> BodyPlan { .memory(limit: 1000) }

    func respond(to request: Request) -> Response {
        hasBegun.signal()
        // Ten seconds of a page, half a second of a change.
        let steps = request.path == ["quick"] ? 1 : request.method.isSafe ? 1_000 : 50
        for _ in 0..<steps {
            do { try request.proveAwaited() } catch {
                isLeft.signal()
                return Response(status: ClientGone.status)
            }
            usleep(10_000)
        }
        return Response(type: "text/plain", Array("made".utf8))
    }

    func refuse(_ head: RequestHead, status: Int) -> Response { Response(status: status) }
}

/// Work without a waiting client ends (FD-61), over real sockets.
@Suite struct PresenceTests {
    let application = LongApplication()

    private func withServer(patience: Double? = nil, _ body: (Server) throws -> Void) throws {
        var settings = ServerSettings()
        settings.port = 0
        if let patience { settings.patienceSeconds = patience }
        let server = try Server(settings, application: application)
        defer { server.stop(within: 2) }
        try body(server)
    }

    @Test(arguments: [0, 0.3]) func `what a client asked for that has gone is not made to its end`(
        patience: Double
    ) throws {
        try withServer(patience: patience) { server in
            var client: RawClient? = try RawClient(port: server.port)
            client?.send("GET /long HTTP/1.1\r\nHost: x\r\n\r\n")
            application.hasBegun.wait()
            // Still there, it is waited for.
            #expect(application.isLeft.wait(timeout: .now() + 0.5) == .timedOut)
            client = nil
            #expect(application.isLeft.wait(timeout: .now() + 8) == .success)
        }
    }

    @Test func `a change is made although its client has gone`() throws {
        try withServer(patience: 0) { server in
            var client: RawClient? = try RawClient(port: server.port)
            client?.send("POST /long HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
            application.hasBegun.wait()
            client = nil
            #expect(application.isLeft.wait(timeout: .now() + 1) == .timedOut)
        }
    }

    @Test func `a client that closes its sending half gets what is quick`() throws {
        try withServer(patience: 5) { server in
            let client = try RawClient(port: server.port)
            client.send("GET /quick HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            client.closeSending()
            #expect(client.readAll().text.contains("made"))
        }
    }
}
