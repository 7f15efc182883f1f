/// Reads `multipart/form-data` (RFC 7578) as a form; the text of a file is the value of its field. Files that are no
/// UTF-8 are dropped, except pictures.
enum Multipart {
    /// The boundary that a media type names.
    static func boundary(_ contentType: String) -> [UInt8]? {
        for part in contentType.split(separator: ";").dropFirst() {
            let text = part.trimmingBlanks()
            guard text.lowercased().hasPrefix("boundary=") else { continue }
            let value = text.dropFirst("boundary=".count).filter { $0 != "\"" }
            return (1...70).contains(value.utf8.count) ? Array(value.utf8) : nil
        }
        return nil
    }

    /// Nil for bytes that are no such form.
    static func fields(_ bytes: [UInt8], boundary: [UInt8]) -> [Form.Field]? {
        let body = bytes[...]
        let line = Array("--".utf8) + boundary
        var fields: [Form.Field] = []
        guard var start = find(line, in: body, from: 0) else { return nil }
        while true {
            start += line.count
            // Two dashes end the last part.
            if body[start...].starts(with: Array("--".utf8)) { return fields }
            // The line end behind a boundary is not the one before the next: a part has at least its head.
            guard body[start...].starts(with: [13, 10]),
                let end = find([13, 10] + line, in: body, from: start + 2), fields.count < 2_000,
                let field = field(body[(start + 2)..<end])
            else { return nil }
            fields.append(field)
            start = end + 2
        }
    }

    private static func field(_ part: ArraySlice<UInt8>) -> Form.Field? {
        let blank: [UInt8] = [13, 10, 13, 10]
        guard let end = find(blank, in: part, from: part.startIndex),
            let head = String(validating: part[..<end], as: UTF8.self),
            let name = name(in: head)
        else { return nil }
        let bytes = part[(end + blank.count)...]
        if head.lowercased().contains("\r\ncontent-type: image/") {
            return Form.Field(name, "", picture: bytes.isEmpty ? nil : Array(bytes))
        }
        return Form.Field(name, bytes: bytes, file: parameter("filename", in: head))
    }

    /// The media type that the client claims for a file, in lower case; empty without one.
    static func mediaType(in head: String) -> String {
        for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix("content-type:") {
            return line.dropFirst("content-type:".count).split(separator: ";").first?.trimmingBlanks()
                .lowercased()
                ?? ""
        }
        return ""
    }

    private static func name(in head: String) -> String? { parameter("name", in: head) }

    static func parameter(_ name: String, in head: String) -> String? {
        let start = "\(name)=\""
        for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix("content-disposition:") {
            for piece in line.split(separator: ";") {
                let text = piece.trimmingBlanks()
                if text.utf8.count > start.utf8.count, text.hasPrefix(start), text.hasSuffix("\"") {
                    return String(text.dropFirst(start.count).dropLast())
                }
            }
        }
        return nil
    }

    private static func find(_ needle: [UInt8], in bytes: ArraySlice<UInt8>, from start: Int) -> Int? {
        var index = start
        while index + needle.count <= bytes.endIndex {
            if bytes[index] == needle[0], bytes[index..<(index + needle.count)].elementsEqual(needle) {
                return index
            }
            index += 1
        }
        return nil
    }
}
