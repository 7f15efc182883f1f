import Foundation
import HTTP
import Synchronization
import Testing

/// RP-6: bodies over the limit, which is 1,000 bytes here.
@Suite struct LargeBodyTests {
    let base = ServerTests()

    private func ask(_ head: String, _ body: String = "") throws -> (text: String, isClosed: Bool) {
        var answer = (text: "", isClosed: false)
        try base.withServer { server in
            let client = try RawClient(port: server.port)
            client.send("POST / HTTP/1.1\r\nHost: x\r\n\(head)\r\n\r\n")
            client.send(body)
            answer = client.readAll()
        }
        #expect(base.application.seen.withLock { $0 } == [])
        return answer
    }

    @Test(arguments: [2_001, 4_000_000_000])
    func `A8 RP-6 a body that announces more than twice the limit is refused before it is sent`(size: Int)
        throws
    {
        let answer = try ask("Content-Length: \(size)")
        #expect(RawClient.statuses(in: answer.text) == [413] && answer.isClosed)
    }

    @Test(arguments: [1_001, 2_000])
    func `RP-6 a body of up to twice the limit is read to its end before it is refused`(size: Int) throws {
        try base.withServer { server in
            let client = try RawClient(port: server.port)
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(size)\r\n\r\n")
            client.send(String(repeating: "a", count: size - 1))
            // Neither answered nor closed as long as it comes.
            #expect(client.readAll(seconds: 1) == ("", false))
            client.send("a")
            let answer = client.readAll()
            #expect(RawClient.statuses(in: answer.text) == [413])
            #expect(answer.text.hasSuffix("refused"))
        }
        #expect(base.application.seen.withLock { $0 } == [])
    }

    @Test func `RP-6 a client that waits for leave is refused at once`() throws {
        let answer = try ask("Content-Length: 1500\r\nExpect: 100-continue")
        #expect(RawClient.statuses(in: answer.text) == [413] && answer.isClosed)
        #expect(!answer.text.contains("100 Continue"))
    }

    private static func chunks(_ count: Int, isEnded: Bool) -> String {
        String(repeating: "64\r\n\(String(repeating: "a", count: 100))\r\n", count: count)
            + (isEnded ? "0\r\n\r\n" : "")
    }

    @Test func `A8 RP-6 a body without a length is counted as it arrives, and read to its end`() throws {
        let answer = try ask("Transfer-Encoding: chunked", Self.chunks(20, isEnded: true))
        #expect(RawClient.statuses(in: answer.text) == [413])
    }

    @Test func `RP-6 a body without a length that goes on beyond twice the limit is answered and cut`() throws
    {
        let answer = try ask("Transfer-Encoding: chunked", Self.chunks(21, isEnded: false))
        #expect(RawClient.statuses(in: answer.text) == [413] && answer.isClosed)
        #expect(answer.text.contains(/^HTTP\/1.1 413 [A-Za-z ]+\r\nContent-Type: text\/plain\r\n/))
        #expect(answer.text.hasSuffix("\r\nContent-Length: 7\r\nConnection: close\r\n\r\nrefused"))
    }
}
