import HTTP
import Records
import Wire

/// A form that was sent after its session had ended.
package struct InterruptedForm: Remembered {
    package struct Field: Sendable, Codable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package let action: String
    package let fields: [Field]
    /// The values that were typed or chosen, to be looked at.
    package var values: [String] {
        fields.filter { !$0.value.isEmpty && !ShownFields.isMark($0.name) }.map(\.value)
    }
    package let account: ID<Account>
    package let until: Instant

    /// Passwords and files are never kept.
    /// - Returns: nil when nothing worth keeping is left.
    package init?(_ request: Request, action: String, account: ID<Account>, now: Instant) {
        guard request.method == .post, let form = Form(body: request) else { return nil }
        let kept = form.fields.filter {
            $0.name != "form_token" && !$0.name.contains("password") && !$0.value.utf8.contains(0)
        }
        // What a form showed when it was drawn is kept with it, and is no reason to keep it.
        guard kept.contains(where: { !$0.value.isEmpty && !ShownFields.isMark($0.name) }) else { return nil }
        self.action = action
        self.account = account
        until = now.adding(seconds: 1800)
        fields = kept.map { Field(name: $0.name, value: $0.value) }
    }
}

/// Keeps forms until their owner has signed in again.
package final class InterruptedForms: Sendable {
    private let memory: ShortMemory

    init(_ memory: ShortMemory) { self.memory = memory }

    private static func name(_ cookie: String) -> String { "form \(cookie)" }

    func keep(_ form: InterruptedForm, for cookie: String, now: Instant) throws {
        try memory.change(Self.name(cookie), now: now) { $0 = form }
    }

    /// Follows the browser to its new cookie.
    package func move(from old: String, to new: String, now: Instant) throws {
        guard try memory.read(Self.name(old), as: InterruptedForm.self, now: now) != nil else { return }
        try memory.change([old, new].map(Self.name), now: now) { (forms: inout [InterruptedForm?]) in
            forms = [nil, forms[0] ?? forms[1]]
        }
    }

    /// Nil when there is none, and when another account had typed it.
    package func take(_ cookie: String, of account: ID<Account>, now: Instant) throws -> InterruptedForm? {
        let name = Self.name(cookie)
        guard try memory.read(name, as: InterruptedForm.self, now: now) != nil else { return nil }
        let form = try memory.change(name, now: now) { (form: inout InterruptedForm?) in
            defer { form = nil }
            return form
        }
        return form?.account == account ? form : nil
    }
}
