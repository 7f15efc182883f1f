extension Block {
    /// Moves the indent of content that begins on its own line out of the content: rendering a block gives it back,
    /// or replaces it by the indent of the place that the content is moved to.
    mutating func moveIndentOutOfContent() {
        guard case .literal(let bytes)? = content.first else {
            if case .block(let inner)? = content.first { take(inner.indent) }
            return
        }
        take(Array(bytes.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }))
    }

    private mutating func take(_ own: [UInt8]) {
        indent = own
        var isLineStart = true
        content = removing(own, from: content, isLineStart: &isLineStart)
    }
}

private func removing(_ indent: [UInt8], from nodes: [Node], isLineStart: inout Bool) -> [Node] {
    guard !indent.isEmpty else { return nodes }
    var result: [Node] = []
    for node in nodes {
        switch node {
        case .literal(let bytes):
            result.append(.literal(removing(indent, from: bytes, isLineStart: &isLineStart)))
        case .section(let name, let inverted, let inner):
            result.append(
                .section(name, inverted: inverted, removing(indent, from: inner, isLineStart: &isLineStart)))
        case .partial(let name, let own): result.append(.partial(name, indent: removing(indent, from: own)))
        case .block(var block):
            block.indent = removing(indent, from: block.indent)
            result.append(.block(block))
        case .parent(var parent):
            parent.indent = removing(indent, from: parent.indent)
            result.append(.parent(parent))
        case .variable:
            isLineStart = false
            result.append(node)
        }
    }
    return result
}

private func removing(_ indent: [UInt8], from line: [UInt8]) -> [UInt8] {
    line.starts(with: indent) ? Array(line.dropFirst(indent.count)) : line
}

private func removing(_ indent: [UInt8], from text: [UInt8], isLineStart: inout Bool) -> [UInt8] {
    var result: [UInt8] = []
    for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
        if line.offset > 0 {
            result.append(UInt8(ascii: "\n"))
            isLineStart = true
        }
        let bytes = Array(line.element)
        result += isLineStart ? removing(indent, from: bytes) : bytes
        if !bytes.isEmpty { isLineStart = false }
    }
    if text.last == UInt8(ascii: "\n") { isLineStart = true }
    return result
}
