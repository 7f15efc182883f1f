import HTTP
import Outbound
import Testing
import Wire
import Wording

@testable import Records
@testable import Web

@Suite struct LimiterTests {
    private let now = Faces.now

    /// Nil when it passed, else for how many seconds to wait.
    private func wait(_ body: () throws -> Void) -> Int? {
        do {
            try body()
            return nil
        } catch Problem.tooManyRequests(let seconds) { return seconds } catch { return -1 }
    }

    @Test func `a window counts to its limit and begins anew when it is over`() throws {
        let limiter = Limiter()
        let count = { (seconds: Int64) in
            wait { try limiter.count("a", limit: 2, seconds: 60, now: now.adding(seconds: seconds)) }
        }
        #expect([0, 1, 2, 59].map(count) == [nil, nil, 58, 1])
        try #expect(limiter.value("a", now: now.adding(seconds: 59)) == 4)
        try #expect(
            limiter.value("a", now: now.adding(seconds: 60)) == 0 && limiter.value("b", now: now) == 0)
        #expect([60, 61, 62].map(count) == [nil, nil, 58])
    }

    @Test func `each key has its own window, and a limit of nothing is none`() {
        let limiter = Limiter()
        #expect(limiter.isFirst("a", seconds: 60, now: now) && !limiter.isFirst("a", seconds: 60, now: now))
        #expect(limiter.isFirst("b", seconds: 60, now: now))
        for _ in 0..<10 { #expect(wait { try limiter.count("c", limit: 0, seconds: 60, now: now) } == nil) }
    }

    private let ada: [UInt8] = [1, 2]

    @Test func `ten wrong ones from one address are free, then each wait doubles up to a quarter of an hour`()
    {
        let throttle = LoginThrottle(ShortMemory())
        var waits: [Int] = []
        var present = now
        for _ in 0..<22 {
            while let seconds = wait({ try throttle.begin(ada, from: .address("1.2.3.4"), now: present) }) {
                waits.append(seconds)
                present = present.adding(seconds: Int64(seconds))
            }
        }
        #expect(waits == [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
    }

    @Test func `RP-212 forgiven waits end from every address, and count from the start again`() throws {
        let throttle = LoginThrottle(ShortMemory())
        let addresses = (0..<5).map { "10.0.0.\($0)" }
        for address in addresses {
            for _ in 0..<10 { try? throttle.begin(ada, from: .address(address), now: now) }
        }
        for address in addresses {
            #expect(wait { try throttle.begin(ada, from: .address(address), now: now) } != nil)
        }
        let later = now.adding(seconds: 1)
        try throttle.forgive(ada, now: later)
        for address in addresses {
            #expect(wait { try throttle.begin(ada, from: .address(address), now: later) } == nil)
        }
        for _ in 0..<9 { try? throttle.begin(ada, from: .address(addresses[0]), now: later) }
        #expect(wait { try throttle.begin(ada, from: .address(addresses[0]), now: later) } == 2)
    }

    @Test func `from elsewhere the owner gets in, until fifty wrong ones came from anywhere`() {
        let throttle = LoginThrottle(ShortMemory())
        for index in 0..<50 {
            #expect(
                wait { try throttle.begin(ada, from: .address("10.0.0.\(index)"), now: now) } == nil,
                "\(index)")
        }
        #expect(wait { try throttle.begin(ada, from: .address("10.9.9.9"), now: now) } == 2)
        #expect(wait { try throttle.begin([9], from: .address("10.9.9.9"), now: now) } == nil)
    }

    @Test
    func `RP-205 strangers' tries cost no wait where the account signed in before, which has its own ten`() {
        let throttle = LoginThrottle(ShortMemory())
        let known: [TrySource] = [
            .browser("b"), .credential("c"), .address("10.0.0.1", isKnown: true),
        ]
        for index in 0..<200 {
            _ = wait { try throttle.begin(ada, from: .address("10.1.0.\(index % 50)"), now: now) }
        }
        #expect(wait { try throttle.begin(ada, from: .address("10.9.9.9"), now: now) } == 2)
        for source in known {
            for _ in 0..<10 {
                #expect(wait { try throttle.begin(ada, from: source, now: now) } == nil)
            }
            #expect(wait { try throttle.begin(ada, from: source, now: now) } == 2)
        }
        // A right one there forgives nothing to strangers.
        try? throttle.right(ada, from: known[0], now: now)
        #expect(wait { try throttle.begin(ada, from: known[0], now: now) } == nil)
        #expect(wait { try throttle.begin(ada, from: known[1], now: now) } == 2)
        #expect(wait { try throttle.begin(ada, from: .address("10.9.9.9"), now: now) } == 2)
    }

    @Test func `RP-205 wrong tries where the account signed in before cost strangers nothing`() {
        let throttle = LoginThrottle(ShortMemory())
        for index in 0..<50 {
            #expect(wait { try throttle.begin(ada, from: .browser("\(index)"), now: now) } == nil)
        }
        #expect(wait { try throttle.begin(ada, from: .address("10.9.9.9"), now: now) } == nil)
    }

    @Test func `a right one forgives, and so does half an hour`() throws {
        let throttle = LoginThrottle(ShortMemory())
        let fill = { (present: Instant) in
            for _ in 0..<10 { _ = wait { try throttle.begin(ada, from: .address("1.2.3.4"), now: present) } }
            return wait { try throttle.begin(ada, from: .address("1.2.3.4"), now: present) }
        }
        #expect(fill(now) == 2)
        try throttle.right(ada, from: .address("1.2.3.4"), now: now)
        #expect(fill(now) == 2)
        #expect(
            wait { try throttle.begin(ada, from: .address("1.2.3.4"), now: now.adding(seconds: 1800)) } == nil
        )
        #expect(
            wait { try throttle.begin(ada, from: .address("1.2.3.4"), now: now.adding(seconds: 1800)) } == nil
        )
    }
}

@Suite struct ClientAddressTests {
    private func address(_ peer: String, _ forwarded: String..., proxy: String...) throws -> String {
        var headers = Headers()
        for value in forwarded { headers.append("X-Forwarded-For", value) }
        var settings = Settings()
        settings.trustedProxies = proxy.compactMap { AddressRange($0) }
        return ClientAddress.of(try Faces.request("/", .get, headers, peer: peer), settings)
    }

    @Test func `the peer counts, of IPv6 its network`() throws {
        #expect(try address("192.0.2.7") == "192.0.2.7")
        #expect(try address("2001:db8:0:1:2:3:4:5") == address("2001:db8:0:1:ffff::1"))
        #expect(try address("2001:db8:0:1::1") != address("2001:db8:0:2::1"))
        #expect(try address("") == "" && address("a socket") == "a socket")
    }

    @Test func `only a trusted proxy is believed, and of what it says the last`() throws {
        #expect(try address("192.0.2.7", "198.51.100.1") == "192.0.2.7")
        #expect(try address("192.0.2.7", "198.51.100.1", proxy: "192.0.2.8") == "192.0.2.7")
        #expect(try address("192.0.2.7", "198.51.100.1, 198.51.100.2", proxy: "192.0.2.7") == "198.51.100.2")
        #expect(
            try address("192.0.2.7", "198.51.100.1", " 198.51.100.3 ", proxy: "192.0.2.7") == "198.51.100.3")
        #expect(try address("192.0.2.7", "nonsense", proxy: "192.0.2.7") == "192.0.2.7")
        #expect(try address("192.0.2.7", proxy: "192.0.2.7") == "192.0.2.7")
    }

    @Test func `RP-27 past several proxies and networks of them, to the first that is none`() throws {
        let proxies = ["127.0.0.1", "10.0.0.0/8", "fd00::/8"]
        let far = { (forwarded: String) in
            try address("127.0.0.1", forwarded, proxy: proxies[0], proxies[1], proxies[2])
        }
        #expect(try far("198.51.100.1, 203.0.113.7, 10.0.0.2") == "203.0.113.7")
        #expect(try far("203.0.113.7,fd00::5 ,10.200.0.2") == "203.0.113.7")
        // All of them are: the farthest that is known.
        #expect(try far("10.1.1.1, 10.0.0.2") == "10.1.1.1")
        #expect(try far("203.0.113.7, nonsense, 10.0.0.2") == "10.0.0.2")
        #expect(try far("203.0.113.7, , 10.0.0.2") == "10.0.0.2")
        #expect(try far("203.0.113.7:51234") == "203.0.113.7" && far("::ffff:203.0.113.7") == "203.0.113.7")
        #expect(
            try far("[2001:db8:0:1::7]:443") == far("2001:db8:0:1::9")
                && far("[2001:db8::7]") == far("2001:db8::7"))
        // The proxy itself may be written within IPv6.
        #expect(try address("::ffff:127.0.0.1", "203.0.113.7", proxy: "127.0.0.1") == "203.0.113.7")
        #expect(try address("11.0.0.1", "203.0.113.7", proxy: "10.0.0.0/8") == "11.0.0.1")
        #expect(try address("172.31.0.1", "203.0.113.7", proxy: "172.16.0.0/12") == "203.0.113.7")
    }

    @Test(arguments: [
        "0.0.0.0/0", "::/0", "::ffff:0.0.0.0/96", "10.0.0.0/33", "10.0.0.0/", "/8", "10.0.0.0/8/8", "proxy",
        "", "10.0.0.0/-1",
    ])
    func `RP-27 what is no range, or every address, is none`(_ text: String) {
        #expect(AddressRange(text) == nil)
    }
}
