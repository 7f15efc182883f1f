import Foundation
import HTTP
import Synchronization
import Testing

/// RP-28: request lines in absolute form, as clients with a proxy set send them.
@Suite struct AbsoluteTargetTests {
    /// Says what it was asked for, and by which `Host`.
    private final class Witness: Application {
        func bodyPlan(for head: RequestHead, peer: String) -> BodyPlan { .memory(limit: 1000) }

        func respond(to request: Request) -> Response {
            let words = "/\(request.path.joined(separator: "/")) \(request.query["a"] ?? "-")"
            return Response(type: "text/plain", Array("<\(words) \(request.headers["Host"] ?? "none")>".utf8))
        }

        func refuse(_ head: RequestHead, status: Int) -> Response {
            Response(status: status, type: "text/plain", Array("<\(head.rawTarget)>".utf8))
        }
    }

    private func ask(_ target: String, publicURL: String? = "https://portal.example.org") throws -> String {
        var settings = ServerSettings()
        settings.port = 0
        settings.publicURL = publicURL
        let server = try Server(settings, application: Witness())
        defer { server.stop(within: 2) }
        let client = try RawClient(port: server.port)
        let named = target.replacing("PORT", with: String(server.port))
        client.send("GET \(named) HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
        return client.readAll().text
    }

    @Test(arguments: [
        "http://portal.example.org/livez", "HTTP://Portal.Example.org:80/livez",
        "https://portal.example.org:443/livez", "http://127.0.0.1:PORT/livez",
    ])
    func `RP-28 a target that names this server is taken, and Host is ignored`(target: String) throws {
        #expect(try ask(target).contains("</livez - none>"))
        #expect(try ask(target + "?a=b").contains("</livez b none>"))
    }

    @Test(arguments: [
        ("http://portal.example.org", "</ - none>"), ("http://portal.example.org?a=b", "</ b none>"),
    ])
    func `RP-28 a target without a path is the root`(target: String, seen: String) throws {
        #expect(try ask(target).contains(seen))
    }

    @Test(arguments: [
        "http://evil.example/livez", "http://portal.example.org:8080/livez", "http://127.0.0.1/livez",
        "http://127.0.0.2:PORT/livez", "http://portal.example.org.evil.example/livez",
        "http://portal.example.org:443@evil.example/livez",
    ])
    func `A7 RP-28 any other authority is not found`(target: String) throws {
        let status = target.contains("@") ? 400 : 404
        let answer = try ask(target)
        #expect(RawClient.statuses(in: answer) == [status], "\(answer)")
        if status == 404 { #expect(answer.contains("</livez>")) }
    }

    @Test func `RP-28 without a public URL the address alone is this server`() throws {
        #expect(try ask("http://127.0.0.1:PORT/livez", publicURL: nil).contains("</livez - none>"))
        #expect(
            RawClient.statuses(in: try ask("http://portal.example.org/livez", publicURL: nil)) == [404])
    }

    @Test func `RP-28 what a plain target may not hold an absolute one may not either`() throws {
        for path in ["/a%00b", "/../etc", "/static/%2e%2e/etc", "/a%2fb", "/#x", "//%zz"] {
            #expect(
                RawClient.statuses(in: try ask("http://portal.example.org" + path)) == [400], "\(path)")
        }
    }

    @Test func `RP-28 a plain target keeps its Host`() throws {
        #expect(try ask("/livez").contains("</livez - evil.example>"))
    }
}
