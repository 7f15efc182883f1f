/// A sentence by its key, with what is to be filled in.
struct Message: Sendable, Equatable {
    let key: String
    let values: [String: String]

    init(_ key: String, _ values: [String: String] = [:]) {
        self.key = key
        self.values = values
    }
}
