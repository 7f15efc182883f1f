/// Writes a template with its values.
struct Renderer {
    private let templates: [String: Template]
    private var output: [UInt8] = []
    private var stack: [Value]
    private var indent: [UInt8] = []
    private var overrides: [String: [Node]] = [:]
    private var depth = 0
    private var current = ""
    private static let depthLimit = 100

    init(templates: [String: Template], values: [Value]) {
        self.templates = templates
        stack = values
        output.reserveCapacity(96 * 1024)
    }

    mutating func render(_ name: String) throws -> [UInt8] {
        try renderTemplate(name)
        return output
    }

    private mutating func renderTemplate(_ name: String) throws {
        guard let template = templates[name] else { throw error("there is no template \(name)") }
        guard depth < Self.depthLimit else { throw error("\(name) is nested too deeply") }
        let caller = current
        current = name
        depth = depth + 1
        try render(template.nodes)
        current = caller
        depth = depth - 1
    }

    private mutating func render(_ nodes: [Node]) throws {
        for node in nodes {
            switch node {
            case .literal(let bytes): write(bytes)
            case .variable(let name): try write(name)
            case .section(let name, let inverted, let content): try section(name, inverted, content)
            case .partial(let name, let space):
                let outer = overrides
                overrides = [:]
                try indented(by: space) { renderer in try renderer.renderTemplate(name) }
                overrides = outer
            case .block(let block): try render(block)
            case .parent(let parent):
                let outer = overrides
                // The outermost child's block counts.
                overrides.merge(parent.blocks) { said, _ in said }
                try indented(by: parent.indent) { renderer in try renderer.renderTemplate(parent.name) }
                overrides = outer
            }
        }
    }

    private mutating func render(_ block: Block) throws {
        let content = overrides[block.name] ?? block.content
        try indented(by: block.indent) { renderer in try renderer.render(content) }
        if block.endsLine && output.last != UInt8(ascii: "\n") { output.append(UInt8(ascii: "\n")) }
    }

    private mutating func section(_ name: Name, _ inverted: Bool, _ content: [Node]) throws {
        if inverted {
            if !(find(name)?.isTrue ?? false) { try render(content) }
            return
        }
        guard let value = find(name) else { throw error("\(name) is unknown") }
        switch value {
        case .list(let values):
            for value in values { try render(content, with: value) }
        case .bool(let shown):
            if shown { try render(content) }
        default:
            if value.isTrue { try render(content, with: value) }
        }
    }

    private mutating func render(_ content: [Node], with value: Value) throws {
        stack.append(value)
        try render(content)
        stack.removeLast()
    }

    // MARK: Names

    private func find(_ name: Name) -> Value? {
        guard let first = name.first else { return stack.last }
        var position = stack.count
        while position > 0 {
            position -= 1
            guard case .record(let record) = stack[position], var value = record[first] else { continue }
            for part in name.rest {
                guard case .record(let inner) = value, let next = inner[part] else { return nil }
                value = next
            }
            return value
        }
        return nil
    }

    // MARK: Bytes

    private mutating func write(_ name: Name) throws {
        guard let value = find(name) else { throw error("\(name) is unknown") }
        startLine()
        switch value {
        case .text(let text): escape(text)
        case .html(let bytes): output += bytes
        case .bool(let value): escape(value ? "true" : "false")
        case .null, .list, .record: throw error("\(name) is no text")
        }
    }

    private mutating func write(_ bytes: [UInt8]) {
        guard !indent.isEmpty else {
            output += bytes
            return
        }
        for byte in bytes {
            if byte != UInt8(ascii: "\n") { startLine() }
            output.append(byte)
        }
    }

    private mutating func startLine() {
        if !indent.isEmpty && (output.isEmpty || output.last == UInt8(ascii: "\n")) { output += indent }
    }

    private mutating func indented(
        by space: [UInt8], _ body: (inout Renderer) throws -> Void
    ) throws {
        let outer = indent
        indent += space
        try body(&self)
        indent = outer
    }

    private mutating func escape(_ text: String) { Markup.escape(text, into: &output) }

    private func error(_ reason: String) -> TemplateError {
        TemplateError(template: current, line: 0, reason: reason)
    }
}
