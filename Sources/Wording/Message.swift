/// A sentence by its key, with what is to be filled in.
package struct Message: Sendable, Equatable, ExpressibleByStringInterpolation {
    package let key: String
    package let values: [String: String]

    package init(_ key: String, _ values: [String: String] = [:]) {
        self.key = key
        self.values = values
    }

    package init(stringLiteral key: String) { self.init(key) }
}
