/// The parts of a FHIRPath expression that plain sums are written with: chains, calls, texts, numbers, operators.
indirect enum FHIRPath {
    /// `%a`, without the sign.
    case variable(String)
    case text(String)
    case number(Double)
    /// `{}`
    case nothing
    /// Steps with what stands in their brackets: `%resource.item.where(linkId = 'a').answer`.
    case chain([Step])
    case operation(String, FHIRPath, FHIRPath)

    struct Step {
        let name: String
        /// Nil for a step without brackets.
        let arguments: [FHIRPath]?
    }

    /// Nil for what these parts do not make up.
    init?(_ source: String) {
        var parser = Parser(tokens: Parser.tokens(source))
        guard let path = parser.expression(), parser.isAtEnd else { return nil }
        self = path
    }

    private struct Parser {
        enum Token: Equatable {
            case word(String)
            case text(String)
            case number(Double)
            case sign(String)
        }

        let tokens: [Token]?
        private var position = 0
        private var depth = 0

        init(tokens: [Token]?) { self.tokens = tokens }

        var isAtEnd: Bool { position == tokens?.count }

        private static func isWord(_ byte: UInt8) -> Bool {
            (0x61...0x7a).contains(byte) || (0x41...0x5a).contains(byte) || isDigit(byte)
                || byte == UInt8(ascii: "_")
        }

        private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

        /// Longer ones than any sum; each operator is a step deeper.
        private static let longest = 20_000

        /// Nil where a text does not end.
        static func tokens(_ source: String) -> [Token]? {
            let bytes = Array(source.utf8)
            guard bytes.count <= longest else { return nil }
            var tokens: [Token] = []
            var index = 0
            func take(_ isPart: (UInt8) -> Bool) -> String {
                let start = index
                while index < bytes.count, isPart(bytes[index]) { index += 1 }
                return String(decoding: bytes[start..<index], as: UTF8.self)
            }
            while index < bytes.count {
                let byte = bytes[index]
                switch byte {
                case 0x20, 0x09, 0x0A, 0x0D: index += 1
                case UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "\""):
                    index += 1
                    let text = take { $0 != byte && $0 != UInt8(ascii: "\\") }
                    guard index < bytes.count, bytes[index] == byte else { return nil }
                    index += 1
                    tokens.append(byte == UInt8(ascii: "'") ? .text(text) : .word(text))
                case _ where isDigit(byte):
                    let digits = take { isDigit($0) || $0 == UInt8(ascii: ".") }
                    guard let number = Double(digits) else { return nil }
                    tokens.append(.number(number))
                case _ where isWord(byte): tokens.append(.word(take(isWord)))
                default:
                    index += 1
                    tokens.append(.sign(String(decoding: [byte], as: UTF8.self)))
                }
            }
            return tokens
        }

        private var next: Token? {
            guard let tokens, position < tokens.count else { return nil }
            return tokens[position]
        }

        private mutating func takes(_ sign: String) -> Bool {
            guard next == .sign(sign) else { return false }
            position += 1
            return true
        }

        /// How tightly each binds; the others are no part of sums.
        private static let ranks = [
            "implies": 0, "or": 1, "xor": 1, "and": 2, "in": 3, "contains": 3, "=": 4, "!": 4, "~": 4,
            "<": 5, ">": 5, "|": 6, "+": 7, "-": 7, "&": 7, "*": 8, "/": 8, "div": 8, "mod": 8,
        ]

        mutating func expression(above rank: Int = -1) -> FHIRPath? {
            depth += 1
            defer { depth -= 1 }
            guard depth < 50, var left = term() else { return nil }
            while let name = operatorName, let own = Self.ranks[name], own > rank {
                position += 1
                guard let right = expression(above: own) else { return nil }
                left = .operation(name, left, right)
            }
            return left
        }

        private var operatorName: String? {
            switch next {
            case .word(let name)?, .sign(let name)?: Self.ranks[name] == nil ? nil : name
            default: nil
            }
        }

        private mutating func term() -> FHIRPath? {
            switch next {
            case .text(let text)?:
                position += 1
                return .text(text)
            case .number(let number)?:
                position += 1
                return .number(number)
            default: break
            }
            if takes("{") { return takes("}") ? .nothing : nil }
            if takes("(") {
                guard let inner = expression(), takes(")") else { return nil }
                return next == .sign(".") ? nil : inner
            }
            return chain()
        }

        private mutating func chain() -> FHIRPath? {
            var steps: [Step] = []
            let isVariable = takes("%")
            repeat {
                let mark = takes("$") ? "$" : ""
                guard case .word(let name)? = next else { return nil }
                position += 1
                var arguments: [FHIRPath]?
                if takes("(") {
                    var list: [FHIRPath] = []
                    while !takes(")") {
                        guard list.isEmpty || takes(","), let argument = expression() else { return nil }
                        list.append(argument)
                    }
                    arguments = list
                }
                steps.append(
                    Step(name: (steps.isEmpty && isVariable ? "%" : mark) + name, arguments: arguments))
            } while takes(".")
            if steps.count == 1, isVariable, steps[0].arguments == nil {
                return .variable(String(steps[0].name.dropFirst()))
            }
            return .chain(steps)
        }
    }
}
