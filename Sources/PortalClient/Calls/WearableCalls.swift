public import Wire

// Accounts with providers of measurements (FB-1).
extension Client {
    /// Every provider, with the state of the own link to it; the items' ids are the providers' names.
    public func wearables() async throws(ClientError) -> [Item<Wearable>] { try await list("/my/wearables") }

    /// Requests a link.
    /// - Returns: the address to be opened in a browser. The link becomes valid only by `confirmWearable`, with the
    ///   same token.
    public func linkWearable(_ provider: String) async throws(ClientError) -> String {
        let asked: WearableAuthorization = try one(await send("POST", "/my/wearables/\(provider)/link"))
        return asked.authorizeURL
    }

    /// Called after the return from the provider. Ask first whether it was the person who agreed.
    @discardableResult
    public func confirmWearable(_ provider: String) async throws(ClientError) -> Wearable {
        try one(await send("POST", "/my/wearables/\(provider)/confirmation"))
    }

    /// - Parameter removingData: whether the link's data is removed, too.
    public func unlinkWearable(_ provider: String, removingData: Bool) async throws(ClientError) {
        try await send("DELETE", "/my/wearables/\(provider)?data=\(removingData ? "remove" : "keep")")
    }
}
