/// The program that a server serves. Called on many threads at once.
public protocol Application: Sendable {
    /// Where a request's body goes and how large it may be, decided from its head.
    /// - Parameter peer: the client's address as text.
    func bodyPlan(for head: RequestHead, peer: String) -> BodyPlan
    /// Answers a complete request. May block; other connections do not wait for it.
    func respond(to request: Request) -> Response
    /// Answers a request that is refused before it is complete (400, 404, 405, 413).
    func refuse(_ head: RequestHead, status: Int) -> Response
}
