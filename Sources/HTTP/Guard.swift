/// Refuses requests that libmicrohttpd 0.9.75 accepts and a proxy may read differently: request smuggling.
enum Guard {
    private static let fieldLimit = 60

    /// The status to refuse a request with before anything else is checked; nil when its head is in order.
    static func refusal(of fields: RawFields, head: RequestHead, isHTTP11: Bool) -> Int? {
        if fields.isBroken || fields.headers.fields.count > fieldLimit { return 400 }
        for name in ["content-length", "transfer-encoding", "host"] where count(name, in: fields.headers) > 1
        {
            return 400
        }
        // Not left to STRICT_FOR_CLIENT: 0.9.75 writes the head of that answer twice.
        if isHTTP11 && fields.headers["Host"] == nil { return 400 }
        if let coding = head.headers["Transfer-Encoding"] {
            // RFC 9112, 6.1: both lengths at once, or a coding in HTTP/1.0, mean a faulty or hostile peer.
            let isPlain = coding.lowercased() == "chunked" && head.headers["Content-Length"] == nil
            if !isPlain || !isHTTP11 { return 400 }
        }
        if head.target == nil { return 400 }
        if head.method == nil { return 405 }
        return nil
    }

    static func isBroken(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) -> Bool {
        let isToken = name.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ":") }
        return name.isEmpty || !isToken || value.contains { $0 == 0 || $0 == 10 || $0 == 13 }
    }

    private static func count(_ name: String, in headers: Headers) -> Int {
        headers.fields.count { $0.name.lowercased() == name }
    }
}
