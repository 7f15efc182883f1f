import Foundation
import HTTP

/// A form of a drawn page, as a browser sends it.
struct GalleryForm {
    let address: String
    let isSent: Bool
    /// As it stands, and with something in every field that stands empty.
    private(set) var standing: [Form.Field] = []
    private(set) var filled: [Form.Field] = []

    private static let ending = [
        "password", "removal", "deletion", "erasure", "closure", "revocation", "end-therapy", "hand-over",
        "leaving",
        "withdrawal", "archive", "discard", "tablet",
    ]

    /// Whether something is over after it: a device, a therapy, an account.
    var isEnding: Bool { Self.ending.contains { address.contains($0) } }

    static func all(in html: String, on page: String) -> [GalleryForm] {
        html.components(separatedBy: "<form ").dropFirst().map { text in
            let body = text.components(separatedBy: "</form>")[0]
            var form = GalleryForm(
                address: attribute("action", of: " " + body.prefix { $0 != ">" }) ?? page,
                isSent: body.prefix { $0 != ">" }.contains("method=\"post\""))
            form.read(body)
            return form
        }
    }

    private mutating func read(_ body: String) {
        var list = ""
        for tag in body.components(separatedBy: "<").dropFirst() {
            let head = tag.prefix { $0 != ">" }
            let name = Self.attribute("name", of: head)
            let value = Self.attribute("value", of: head) ?? ""
            switch (tag.prefix { $0.isLetter }, name) {
            case ("input", let name?): read(input: name, value, head)
            case ("textarea", let name?):
                let text = Self.plain(tag.dropFirst(head.count + 1))
                put(name, standing: text, filled: text.isEmpty ? "Winter" : text)
            case ("select", let name?): list = name
            case ("option", _): choose(list, value, isChosen: head.contains(" selected"), stands: true)
            case ("button", let name?) where !standing.contains { $0.name == name }:
                put(name, standing: value, filled: value)
            default: continue
            }
        }
    }

    private mutating func read(input name: String, _ value: String, _ head: Substring) {
        let type = Self.attribute("type", of: head) ?? "text"
        switch type {
        case "file": return
        case "radio": choose(name, value, isChosen: head.contains(" checked"), stands: false)
        case "checkbox": put(name, standing: head.contains(" checked") ? value : nil, filled: value)
        case "hidden": put(name, standing: value, filled: value)
        default: put(name, standing: value, filled: value.isEmpty ? Self.typed(type) : value)
        }
    }

    /// One of several: what is chosen counts, without it the first of a list, and what is no blank where something is filled in.
    private mutating func choose(_ name: String, _ value: String, isChosen: Bool, stands: Bool) {
        let field = Form.Field(name, value)
        let isFirst = { (fields: [Form.Field]) in !fields.contains { $0.name == name } }
        if isChosen || stands && isFirst(standing) { standing.insert(field, at: 0) }
        if isChosen && !value.isEmpty || !value.isEmpty && isFirst(filled) { filled.insert(field, at: 0) }
    }

    private mutating func put(_ name: String, standing: String?, filled: String?) {
        if let standing { self.standing.append(Form.Field(name, standing)) }
        if let filled { self.filled.append(Form.Field(name, filled)) }
    }

    private static func typed(_ type: String) -> String {
        switch type {
        case "email": "winter@example.org"
        case "number": "1"
        case "date": "2030-01-07"
        case "time": "10:00"
        case "datetime-local": "2030-01-07T10:00"
        case "password": DemonstrationClinic.password
        default: "Winter"
        }
    }

    static func attribute(_ name: String, of tag: some StringProtocol) -> String? {
        guard let begin = tag.range(of: " \(name)=\"") else { return nil }
        return plain(tag[begin.upperBound...].prefix { $0 != "\"" })
    }

    private static func plain(_ text: some StringProtocol) -> String {
        String(text).replacing("&quot;", with: "\"").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
            .replacing("&#39;", with: "'").replacing("&#x3D;", with: "=").replacing("&amp;", with: "&")
    }
}
