public import Wire

// Accounts with providers of measurements (FB-1).
extension Client {
    /// Every provider there is, and how far the own link to each has come; the items' ids are the providers' names.
    public func wearables() async throws(ClientError) -> [Item<Wearable>] { try await list("/my/wearables") }

    /// Asks to be linked.
    /// - Returns: the address to be opened in a browser. The link counts only after `confirmWearable`, with the same token.
    public func linkWearable(_ provider: String) async throws(ClientError) -> String {
        let asked: WearableAuthorization = try one(await send("POST", "/my/wearables/\(provider)/link"))
        return asked.authorizeURL
    }

    /// Once the person has come back from the provider. Ask them first whether it was they who agreed, with an account of theirs.
    @discardableResult
    public func confirmWearable(_ provider: String) async throws(ClientError) -> Wearable {
        try one(await send("POST", "/my/wearables/\(provider)/confirmation"))
    }

    /// - Parameter removingData: whether what the link has brought goes with it.
    public func unlinkWearable(_ provider: String, removingData: Bool) async throws(ClientError) {
        try await send("DELETE", "/my/wearables/\(provider)?data=\(removingData ? "remove" : "keep")")
    }
}
