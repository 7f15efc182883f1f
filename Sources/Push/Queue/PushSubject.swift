/// What a message in the queue is about: one thing, and which call of it. There is one message for each device and subject, so
/// a prompt that is called again has one for every call.
struct PushSubject: Sendable, Equatable {
    /// The id of the assignment, the prompt, or the new thing.
    let id: String
    /// 1 for the first call.
    let call: Int

    init(id: String, call: Int = 1) {
        self.id = id
        self.call = call
    }

    /// As stored; the first call by its id alone.
    init(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1)
        let call = parts.count == 2 ? Int(parts[1]) : 1
        self.init(id: call == nil ? text : String(parts.first ?? ""), call: call ?? 1)
    }

    var text: String { call == 1 ? id : "\(id)/\(call)" }
}
