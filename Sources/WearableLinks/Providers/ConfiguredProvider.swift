import HTTP
import Outbound
import Records

/// A provider at which this clinic is registered.
struct ConfiguredProvider: Sendable {
    /// The use of an answer, which limits its length.
    enum Use: Sendable { case tokens, data }

    let provider: WearableProvider
    let addresses: ProviderAddresses
    let clientID: String
    let clientSecret: String
    /// The last part of the address of hooks; nil accepts none.
    let hookSecret: String?
    private let transport: @Sendable (OutboundRequest, Use) -> Result<OutboundReply, OutboundError>

    var name: String { provider.name }

    /// - Parameter transport: sends the requests; replaced in tests.
    init(
        _ provider: WearableProvider, addresses: ProviderAddresses, clientID: String, clientSecret: String,
        hookSecret: String?,
        transport: @escaping @Sendable (OutboundRequest, Use) -> Result<OutboundReply, OutboundError>
    ) {
        self.provider = provider
        self.addresses = addresses
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.hookSecret = hookSecret
        self.transport = transport
    }

    func send(_ request: OutboundRequest, _ use: Use) -> Result<OutboundReply, OutboundError> {
        transport(request, use)
    }

    /// Posts a form to a token address.
    /// - Throws: `LinkFault` when there is no answer.
    func ask(
        _ url: String, _ form: [(String, String)], headers: [(String, String)] = []
    ) throws -> OutboundReply {
        try answer(
            OutboundRequest(
                url: url,
                headers: [
                    ("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json"),
                ] + headers, body: Array(Self.text(form).utf8)), .tokens)
    }

    /// - Throws: `LinkFault` when there is no answer.
    func answer(_ request: OutboundRequest, _ use: Use) throws -> OutboundReply {
        switch send(request, use) {
        case .success(let reply): return reply
        case .failure(let error): throw LinkFault(error)
        }
    }

    /// Encoded as forms and queries are.
    static func text(_ form: [(String, String)]) -> String {
        form.map { "\($0.0)=\(percentEncoded($0.1))" }.joined(separator: "&")
    }

    /// Over the network: verified TLS, no redirects, ten seconds, and a limited number of bytes.
    static func network(
        _ policy: OutboundPolicy, caFile: String?
    ) -> @Sendable (OutboundRequest, Use) -> Result<OutboundReply, OutboundError> {
        { request, use in
            var limits = OutboundLimits()
            limits.bytes = use == .tokens ? 64 * 1024 : 8 * 1024 * 1024
            let client = OutboundClient(policy, limits: limits, caFile: caFile)
            do throws(OutboundError) {
                return .success(try client.send(request))
            } catch {
                return .failure(error)
            }
        }
    }
}
