/// A cookie for the whole site that scripts cannot read and that requests from other sites do not carry.
public struct SetCookie: Sendable {
    let name: String
    let value: String
    let isSecure: Bool
    let seconds: Int?

    /// - Parameter seconds: its lifetime; nil until the browser closes, 0 to remove it.
    public init(_ name: String, _ value: String, isSecure: Bool, seconds: Int? = nil) {
        self.name = name
        self.value = value
        self.isSecure = isSecure
        self.seconds = seconds
    }

    public var header: String {
        let age = seconds.map { "; Max-Age=\($0)" } ?? ""
        return "\(name)=\(value); Path=/; HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")\(age)"
    }
}
