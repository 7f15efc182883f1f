public import Wire

// Push messages (IO-25).
extension Client {
    /// The key with which devices subscribe to push messages: 65 bytes in base64url.
    public func pushKey() async throws(ClientError) -> PushKey { try await get("/push/key") }

    /// Subscribes a device, by Web Push or UnifiedPush.
    /// - Parameters:
    ///   - id: of the device, as in `devices`.
    ///   - p256dh: the device's own key, `auth` its secret, both in base64url.
    ///   - wants: `prompts`, `changes`, or both.
    public func subscribe(
        device id: String, endpoint: String, p256dh: String, auth: String, wants: [String]
    ) async throws(ClientError) -> PushSubscription {
        struct Sent: Encodable {
            let endpoint: String
            let keys: [String: String]
            let wants: [String]
        }
        let body = Sent(endpoint: endpoint, keys: ["p256dh": p256dh, "auth": auth], wants: wants)
        return try one(await send("PUT", "/my/devices/\(id)/push", body))
    }

    public func unsubscribe(device id: String) async throws(ClientError) {
        try await send("DELETE", "/my/devices/\(id)/push")
    }

    /// Sends a test message, with the same text as all.
    public func testPush(device id: String) async throws(ClientError) {
        try await send("POST", "/my/devices/\(id)/push/test")
    }
}
