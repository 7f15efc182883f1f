/// A parsed template.
struct Template: Sendable {
    let name: String
    let nodes: [Node]
}

/// One piece of a template.
enum Node: Sendable {
    case literal([UInt8])
    case variable(Name)
    case section(Name, inverted: Bool, [Node])
    case partial(String, indent: [UInt8])
    case block(Block)
    case parent(Parent)
}

/// A place that another template may fill, with default content.
struct Block: Sendable {
    let name: String
    /// White space before every line: the block's own, or that of its default content.
    var indent: [UInt8]
    var content: [Node]
    /// Whether the block stands alone on its line and so ends it, exactly once.
    let endsLine: Bool
}

/// A template whose blocks this one fills.
struct Parent: Sendable {
    let name: String
    var indent: [UInt8]
    let blocks: [String: [Node]]
}

/// A name with dots, or the single dot, which stands for the value itself.
struct Name: Sendable, CustomStringConvertible {
    /// Nil for the single dot.
    let first: String?
    let rest: [String]

    init(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        first = text == "." ? nil : parts.first
        rest = text == "." ? [] : Array(parts.dropFirst())
    }

    var description: String { first.map { ([$0] + rest).joined(separator: ".") } ?? "." }
}

/// A fault of a template, with its place.
public struct TemplateError: Error, Sendable, Equatable, CustomStringConvertible {
    public let template: String
    /// Counted from 1; 0 while rendering, when only the template is known.
    public let line: Int
    public let reason: String

    public var description: String { line > 0 ? "\(template):\(line): \(reason)" : "\(template): \(reason)" }
}
