/// Why the program cannot start; for the operator, English.
public struct StartError: Error, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}
