import Foundation
import NetworkTesting
import Testing

@testable import Outbound

struct OutboundClientTests {
    private let created =
        "HTTP/1.1 201 Created\r\nLocation: /m/1\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n"

    private func policy(_ port: Int) throws -> OutboundPolicy {
        .publicAddresses(listed: [try #require(ListedHost("127.0.0.1:\(port)"))])
    }

    private func send(
        to server: LocalServer, _ limits: OutboundLimits = OutboundLimits(), path: String = "/push"
    ) throws -> OutboundReply {
        let client = OutboundClient(try policy(server.port), limits: limits)
        return try client.send(
            OutboundRequest(url: "http://127.0.0.1:\(server.port)\(path)", body: [1, 2, 3]))
    }

    private func kind(_ body: () throws -> OutboundReply) -> OutboundError.Kind? {
        do {
            _ = try body()
            return nil
        } catch { return (error as? OutboundError)?.kind }
    }

    @Test func `a listed host on this machine is reached without TLS, and tells its headers`() throws {
        let server = try LocalServer(LocalServer.answering(created))
        defer { server.stop() }
        let reply = try send(to: server)
        #expect(reply.status == 201)
        #expect(reply.headers["retry-after"] == "7" && reply.headers["location"] == "/m/1")
    }

    @Test func `no connection reaches what is not listed, whatever name leads there`() throws {
        let server = try LocalServer(LocalServer.answering(created))
        defer { server.stop() }
        let client = OutboundClient(.publicAddresses(listed: []))
        for host in ["127.0.0.1", "2130706433", "0x7f.1", "localhost", "[::ffff:127.0.0.1]"] {
            for scheme in ["http", "https"] {
                let url = "\(scheme)://\(host):\(server.port)/"
                #expect(kind { try client.send(OutboundRequest(url: url)) } == .refused, "\(url)")
            }
        }
        // A name that leads inward: what the address says is asked at the very socket.
        let listed = OutboundClient(.fixedHosts(["localhost"]))
        #expect(
            kind { try listed.send(OutboundRequest(url: "https://localhost:\(server.port)/")) } == .refused)
        #expect(server.connections == 0)
    }

    @Test func `nobody is led elsewhere`() throws {
        let other = try LocalServer(LocalServer.answering(created))
        let server = try LocalServer(
            LocalServer.answering(
                "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:\(other.port)/\r\nContent-Length: 0\r\n\r\n"
            ))
        defer {
            server.stop()
            other.stop()
        }
        #expect(try send(to: server).status == 307)
        #expect(other.connections == 0)
    }

    @Test func `an answer without an end is cut, of the body and of the head`() throws {
        for begin in ["HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n"] {
            let server = try LocalServer { connection in
                _ = begin.withCString { Foundation.send(connection, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
                let line = Array("X-More: \(String(repeating: "a", count: 1000))\r\n".utf8)
                while Foundation.send(connection, line, line.count, Int32(MSG_NOSIGNAL)) > 0 {}
            }
            defer { server.stop() }
            #expect(kind { try send(to: server) } == .tooLong)
        }
    }

    @Test func `whoever drips or says nothing is left after the time`() throws {
        var limits = OutboundLimits()
        limits.milliseconds = 300
        let server = try LocalServer { connection in
            for var byte in "HTTP/1.1 201 Created\r\n\r\n".utf8 {
                if Foundation.send(connection, &byte, 1, Int32(MSG_NOSIGNAL)) <= 0 { return }
                Thread.sleep(forTimeInterval: 0.05)
            }
        }
        defer { server.stop() }
        #expect(kind { try send(to: server, limits) } == .timeout)
        let silent = try LocalServer { _ in Thread.sleep(forTimeInterval: 1) }
        defer { silent.stop() }
        #expect(kind { try send(to: silent, limits) } == .timeout)
    }

    @Test func `what had come of an answer that broke off is told, from its first line on`() throws {
        func begun(_ text: String) throws -> OutboundReply? {
            let server = try LocalServer { connection in
                var begin: UInt8 = 0
                _ = recv(connection, &begin, 1, 0)
                LocalServer.write(text, to: connection)
                // A client that has read that much is still listening.
                Thread.sleep(forTimeInterval: 1)
            }
            defer { server.stop() }
            var limits = OutboundLimits()
            limits.milliseconds = 300
            let client = OutboundClient(try policy(server.port), limits: limits)
            do throws(OutboundError) {
                return try client.send(OutboundRequest(url: "http://127.0.0.1:\(server.port)/"))
            } catch { return error.begun }
        }
        let head = "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 100\r\n\r\nabc"
        let reply = try begun(head)
        #expect(reply?.status == 429 && reply?.headers["retry-after"] == "7")
        #expect(try begun("HTTP/1.1 201 Created\r\nX-")?.status == 201)
        #expect(try begun("HTTP/1.1 20") == nil)
        #expect(try begun("HTTP/1.1 100 Continue\r\n\r\n") == nil)
        #expect(try begun("") == nil)
    }

    @Test func `a connection that is reset, one that nobody takes, and lines in headers are told apart`()
        throws
    {
        let server = try LocalServer { connection in
            // Not before the request is there: until then it would be no connection at all.
            var begin: UInt8 = 0
            _ = recv(connection, &begin, 1, 0)
            var rest = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &rest, socklen_t(MemoryLayout<linger>.size))
        }
        #expect(kind { try send(to: server) } == .broken)
        server.stop()
        let client = OutboundClient(try policy(server.port))
        let request = OutboundRequest(
            url: "http://127.0.0.1:\(server.port)/", headers: [("TTL", "1\r\nHost: elsewhere")])
        #expect(kind { try client.send(request) } == .refused)
        let gone = OutboundClient(try policy(1))
        #expect(kind { try gone.send(OutboundRequest(url: "http://127.0.0.1:1/")) } == .unreachable)
    }

    @Test func `a thousand requests at once all end, over few connections`() throws {
        let server = try LocalServer(LocalServer.answering(created))
        defer { server.stop() }
        let pool = try #require(OutboundPool(try policy(server.port), most: 10))
        for tag in 0..<1000 {
            pool.add(
                OutboundRequest(url: "http://127.0.0.1:\(server.port)/\(tag)", body: [1]), tag: Int64(tag))
        }
        pool.add(OutboundRequest(url: "https://10.0.0.1/"), tag: 1000)
        var results: [Int64: Bool] = [:]
        while pool.count > 0 {
            for (tag, result) in pool.wait(milliseconds: 1000) {
                #expect(results[tag] == nil)
                results[tag] = (try? result.get())?.status == 201
            }
        }
        #expect(results.count == 1001 && results[1000] == false)
        #expect(results.values.count { $0 } == 1000)
        #expect(server.connections <= 10)
    }

    @Test func `another thread ends a wait`() throws {
        var pool = OutboundPool(.publicAddresses(listed: []))
        let bell = try #require(pool?.bell)
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.1)
            bell.ring()
        }
        let begin = Date()
        #expect(pool?.wait(milliseconds: 20_000).isEmpty == true)
        #expect(Date().timeIntervalSince(begin) < 10)
        pool = nil
        bell.ring()
    }

    @Test func `the time of a request begins when there is room for it`() throws {
        let answer = created
        let server = try LocalServer(
            LocalServer.answering { _ in
                Thread.sleep(forTimeInterval: 0.1)
                return answer
            })
        defer { server.stop() }
        var limits = OutboundLimits()
        limits.milliseconds = 1000
        let pool = try #require(OutboundPool(try policy(server.port), limits: limits, most: 2))
        // Two at a time: the last ones begin after more than a second.
        let request = OutboundRequest(url: "http://127.0.0.1:\(server.port)/")
        for tag in 0..<30 { pool.add(request, tag: Int64(tag)) }
        var good = 0
        while pool.count > 0 {
            good += pool.wait(milliseconds: 100).count { (try? $0.result.get())?.status == 201 }
        }
        #expect(good == 30)
    }
}
