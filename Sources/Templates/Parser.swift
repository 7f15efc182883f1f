/// Reads Mustache: variables, sections, inverted sections, comments, partials, parents and blocks.
/// Left out on purpose: raw variables, lambdas, changed delimiters.
struct Parser {
    private let template: String
    private let source: [UInt8]
    private var position = 0
    /// The beginning of text that is not a node yet.
    private var textStart = 0
    private var frames: [Frame] = [Frame(kind: .root)]

    /// An open element whose content is being read.
    private struct Frame {
        enum Kind {
            case root, section(Name, inverted: Bool)
            case block(indent: [UInt8], opensLine: Bool, startsOnNextLine: Bool)
            case parent(space: [UInt8]?)
        }
        let kind: Kind
        var name = ""
        var offset = 0
        var nodes: [Node] = []
    }

    private struct Tag {
        let sigil: UInt8
        let name: String
        let start: Int
        let end: Int
    }

    static func parse(_ text: String, name: String) throws -> Template {
        var parser = Parser(template: name, source: Array(text.utf8))
        return Template(name: name, nodes: try parser.run())
    }

    private init(template: String, source: [UInt8]) {
        self.template = template
        self.source = source
    }

    private mutating func run() throws -> [Node] {
        while let tag = try nextTag() { try handle(tag) }
        flush(upTo: source.count)
        guard frames.count == 1 else {
            throw error(
                "{{\(frames[frames.count - 1].name)}} is never closed", frames[frames.count - 1].offset)
        }
        return frames[0].nodes
    }

    private mutating func handle(_ tag: Tag) throws {
        switch tag.sigil {
        case UInt8(ascii: "#"): open(tag, .section(Name(tag.name), inverted: false))
        case UInt8(ascii: "^"): open(tag, .section(Name(tag.name), inverted: true))
        case UInt8(ascii: "$"): openBlock(tag)
        case UInt8(ascii: "<"): openParent(tag)
        case UInt8(ascii: "/"): try close(tag)
        case UInt8(ascii: "!"): _ = takeLine(of: tag)
        case UInt8(ascii: ">"):
            let indent = takeLine(of: tag)
            append(.partial(tag.name, indent: indent))
        case UInt8(ascii: "{"), UInt8(ascii: "&"):
            throw error("raw HTML is not written in templates", tag.start)
        case UInt8(ascii: "="): throw error("delimiters cannot be changed", tag.start)
        default:
            flush(upTo: tag.start)
            textStart = tag.end
            append(.variable(Name(tag.name)))
        }
    }

    // MARK: Opening

    private mutating func open(_ tag: Tag, _ kind: Frame.Kind) {
        _ = takeLine(of: tag)
        frames.append(Frame(kind: kind, name: tag.name, offset: tag.start))
    }

    private mutating func openBlock(_ tag: Tag) {
        let lineStart = lineStart(before: tag.start)
        flush(upTo: lineStart ?? tag.start)
        let lineEnd = lineEnd(after: tag.end)
        let startsOnNextLine = lineEnd?.hasNewline ?? false
        textStart = startsOnNextLine ? (lineEnd?.next ?? tag.end) : tag.end
        let indent = lineStart.map { Array(source[$0..<tag.start]) } ?? []
        let kind = Frame.Kind.block(
            indent: indent, opensLine: lineStart != nil, startsOnNextLine: startsOnNextLine)
        frames.append(Frame(kind: kind, name: tag.name, offset: tag.start))
    }

    private mutating func openParent(_ tag: Tag) {
        let lineStart = lineStart(before: tag.start)
        flush(upTo: lineStart ?? tag.start)
        textStart = tag.end
        let space = lineStart.map { Array(source[$0..<tag.start]) }
        frames.append(Frame(kind: .parent(space: space), name: tag.name, offset: tag.start))
    }

    // MARK: Closing

    private mutating func close(_ tag: Tag) throws {
        guard frames.count > 1, let frame = frames.last, frame.name == tag.name else {
            throw error("{{/\(tag.name)}} closes nothing that is open", tag.start)
        }
        switch frame.kind {
        case .root: break
        case .section(let name, let inverted):
            _ = takeLine(of: tag)
            let nodes = frames.removeLast().nodes
            append(.section(name, inverted: inverted, nodes))
        case .block(let indent, let opensLine, let startsOnNextLine):
            closeBlock(tag, indent: indent, opensLine: opensLine, startsOnNextLine: startsOnNextLine)
        case .parent(let space): closeParent(tag, space: space)
        }
    }

    private mutating func closeBlock(_ tag: Tag, indent: [UInt8], opensLine: Bool, startsOnNextLine: Bool) {
        let lineStart = lineStart(before: tag.start)
        flush(upTo: max(textStart, lineStart ?? tag.start))
        textStart = tag.end
        var endsLine = false
        if opensLine, let end = lineEnd(after: tag.end), end.hasNewline {
            textStart = end.next
            endsLine = !(startsOnNextLine && lineStart != nil)
        }
        let frame = frames.removeLast()
        var block = Block(name: frame.name, indent: indent, content: frame.nodes, endsLine: endsLine)
        if startsOnNextLine { block.moveIndentOutOfContent() }
        append(.block(block))
    }

    private mutating func closeParent(_ tag: Tag, space: [UInt8]?) {
        textStart = tag.end
        var indent: [UInt8] = []
        let frame = frames.removeLast()
        if let space {
            if let end = lineEnd(after: tag.end) {
                textStart = end.next
                indent = space
            } else if !space.isEmpty {
                append(.literal(space))
            }
        }
        var blocks: [String: [Node]] = [:]
        for case .block(let block) in frame.nodes { blocks[block.name] = block.content }
        append(.parent(Parent(name: frame.name, indent: indent, blocks: blocks)))
    }

    // MARK: Text

    /// Ends the text before a tag. A tag alone on its line removes the line.
    /// - Returns: the white space before such a tag.
    private mutating func takeLine(of tag: Tag) -> [UInt8] {
        guard let start = lineStart(before: tag.start), let end = lineEnd(after: tag.end) else {
            flush(upTo: tag.start)
            textStart = tag.end
            return []
        }
        flush(upTo: start)
        textStart = end.next
        return Array(source[start..<tag.start])
    }

    private mutating func flush(upTo end: Int) {
        if end > textStart { append(.literal(Array(source[textStart..<end]))) }
        textStart = max(textStart, end)
    }

    private mutating func append(_ node: Node) { frames[frames.count - 1].nodes.append(node) }

    /// The beginning of the line, if only white space stands between it and the offset.
    private func lineStart(before offset: Int) -> Int? {
        var index = offset
        while index > 0, source[index - 1] == UInt8(ascii: " ") || source[index - 1] == UInt8(ascii: "\t") {
            index -= 1
        }
        return index == 0 || source[index - 1] == UInt8(ascii: "\n") ? index : nil
    }

    /// The beginning of the next line, if only white space stands between the offset and the end of this one.
    private func lineEnd(after offset: Int) -> (next: Int, hasNewline: Bool)? {
        var index = offset
        while index < source.count,
            [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains(source[index])
        {
            index += 1
        }
        if index == source.count { return (index, false) }
        return source[index] == UInt8(ascii: "\n") ? (index + 1, true) : nil
    }

    // MARK: Tags

    private mutating func nextTag() throws -> Tag? {
        guard let start = find("{{", from: position) else { return nil }
        let inner = start + 2
        let isRaw = inner < source.count && source[inner] == UInt8(ascii: "{")
        guard let end = find(isRaw ? "}}}" : "}}", from: inner) else {
            throw error("{{ is never closed", start)
        }
        position = end + (isRaw ? 3 : 2)
        var content = source[inner..<end]
        let sigils = Array("#^/!><$&={".utf8)
        let space = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r")]
        while let first = content.first, space.contains(first) { content.removeFirst() }
        let sigil = content.first.flatMap { sigils.contains($0) ? $0 : nil }
        if sigil != nil { content.removeFirst() }
        while let first = content.first, space.contains(first) { content.removeFirst() }
        while let last = content.last, space.contains(last) { content.removeLast() }
        let name = String(decoding: content, as: UTF8.self)
        if name.isEmpty && sigil != UInt8(ascii: "!") { throw error("a tag without a name", start) }
        return Tag(sigil: sigil ?? 0, name: name, start: start, end: position)
    }

    private func find(_ text: String, from start: Int) -> Int? {
        let pattern = Array(text.utf8)
        guard source.count >= pattern.count else { return nil }
        var index = start
        while index <= source.count - pattern.count {
            if source[index..<(index + pattern.count)].elementsEqual(pattern) { return index }
            index += 1
        }
        return nil
    }

    private func error(_ reason: String, _ offset: Int) -> TemplateError {
        let line = source[..<offset].count { $0 == UInt8(ascii: "\n") } + 1
        return TemplateError(template: template, line: line, reason: reason)
    }
}
