import Foundation
import HTTP
import JSON
import Records
import Wire
import Wording

/// Reads the named fields of a JSON body or of a form, noting every error instead of stopping at the first.
/// Nothing is silently dropped: `finish` refuses JSON fields that were not read.
package final class InputReader {
    private let values: [(name: String, value: JSON)]
    /// Whether a form is read, in which an absent box is a no and an empty field is absent.
    package let isForm: Bool
    /// The form that is read; without a field for a call.
    package let form: Form
    private let prefix: String
    private var asked: Set<String> = []
    package private(set) var errors = FieldErrors()
    /// Fields out of which invisible signs were taken.
    package private(set) var cleaned: [String] = []

    /// Whether a form is read, also one in the shape of a call: its texts may be typed numbers, its names may come twice.
    package let hasTypedNumbers: Bool

    /// - Parameter hasTypedNumbers: for the fields of a form in the shape of a call.
    package init(json: JSON, prefix: String = "", hasTypedNumbers: Bool = false) {
        self.hasTypedNumbers = hasTypedNumbers
        if case .object(let members) = json {
            values = members.map { ($0.key, $0.value) }
        } else {
            values = []
        }
        isForm = false
        form = Form()
        self.prefix = prefix
    }

    /// Fields of a form are all text or files; empty ones count as absent.
    /// - Parameter several: the fields of which more than one file may come.
    package init(form: Form, several: Set<String> = []) {
        values = form.fields.map { ($0.name, .string($0.value)) }
        isForm = true
        hasTypedNumbers = true
        self.form = form
        prefix = ""
        asked = refuseFilesTwice(but: several)
    }

    /// The names of the fields sent, in their order.
    package var names: [String] { values.map(\.name) }

    /// Whether the field was sent at all, as null too.
    package func has(_ name: String) -> Bool { values.contains { $0.name == name } }

    /// The raw value; nil when absent or null.
    package func value(_ name: String) -> JSON? {
        if asked.insert(name).inserted, hasTypedNumbers { refuseTwice(name, values) }
        guard let value = values.first(where: { $0.name == name })?.value, value != .null else { return nil }
        if isForm, case .string(let text) = value, text.isEmpty { return nil }
        return value
    }

    package func refuse(_ name: String, _ key: String, _ values: [String: String] = [:]) {
        errors.add(prefix + name, key, values)
    }

    /// Adds errors found elsewhere.
    package func refuse(_ other: FieldErrors) { errors.add(other) }

    func noteCleaned(_ name: String) {
        if !cleaned.contains(prefix + name) { cleaned.append(prefix + name) }
    }

    /// Composed text without outer blanks. An area keeps line breaks and loses other control characters, which are refused
    /// in a line; a line loses overrides.
    package func text(_ name: String, required: Bool = false, limit: Int = 200, lines: Bool = false)
        -> String?
    {
        guard let value = value(name) else {
            if required { refuse(name, "errors.required") }
            return nil
        }
        guard case .string(let raw) = value else {
            refuse(name, "errors.text")
            return nil
        }
        let text =
            lines
            ? Self.composed(TypedLines.read(raw)) : cleaning(Self.composed(raw), of: Self.isOverride, name)
        if text.isEmpty {
            if required { refuse(name, "errors.required") }
            return nil
        }
        guard text.unicodeScalars.count <= limit else {
            refuse(name, "errors.too_long", ["limit": String(limit)])
            return nil
        }
        guard lines || !text.unicodeScalars.contains(where: \.isControl) else {
            refuse(name, "errors.control_characters")
            return nil
        }
        return text
    }

    /// Text exactly as typed: passwords.
    package func secret(_ name: String, required: Bool = true) -> String? {
        guard let value = value(name) else {
            if required { refuse(name, "errors.required") }
            return nil
        }
        guard case .string(let text) = value, text.unicodeScalars.count <= 4096 else {
            refuse(name, value.string == nil ? "errors.text" : "errors.too_long", ["limit": "4096"])
            return nil
        }
        return text
    }

    package func bool(_ name: String) -> Bool? {
        guard var value = value(name) ?? (isForm ? .string("") : nil) else { return nil }
        // The hidden field before a box only shows that the box was on the page.
        if isForm, let last = values.last(where: { $0.name == name })?.value { value = last }
        if isForm && value == .string("") { return nil }
        switch value {
        case .bool(let answer): return answer
        case .string("on"), .string("true"):
            if isForm { return true }
        case .string("false"):
            if isForm { return false }
        default: break
        }
        refuse(name, "errors.yes_no")
        return nil
    }

    /// A box: not ticked in a form it is a no, not sent in a call it stays as it is.
    package func box(_ name: String, over existing: Bool) -> Bool {
        bool(name) ?? (isForm ? false : existing)
    }

    /// Text that must not be empty: a form's empty field counts as absent, an empty string in JSON is a wrong value.
    func word(_ name: String, required: Bool, or key: String, _ values: [String: String] = [:]) -> String? {
        if !isForm, case .string(let text)? = value(name), text.allSatisfy(\.isWhitespace) {
            refuse(name, key, values)
            return nil
        }
        return text(name, required: required)
    }

    package func choice(_ name: String, from choices: [String], required: Bool = false) -> String? {
        guard let text = word(name, required: required, or: "errors.choice") else { return nil }
        guard choices.contains(text) else {
            refuse(name, "errors.choice")
            return nil
        }
        return text
    }

    /// One of the cases of a closed set, which is sent as its raw value.
    package func choice<Case: CaseIterable & RawRepresentable<String>>(
        _ name: String, required: Bool = false
    ) -> Case? {
        choice(name, from: Case.allCases.map(\.rawValue), required: required).flatMap(Case.init(rawValue:))
    }

    package func date(_ name: String, required: Bool = false) -> LocalDate? {
        guard let text = word(name, required: required, or: "errors.date") else { return nil }
        guard let date = LocalDate(text) else {
            refuse(name, "errors.date")
            return nil
        }
        return date
    }

    /// RFC 3339 with an offset.
    package func time(_ name: String, required: Bool = false) -> Instant? {
        guard let text = word(name, required: required, or: "errors.time") else { return nil }
        guard let time = Instant(text) else {
            refuse(name, "errors.time")
            return nil
        }
        return time
    }

    package func id<Entity>(_ name: String, required: Bool = false) -> ID<Entity>? {
        guard let text = word(name, required: required, or: "errors.id") else { return nil }
        guard let id = ID<Entity>(uuid: text) else {
            refuse(name, "errors.id")
            return nil
        }
        return id
    }

    /// A JSON object inside this one; its errors carry its name and a dot.
    package func object(_ name: String) -> InputReader? {
        guard let value = value(name) else { return nil }
        guard case .object = value else {
            refuse(name, "errors.object")
            return nil
        }
        return inner(value, name + ".")
    }

    /// Reads an object inside this one.
    /// - Parameter place: its name, with a full stop behind it.
    package func inner(_ value: JSON, _ place: String) -> InputReader {
        InputReader(json: value, prefix: prefix + place, hasTypedNumbers: hasTypedNumbers)
    }

    /// Adds the errors of an object read with `object`.
    package func adopt(_ inner: InputReader?) {
        guard let inner else { return }
        inner.noteUnknown()
        errors.add(inner.errors)
        cleaned += inner.cleaned
    }

    /// - Throws: `Problem.invalid` with all errors found.
    package func finish() throws(Problem) {
        noteUnknown()
        if !errors.isEmpty { throw .invalid(errors) }
    }

    private func noteUnknown() {
        guard !isForm else { return }
        for field in values where !asked.contains(field.name) && !errors.isFull {
            // The name comes from outside: only its beginning is shown.
            refuse(String(field.name.prefix(60)), "errors.unknown_field")
            asked.insert(field.name)
        }
    }
}
