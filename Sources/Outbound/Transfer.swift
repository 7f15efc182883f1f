import CCurl
import Foundation

/// One running request: its handle of libcurl and the received part of the answer.
final class Transfer {
    let curl: UnsafeMutableRawPointer
    var tag: Int64 = 0
    private var policy: OutboundPolicy
    private var address: OutboundAddress?
    private var limits: OutboundLimits
    private var list: UnsafeMutablePointer<curl_slist>?
    private var headers: [String: String] = [:]
    private var headerBytes = 0
    private var body: [UInt8] = []
    private var isTooLong = false
    private var isRefused = false
    /// Of several addresses of one name, some may be allowed.
    private var isAdmitted = false

    private static let mostHeaderBytes = 16 * 1024

    init?(_ policy: OutboundPolicy, _ limits: OutboundLimits) {
        guard Libcurl.isReady, let curl = curl_easy_init() else { return nil }
        self.curl = curl
        self.policy = policy
        self.limits = limits
    }

    deinit {
        curl_slist_free_all(list)
        curl_easy_cleanup(curl)
    }

    /// Prepares it for a request; only its connection is kept.
    /// - Throws: for a refused address.
    func prepare(_ request: OutboundRequest, caFile: String?) throws(OutboundError) {
        if let refusal = policy.refusal(of: request.url) {
            throw OutboundError(kind: .refused, reason: "\(refusal)")
        }
        let isPlain = { (text: String) in
            text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
        }
        guard request.headers.allSatisfy({ isPlain($0.0) && isPlain($0.1) }), isPlain(request.method) else {
            throw OutboundError(kind: .refused, reason: "a header holds a line of its own")
        }
        curl_easy_reset(curl)
        headers = [:]
        headerBytes = 0
        body = []
        isTooLong = false
        isRefused = false
        isAdmitted = false
        address = OutboundAddress(request.url)
        let texts: [(CURLoption, String)] = [
            (CURLOPT_URL, request.url), (CURLOPT_CUSTOMREQUEST, request.method),
            (CURLOPT_PROTOCOLS_STR, "http,https"), (CURLOPT_USERAGENT, "intersession"),
            // Regardless of proxies in the environment.
            (CURLOPT_PROXY, ""),
        ]
        for (option, value) in texts { _ = intersession_curl_set_text(curl, option, value) }
        // The system's own are in a folder and stay valid.
        if let caFile { _ = intersession_curl_set_text(curl, CURLOPT_CAINFO, caFile) }
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_NOSIGNAL, 1),
            (CURLOPT_CONNECTTIMEOUT_MS, limits.connectMilliseconds),
            (CURLOPT_TIMEOUT_MS, limits.milliseconds),
            (CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue)),
            (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
        ]
        for (option, value) in numbers { _ = intersession_curl_set_number(curl, option, value) }
        _ = request.body.withUnsafeBytes { bytes in
            intersession_curl_set_body(curl, bytes.baseAddress ?? UnsafeRawPointer(curl), bytes.count)
        }
        if request.body.isEmpty, request.method == "GET" {
            _ = intersession_curl_set_number(curl, CURLOPT_HTTPGET, 1)
        }
        curl_slist_free_all(list)
        // So short a body is sent without waiting for permission.
        list = curl_slist_append(nil, "Expect:")
        for (name, value) in request.headers { list = curl_slist_append(list, "\(name): \(value)") }
        _ = intersession_curl_set_list(curl, CURLOPT_HTTPHEADER, list)
        listen()
    }

    private func listen() {
        let body: curl_write_callback = { bytes, size, count, context in
            Transfer.of(context)?.take(bytes, size * count) ?? 0
        }
        let header: curl_write_callback = { bytes, size, count, context in
            Transfer.of(context)?.takeHeader(bytes, size * count) ?? 0
        }
        let open: curl_opensocket_callback = { context, _, address in
            guard let address, Transfer.of(context)?.admits(address) == true else { return CURL_SOCKET_BAD }
            let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
            return socket(address.pointee.family, kind, address.pointee.protocol)
        }
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = intersession_curl_set_callbacks(curl, body, header, open, context)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Called with the address that is about to be connected to, whatever was looked up before.
    private func admits(_ target: UnsafeMutablePointer<curl_sockaddr>) -> Bool {
        guard let address, let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return false }
        let bytes = AddressRule.bytes(
            of: UnsafeRawPointer(target).advanced(by: offset), family: target.pointee.family)
        let isOpen = policy.admits(bytes, for: address)
        if isOpen { isAdmitted = true } else { isRefused = true }
        return isOpen
    }

    private func take(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard body.count + count <= limits.bytes else {
            isTooLong = true
            return 0
        }
        bytes?.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
            body.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
        }
        return count
    }

    private func takeHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        headerBytes += count
        guard let bytes, headerBytes <= Self.mostHeaderBytes else {
            isTooLong = true
            return 0
        }
        let line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
        // Earlier fields belong to an interim answer, such as 100 and 103.
        if line.hasPrefix("HTTP/") { headers = [:] }
        if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
            headers[line[..<colon].lowercased()] = value
        }
        return count
    }

    /// The outcome.
    func result(_ code: CURLcode) -> Result<OutboundReply, OutboundError> {
        let reply = OutboundReply(
            status: intersession_curl_response_code(curl), headers: headers, body: body)
        if code == CURLE_OK { return .success(reply) }
        let kind: OutboundError.Kind =
            if isRefused, !isAdmitted {
                .refused
            } else if isTooLong {
                .tooLong
            } else {
                switch code {
                case CURLE_COULDNT_RESOLVE_HOST: .unknownHost
                case CURLE_COULDNT_CONNECT: .unreachable
                case CURLE_OPERATION_TIMEDOUT: .timeout
                case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE: .tls
                default: .broken
                }
            }
        return .failure(
            OutboundError(
                kind: kind, reason: String(cString: curl_easy_strerror(code)),
                // 100 and 103 come before an answer.
                begun: reply.status >= 200 ? reply : nil))
    }
}
