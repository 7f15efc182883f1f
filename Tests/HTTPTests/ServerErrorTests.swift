import Foundation
import Testing

@testable import HTTP

/// FD-34: what the operating system refuses is told apart.
@Suite struct ServerErrorTests {
    @Test(arguments: [
        (EADDRINUSE, ServerError.taken("127.0.0.1", 80)), (EACCES, .notAllowed("127.0.0.1", 80)),
        (EPERM, .notAllowed("127.0.0.1", 80)), (EADDRNOTAVAIL, .notHere("127.0.0.1")),
        (EMFILE, .cannotListen("127.0.0.1", 80, "too many open files")),
    ])
    func `FD-34 each refusal of a socket is a reason of its own`(reason: Int32, error: ServerError) {
        #expect(ServerError(reason, "127.0.0.1", 80) == error)
    }

    @Test func `FD-34 where nothing is in the way nothing is said`() throws {
        #expect(try SocketAddress("127.0.0.1", port: 0).refusal() == nil)
        #expect(try SocketAddress("192.0.2.1", port: 0).refusal() == EADDRNOTAVAIL)
    }
}
