import HTTP
import Locks
import Records
import Wire

/// A form that was sent after the session had ended.
package struct InterruptedForm: Sendable {
    package struct Field: Sendable, Encodable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package let action: String
    package let fields: [Field]
    package let account: ID<Account>
    package let until: Instant

    /// Passwords are never kept, files neither.
    /// - Returns: nil when nothing is left that is worth keeping.
    package init?(_ request: Request, action: String, account: ID<Account>, now: Instant) {
        guard request.method == .post, let form = Form(body: request) else { return nil }
        let kept = form.fields.filter {
            $0.name != "form_token" && !$0.name.contains("password") && !$0.value.utf8.contains(0)
        }
        guard kept.contains(where: { !$0.value.isEmpty }) else { return nil }
        self.action = action
        self.account = account
        until = now.adding(seconds: 1800)
        fields = kept.map { Field(name: $0.name, value: $0.value) }
    }

    fileprivate var size: Int { fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } }
}

/// Keeps such forms until their owner has signed in again, in memory only: what people type about patients is not to
/// lie on disk for it.
package final class InterruptedForms: Sendable {
    private let forms = Lock<[String: InterruptedForm]>([:])
    private static let bytes = 16 * 1024 * 1024

    func keep(_ form: InterruptedForm, for cookie: String, now: Instant) {
        forms.withLock { forms in
            forms = forms.filter { $0.value.until > now }
            let used = forms.values.reduce(0) { $0 + $1.size }
            if used + form.size <= Self.bytes { forms[cookie] = form }
        }
    }

    /// The browser gets another cookie.
    package func move(from old: String, to new: String) {
        forms.withLock { forms in
            if let form = forms.removeValue(forKey: old) { forms[new] = form }
        }
    }

    /// Nil when there is none, and when somebody else had typed it.
    package func take(_ cookie: String, of account: ID<Account>, now: Instant) -> InterruptedForm? {
        let form = forms.withLock { $0.removeValue(forKey: cookie) }
        guard let form, form.account == account, form.until > now else { return nil }
        return form
    }
}
