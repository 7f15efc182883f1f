/// Named values of a query or of an `application/x-www-form-urlencoded` body, in their order. Of several values with
/// the same name the first one counts, everywhere.
public struct Form: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    public struct Field: Sendable, Equatable {
        public let name: String
        public let value: String
        /// The bytes of a chosen picture; nil for all other fields.
        public let picture: [UInt8]?
        /// The name of a chosen file; nil for all other fields.
        public let file: String?
        /// False for bytes that are no UTF-8; the value is empty then.
        public let isText: Bool

        /// Whether a file was chosen.
        var isFile: Bool { picture != nil || !(file ?? "").isEmpty }

        public init(
            _ name: String, _ value: String, picture: [UInt8]? = nil, file: String? = nil, isText: Bool = true
        ) {
            self.name = name
            self.value = value
            self.picture = picture
            self.file = file
            self.isText = isText
        }

        /// A value sent as bytes. Browsers end lines with two characters, whatever the text had: here a line end is
        /// one character, so that an untouched text equals the stored one. A file stays as it is.
        init(_ name: String, bytes: some Collection<UInt8>, file: String? = nil) {
            let text = String(validating: bytes, as: UTF8.self)
            self.init(
                name, file == nil ? Self.withPlainLines(text ?? "") : text ?? "", file: file,
                isText: text != nil)
        }

        private static func withPlainLines(_ text: String) -> String {
            guard text.utf8.contains(13) else { return text }
            let bytes = Array(text.utf8)
            let kept = bytes.indices.filter { place in
                bytes[place] != 13 || place + 1 == bytes.count || bytes[place + 1] != 10
            }
            return String(decoding: kept.map { bytes[$0] }, as: UTF8.self)
        }
    }

    public private(set) var fields: [Field] = []
    private static let fieldLimit = 2_000

    public init() {}

    public init(_ fields: [Field]) { self.fields = fields }

    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field($0.0, $0.1) }
    }

    /// Nil for bytes that are no such form: broken percent signs, no UTF-8, NUL, or more than 2,000 fields.
    public init?(encoded bytes: some Collection<UInt8>) {
        self.init(encoded: bytes) { name, value in
            percentDecoded(value, plusIsBlank: true).map { Field(name, $0) }
        }
    }

    private init?(
        encoded bytes: some Collection<UInt8>, _ read: (_ name: String, _ value: ArraySlice<UInt8>) -> Field?
    ) {
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            let pieces = part.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard fields.count < Self.fieldLimit,
                let name = percentDecoded(pieces[0], plusIsBlank: true),
                let field = read(name, pieces.count > 1 ? ArraySlice(pieces[1]) : [])
            else { return nil }
            fields.append(field)
        }
    }

    /// The form in a request's body, as fields or with files; nil when there is none, or it is broken. Its values may
    /// hold NUL and bytes that are no text, so that the reader can name the field.
    public init?(body request: Request) {
        if let upload = request.upload {
            if upload.failure != nil { return nil }
            self.init(upload.fields + upload.files.map { Field($0.field, "", file: $0.name) })
            return
        }
        switch request.mediaType {
        case "application/x-www-form-urlencoded":
            self.init(encoded: request.body) { name, value in
                percentBytes(value, plusIsBlank: true).map { Field(name, bytes: $0) }
            }
        case "multipart/form-data":
            guard let type = request.headers["Content-Type"], let boundary = Multipart.boundary(type),
                let read = Multipart.fields(request.body, boundary: boundary)
            else { return nil }
            self.init()
            fields = read
        default: return nil
        }
    }

    /// The first value of that name.
    public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The picture of that name; nil when none was chosen.
    public func picture(_ name: String) -> [UInt8]? {
        fields.first { $0.name == name && $0.picture != nil }?.picture
    }

    /// The chosen files of that name, in their order.
    public func files(_ name: String) -> [Field] {
        fields.filter { $0.name == name && !($0.value.isEmpty && ($0.file ?? "").isEmpty) }
    }

    /// The fields for which a file came and something else, too; each once.
    public var crowdedFiles: [String] {
        let sent = fields.filter { $0.isFile || !$0.value.isEmpty }
        var names: [String] = []
        for file in sent where file.isFile && !names.contains(file.name) {
            if sent.count(where: { $0.name == file.name }) > 1 { names.append(file.name) }
        }
        return names
    }

    /// All values of that name, for groups of boxes.
    public func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
}

/// Decodes percent signs; nil when the text is broken, no UTF-8, or holds a NUL.
func percentDecoded(_ bytes: some Collection<UInt8>, plusIsBlank: Bool) -> String? {
    guard let decoded = percentBytes(bytes, plusIsBlank: plusIsBlank), !decoded.contains(0) else {
        return nil
    }
    return String(validating: decoded, as: UTF8.self)
}

/// Decodes percent signs into bytes; nil for broken ones.
private func percentBytes(_ bytes: some Collection<UInt8>, plusIsBlank: Bool) -> [UInt8]? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "%"):
            guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit)
            else { return nil }
            decoded.append(high << 4 | low)
        case UInt8(ascii: "+") where plusIsBlank: decoded.append(UInt8(ascii: " "))
        default: decoded.append(byte)
        }
    }
    return decoded
}

private func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}

/// Encodes text as one part of a path or query: everything but letters, digits and `-._~`.
public func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            encoded.append(byte)
        default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
    return String(decoding: encoded, as: UTF8.self)
}
