import Foundation
import Records
import Testing

@testable import PortalTesting
@testable import WearableLinks

/// FB-1: what the clinic has registered is read at the start, and whatever is wrong with it ends the start by naming the place.
@Suite struct WearableFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "wearables-\(UUID().uuidString)"
    ).path

    private func settings(isLocal: Bool?) -> Settings {
        var settings = Cast.settings(folder)
        settings.servesLocally = isLocal
        return settings
    }

    private func read(_ text: String?, mode: Int = 0o600, isLocal: Bool? = true) throws
        -> [ConfiguredProvider]
    {
        let files = FileManager.default
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: folder) }
        if let text {
            let isMade = files.createFile(
                atPath: folder + "/wearables.json", contents: Data(text.utf8),
                attributes: [.posixPermissions: mode])
            #expect(isMade)
        }
        return try WearableFile.read(settings(isLocal: isLocal))
    }

    /// What the start ends with; nil when it goes on.
    private func refusal(_ text: String, mode: Int = 0o600, isLocal: Bool? = true) -> String? {
        do {
            _ = try read(text, mode: mode, isLocal: isLocal)
            return nil
        } catch { return "\(error)" }
    }

    private func google(_ more: String = "") -> String {
        #"{"google_health": {"client_id": "clinic", "client_secret": "secret-canary"\#(more)}}"#
    }

    private let addresses = """
        , "token_url": "http://127.0.0.1:9/t", "revoke_url": "http://127.0.0.1:9/r", "api_url": "http://127.0.0.1:9"
        """

    @Test func `FB-1 nothing is linked without the file, and what it names with it`() throws {
        #expect(try read(nil).isEmpty)
        #expect(try read("{}").isEmpty)
        let found = try #require(try read(google(#", "hook_secret": "12345678901234567890""#)).first)
        #expect(found.name == "google_health" && found.clientID == "clinic")
        #expect(found.hookSecret == "12345678901234567890")
        #expect(found.addresses == WearableProvider.googleHealth.addresses)
    }

    @Test func `FB-1 addresses are for tests on loopback alone`() throws {
        let found = try #require(try read(google(addresses)).first)
        #expect(found.addresses.token == "http://127.0.0.1:9/t")
        #expect(refusal(google(addresses), isLocal: false)?.contains("loopback") == true)
        #expect(refusal(google(#", "api_url": "http://10.0.0.1""#))?.contains("this machine") == true)
        #expect(refusal(google(#", "token_url": "https://example.org/t""#))?.contains("this machine") == true)
        #expect(refusal(google(#", "api_url": "no address""#)) != nil)
    }

    @Test func `FB-1 what is wrong is said with its place, and nothing of what stands there`() {
        let wrong = [
            "", "[]", "{", #"{"fitbit": {}}"#, #"{"google_health": []}"#,
            #"{"google_health": {"client_id": "a"}}"#,
            google(#", "canary_key": "x""#), google(#", "hook_secret": "canary""#),
            #"{"google_health": {"client_id": "a b", "client_secret": "secret-canary"}}"#,
            #"{"google_health": {"client_id": 5, "client_secret": "secret-canary"}}"#,
        ]
        for text in wrong {
            let said = refusal(text)
            #expect(said?.contains("wearables.json") == true, "\(text)")
            #expect(said?.contains("secret-canary") == false, "\(text)")
        }
        #expect(refusal(google(), mode: 0o644)?.contains("chmod 600") == true)
    }
}
