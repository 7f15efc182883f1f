public import Wire

/// Public information of the installation.
extension Client {
    public func informationPages() async throws(ClientError) -> [Item<Info>] { try await list("/info") }

    public func informationPage(_ name: String) async throws(ClientError) -> Info {
        try await get("/info/" + Self.query(name))
    }
}
