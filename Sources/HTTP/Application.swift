/// What a server asks of the program it serves. Called on many threads at once.
public protocol Application: Sendable {
    /// How many bytes of body a request may bring, known from its head.
    func bodyLimit(for head: RequestHead) -> Int
    /// Answers a complete request. May block; other connections do not wait for it.
    func respond(to request: Request) -> Response
    /// Words an answer to a request that is refused before it is complete (400, 405, 413, 501).
    func refuse(_ head: RequestHead, status: Int) -> Response
}
