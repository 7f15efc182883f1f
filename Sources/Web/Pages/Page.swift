import HTTP
import Identity
import JSON
import Wording

/// A page: the values of one template. The pipeline adds the frame around it (account, navigation, form token).
package protocol Page: Encodable, Sendable {
    /// The template's name: `patients/index`.
    static var template: String { get }
    /// Its entry in the navigation; nil for pages outside of it.
    static var section: NavigationItem? { get }
    /// The browser's own doors that it opens, as `Permissions-Policy` says it; nil for none, which is nearly always.
    var permissions: String? { get }
    /// The ticket of what its form carries, which a change of the language keeps; nil for none.
    var carried: String? { get }
}

extension Page {
    package static var section: NavigationItem? { nil }
    package var permissions: String? { nil }
    package var carried: String? { nil }
}

/// What a handler answers.
package enum Reply: Sendable {
    /// - Parameters:
    ///   - cookies: sent with the answer, as where a session begins.
    ///   - notice: what the page says about the form on it.
    case page(any Page, status: Int = 200, cookies: [NewCookie] = [], notice: FormNotice? = nil)
    /// - Parameter undo: where the line's button leads that undoes what was done; an ordinary form of the portal.
    case seeOther(String, flash: Message? = nil, undo: String? = nil, cookies: [NewCookie] = [])
    /// Back to a page, which says that it could not be done, and why.
    case refused(String, Message)
    case response(Response)

    /// JSON in its envelope.
    package static func data(_ value: some Encodable, status: Int = 200) throws -> Reply {
        .response(Response(status: status, type: MediaType.json, try JSONWriter.bytes(of: value)))
    }
}

/// Why a form is shown again though nothing in it is wrong.
package enum FormNotice: Sendable {
    /// The same page has sent a form before, with other content; the page says what it made.
    case sentBefore(SentBefore)
    /// What it writes over was changed since it was drawn.
    case changedMeanwhile
    /// It cannot be done as things stand; the page says why.
    case refused(Message)
}

/// A link to another view of a page: a filter, a tab.
package struct PageLink: Encodable, Sendable {
    package let label: String
    package let path: String
    package let isCurrent: Bool

    package init(label: String, path: String, isCurrent: Bool = false) {
        self.label = label
        self.path = path
        self.isCurrent = isCurrent
    }
}

/// One field of a form, ready to be drawn by `shared/_field`.
package struct FieldView: Encodable, Sendable {
    package struct Choice: Encodable, Sendable {
        package let value: String
        package let label: String
        package let isChosen: Bool

        package init(value: String, label: String, isChosen: Bool) {
            self.value = value
            self.label = label
            self.isChosen = isChosen
        }
    }

    /// Also the field's id in the page.
    package var name: String
    /// The field's name in the request, where several forms of a page have the same field.
    package var sends: String?
    package var label: String
    package var type = "text"
    package var value = ""
    package var hint: String?
    package var error: String?
    package var isRequired = false
    package var autocomplete: String?
    /// Filled for a list to choose from.
    package var choices: [Choice] = []
    package var isSelect = false
    package var isArea = false
    /// A box to tick. A hidden field before it says that it was on the page.
    package var isCheck = false
    /// The language of the value, where it is not the page's.
    package var lang: String?
    package var inputMode: String?
    /// What a typed number or time may mean, where that is asked.
    package var readings: [Reading] = []
    /// The steps of a time, in seconds.
    package var step: String?
    /// The stored value, where another account has changed it meanwhile.
    package var stored: Stored?
    /// A digest of the value that is stored as the field is drawn; nil for what is not compared.
    package var shown: String?

    /// A stored value, with words for ticked, unticked and empty.
    package struct Stored: Sendable {
        package let value: String
        package let yes, no, empty: String
    }

    private var storedText: String? {
        guard let stored else { return nil }
        if isCheck { return stored.value.isEmpty ? stored.no : stored.yes }
        let label = isSelect ? choices.first { $0.value == stored.value }?.label : nil
        return label ?? (stored.value.isEmpty ? stored.empty : stored.value)
    }

    var describedBy: String? {
        let ids =
            (hint == nil ? [] : ["\(name)-hint"]) + (error == nil ? [] : ["\(name)-error"])
            + (stored == nil ? [] : ["\(name)-stored"])
        return ids.isEmpty ? nil : ids.joined(separator: " ")
    }

    package init(
        name: String, sends: String? = nil, label: String, type: String = "text", value: String = "",
        hint: String? = nil, error: String? = nil, isRequired: Bool = false, autocomplete: String? = nil,
        choices: [Choice] = [], isSelect: Bool = false, isArea: Bool = false, isCheck: Bool = false,
        lang: String? = nil, inputMode: String? = nil, stored: Stored? = nil
    ) {
        self.name = name
        self.sends = sends
        self.label = label
        self.type = type
        self.value = value
        self.hint = hint
        self.error = error
        self.isRequired = isRequired
        self.autocomplete = autocomplete
        self.choices = choices
        self.isSelect = isSelect
        self.isArea = isArea
        self.isCheck = isCheck
        self.lang = lang
        self.inputMode = inputMode
        self.stored = stored
    }

    private enum CodingKeys: String, CodingKey {
        case name, sends, label, type, value, hint, error, isRequired, autocomplete, choices, isSelect,
            isArea, isCheck, isFile, isPlain, lang, inputMode, readings, isAsked, step, stored, shown
        case describedBy
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(sends ?? name, forKey: .sends)
        try container.encode(label, forKey: .label)
        try container.encode(type, forKey: .type)
        try container.encode(value, forKey: .value)
        try container.encodeIfPresent(hint, forKey: .hint)
        try container.encodeIfPresent(error, forKey: .error)
        try container.encode(isRequired, forKey: .isRequired)
        try container.encodeIfPresent(autocomplete, forKey: .autocomplete)
        try container.encode(choices, forKey: .choices)
        try container.encode(isSelect, forKey: .isSelect)
        try container.encode(isArea, forKey: .isArea)
        try container.encode(isCheck, forKey: .isCheck)
        try container.encode(!isSelect && !isArea && !isCheck, forKey: .isPlain)
        // Browsers cannot be given a file to start with.
        try container.encode(type == "file", forKey: .isFile)
        try container.encodeIfPresent(lang, forKey: .lang)
        try container.encodeIfPresent(inputMode, forKey: .inputMode)
        try container.encode(readings, forKey: .readings)
        try container.encode(!readings.isEmpty, forKey: .isAsked)
        try container.encodeIfPresent(step, forKey: .step)
        try container.encodeIfPresent(storedText, forKey: .stored)
        try container.encodeIfPresent(shown, forKey: .shown)
        try container.encodeIfPresent(describedBy, forKey: .describedBy)
    }
}
