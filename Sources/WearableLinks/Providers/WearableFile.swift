import Foundation
import JSON
import Outbound
import Records

/// `wearables.json` in the data folder: the providers at which the clinic is registered, with their secrets.
enum WearableFile {
    static func path(_ settings: Settings) -> String { settings.data + "/wearables.json" }

    /// Empty without a file.
    /// - Throws: `StartError`, which names the place but none of its content.
    static func read(_ settings: Settings) throws -> [ConfiguredProvider] {
        let path = path(settings)
        var facts = stat()
        guard lstat(path, &facts) == 0 else {
            if errno == ENOENT { return [] }
            throw DataAccess.refusal(path, errno, settings)
        }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw StartError("\(path) is no file") }
        guard facts.st_mode & 0o077 == 0 else {
            throw StartError("\(path) holds secrets and may be read by others: chmod 600 \(path)")
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw StartError("\(path) cannot be read")
        }
        guard let json = try? JSON.parse(Array(data)), case .object(let members) = json else {
            throw StartError("\(path) is no JSON object")
        }
        return try members.map { member in
            guard let provider = WearableProvider.named(member.key) else {
                let known = WearableProvider.all.map(\.name).joined(separator: ", ")
                throw StartError("\(path) names a provider that there is not; known are: \(known)")
            }
            return try configured(provider, member.value, "\(path), \(provider.name)", settings)
        }
    }

    private static let addresses = ["authorize_url", "token_url", "revoke_url", "api_url"]
    private static let known = Set(["client_id", "client_secret", "hook_secret"] + addresses)

    private static func configured(
        _ provider: WearableProvider, _ json: JSON, _ place: String, _ settings: Settings
    ) throws -> ConfiguredProvider {
        guard case .object(let members) = json else { throw StartError("\(place) is no JSON object") }
        if let other = members.first(where: { !known.contains($0.key) }) {
            throw StartError("\(place): \(other.key.prefix(40)) is not known")
        }
        let id = try text(json, "client_id", place)
        let secret = try text(json, "client_secret", place)
        let hook = try optional(json, "hook_secret", place)
        if let hook, hook.utf8.count < 20 || !hook.utf8.allSatisfy(isPlain) {
            throw StartError("\(place): hook_secret wants 20 or more letters and digits")
        }
        let overridden = try addresses.compactMap { try optional(json, $0, place) }
        if !overridden.isEmpty, settings.servesLocally == false {
            throw StartError(
                "\(place): addresses are for tests on a loopback address without --public-url alone")
        }
        var all = provider.addresses
        all.authorize = try optional(json, "authorize_url", place) ?? all.authorize
        all.token = try optional(json, "token_url", place) ?? all.token
        all.revoke = try optional(json, "revoke_url", place) ?? all.revoke
        all.api = try optional(json, "api_url", place) ?? all.api
        let policy = try policy(all, isOverridden: !overridden.isEmpty, place)
        return ConfiguredProvider(
            provider, addresses: all, clientID: id, clientSecret: secret, hookSecret: hook,
            transport: ConfiguredProvider.network(policy, caFile: settings.caFile))
    }

    /// The provider's own hosts over TLS, and no others. Only addresses for tests lead elsewhere: to this machine.
    private static func policy(
        _ addresses: ProviderAddresses, isOverridden: Bool, _ place: String
    ) throws -> OutboundPolicy {
        let parts = addresses.reached.compactMap { URLComponents(string: $0) }
        let hosts = parts.compactMap(\.host)
        guard hosts.count == addresses.reached.count else {
            throw StartError("\(place): an address is none")
        }
        guard isOverridden else { return .fixedHosts(Set(hosts)) }
        let listed = parts.compactMap { part -> ListedHost? in
            guard let host = part.host, ["127.0.0.1", "localhost", "::1", "[::1]"].contains(host) else {
                return nil
            }
            return ListedHost(part.port.map { "\(host):\($0)" } ?? host)
        }
        guard listed.count == parts.count else {
            throw StartError("\(place): addresses for tests lead to this machine, all of them")
        }
        return .publicAddresses(listed: Set(listed))
    }

    private static func text(_ json: JSON, _ name: String, _ place: String) throws -> String {
        guard let text = try optional(json, name, place) else {
            throw StartError("\(place): \(name) is missing")
        }
        return text
    }

    private static func optional(_ json: JSON, _ name: String, _ place: String) throws -> String? {
        guard let value = json[name] else { return nil }
        guard let text = value.string, !text.isEmpty, text.utf8.count <= 1_000,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else { throw StartError("\(place): \(name) wants a text without blanks") }
        return text
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
