/// Why the program cannot start; in English, for the operator.
public struct StartError: Error, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}
