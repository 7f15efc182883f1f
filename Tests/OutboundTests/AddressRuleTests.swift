import Testing

@testable import Outbound

struct AddressRuleTests {
    @Test(
        arguments: [
            "0.0.0.0", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
            "127.9.9.9",
            "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1",
            "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1",
            "239.1.1.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1",
            "::ffff:169.254.169.254", "::127.0.0.1", "::10.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b::7f00:1",
            "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2001:2::1", "2002:0a00:0001::1",
            "2002:7f00:1::",
            "fc00::1", "fdff::1", "fe80::1", "fec0::1", "ff02::1", "ff0e::1", "3fff::1", "5f00::1", "4000::1",
        ])
    func `what is not plainly the open internet is closed`(_ text: String) throws {
        #expect(!AddressRule.isPublic(try #require(AddressRule.bytes(of: text))))
    }

    @Test(
        arguments: [
            "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255",
            "172.32.0.0",
            "192.0.1.1", "192.167.255.255", "198.17.255.255", "198.20.0.0", "223.255.255.255",
            "2606:4700::1111",
            "2a00:1450:4001::200e", "2001:4860:4860::8888", "::ffff:8.8.8.8", "64:ff9b::808:808",
        ])
    func `addresses of the open internet are open`(_ text: String) throws {
        #expect(AddressRule.isPublic(try #require(AddressRule.bytes(of: text))))
    }

    /// 400 of them: every closed network, in every known notation (A7).
    static let hostile: [String] = {
        let four: [[Int]] = [
            [127, 0, 0, 1], [127, 1, 2, 3], [10, 0, 0, 1], [10, 255, 1, 2], [172, 16, 0, 1], [172, 31, 9, 9],
            [192, 168, 0, 1], [192, 168, 255, 254], [169, 254, 169, 254], [100, 64, 0, 1], [100, 127, 0, 9],
            [0, 0, 0, 0], [0, 1, 2, 3], [224, 0, 0, 251], [239, 255, 255, 250], [240, 0, 0, 1],
            [255, 255, 255, 255], [192, 0, 0, 170], [198, 18, 0, 1], [203, 0, 113, 5],
        ]
        var all: [String] = []
        for parts in four {
            let number = parts.reduce(0) { $0 << 8 | $1 }
            let hex = { (value: Int) in String(value, radix: 16) }
            let dotted = parts.map(String.init).joined(separator: ".")
            let pair = "\(hex(parts[0] << 8 | parts[1])):\(hex(parts[2] << 8 | parts[3]))"
            let low = parts[1] << 16 | parts[2] << 8 | parts[3]
            let hosts = [
                dotted, dotted + ".", "\(number)", "0x\(hex(number))", "0\(String(number, radix: 8))",
                parts.map { "0x" + hex($0) }.joined(separator: "."),
                parts.map { "0" + String($0, radix: 8) }.joined(separator: "."),
                "\(parts[0]).\(low)", "\(parts[0]).\(parts[1]).\(parts[2] << 8 | parts[3])",
                "[::ffff:\(dotted)]", "[::ffff:\(pair)]", "[64:ff9b::\(pair)]", "[2002:\(pair)::1]",
                "[::\(pair)]",
            ]
            all += hosts.map { "https://\($0)/push" }
            all += ["https://\(dotted):8443/push", "https://[::ffff:\(dotted)]:443/"]
        }
        all += [
            "::1", "::", "fc00::1", "fd12:3456::1", "fe80::1", "fec0::1", "ff02::1", "2001:db8::1", "2001::1",
            "64:ff9b:1::1",
        ]
        .flatMap {
            ["https://[\($0)]/", "https://[\($0)]:8443/push", "https://[0000:\($0.dropFirst(0))]/"].prefix(2)
        }
        all += [
            "https://localhost/", "https://LOCALHOST/", "https://localhost./", "https://a.localhost/",
            "https://localhost:443/x", "https://localhost../", "https://127.0.0.1../", "https://./",
            "https://127.1./", "https://0x7f.1./", "https://2130706433./", "https://0177.0.0.01./",
            "https://%31%32%37.0.0.1/", "https://%32130706433/", "https://%30x7f.1/", "https://%6cocalhost/",
        ]
        all += ["http", "ftp", "file", "gopher", "ws", "javascript", "data", "dict", "ldap", "smb"].flatMap {
            ["\($0)://push.example.org/x", "\($0)://127.0.0.1/x", "\($0):push.example.org"]
        }
        all += [
            "https://user@push.example.org/", "https://user:word@push.example.org/", "https://a@127.0.0.1/",
            "//push.example.org/",
            "https://", "", " https://push.example.org/", "https://push.example.org/a b",
            "https://push.example.org/\u{e4}",
            "https://push.example.org/\r\nHost: x", "https://push.example.org:0/",
            "https://push.example.org:99999/", "https://[::1/",
            "https://\(String(repeating: "a", count: 3000)).example.org/",
        ]
        return all
    }()

    @Test func `400 hostile addresses are refused before anything is asked of the network`() {
        #expect(Set(Self.hostile).count == 400)
        let policy = OutboundPolicy.publicAddresses(listed: [])
        let open = Self.hostile.filter { policy.refusal(of: $0) == nil }
        #expect(open == [])
        #expect(policy.refusal(of: "https://push.example.org/abc?d=e") == nil)
        #expect(policy.refusal(of: "https://1.1.1.1/") == nil)
    }

    @Test func `a listed host is open, on its port alone where it names one`() throws {
        let named = ["10.1.2.3:8443", "Relay.Clinic.lan", "127.0.0.1:9000"]
        let listed = Set(named.compactMap { ListedHost($0) })
        let policy = OutboundPolicy.publicAddresses(listed: listed)
        for open in [
            "https://10.1.2.3:8443/a", "https://relay.clinic.lan/", "https://relay.clinic.lan:444/",
            "http://127.0.0.1:9000/",
        ] {
            #expect(policy.refusal(of: open) == nil)
        }
        for closed in [
            "https://10.1.2.3/a", "https://10.1.2.4:8443/", "http://127.0.0.1:9001/",
            "http://push.example.org/", "http://10.1.2.3:8443/", "http://0x0a.1.2.3:8443/",
        ] {
            #expect(policy.refusal(of: closed) != nil)
        }
        // Without TLS a listed name is asked where it leads; one that leads nowhere is looked up again.
        let names = Set(["localhost", "relay.invalid", "10.1.2.3"].compactMap { ListedHost($0) })
        let byName = OutboundPolicy.publicAddresses(listed: names)
        #expect(byName.refusalNow(of: "http://localhost/") == nil)
        #expect(byName.refusalNow(of: "http://relay.invalid/") == nil)
        #expect(byName.refusalNow(of: "http://10.1.2.3/x") == .notHTTPS)
        #expect(byName.refusalNow(of: "https://10.1.2.3/x") == nil)
        for no in ["", "https://a", "a/b", "a:0", "a:70000", "u@a", "a b", "a?b"] {
            #expect(ListedHost(no) == nil)
        }
        let fixed = OutboundPolicy.fixedHosts(["api.example.org"])
        #expect(fixed.refusal(of: "https://api.example.org/x") == nil)
        #expect(fixed.refusal(of: "https://api.example.org.evil.net/") == .otherHost)
        #expect(fixed.refusal(of: "http://api.example.org/") == .notHTTPS)
    }
}
