import Database
import Foundation
import HTTP
import Identity
import Locks
import Records
import Wire
import Wording

/// A form of the portal as an account sent it. Every page that is drawn names itself in the token of its forms, so that a
/// form of one page is known when it arrives again: it acts once (RP-207).
package final class SentForm: Sendable {
    /// The form whose route is running; nil for calls, for scripts, and for forms without an account.
    @TaskLocal static var current: SentForm?

    /// A keyed digest of account, address and page: other accounts and other forms have names of their own.
    let name: String
    /// A keyed digest of what was sent.
    let content: String
    let sentAt: Instant

    private let state = Lock<(isWritten: Bool, earlier: EarlierForm?)>((false, nil))

    /// - Returns: nil for a request that carries no page's name: scripts say themselves what they send again, and pages that
    ///   are kept on a device are sent on many days.
    init?(_ request: Request, of account: ID<Account>, _ keys: Keyring, at now: Instant) {
        guard request.method == .post, !request.wantsNoPage, let form = Form(body: request),
            let page = form["form_token"].flatMap(Keyring.page(ofToken:))
        else { return nil }
        let address = request.path.map(percentEncoded).joined(separator: "/")
        name = keys.lookup(remembered: "form \(account) \(address) \(page)")
        content = keys.lookup(remembered: "form of \(name) \(Self.digest(of: form, request))")
        sentAt = now
    }

    /// How long a form is known, in seconds.
    static let kept: Int64 = 2 * 86_400

    /// Another form that this page has sent already, with other content.
    var otherwise: EarlierForm? { state.withLock { $0.earlier } }

    func note(otherwise earlier: EarlierForm) { state.withLock { $0.earlier = earlier } }

    /// Whether a transaction of the route has kept the form.
    var isWritten: Bool { state.withLock { $0.isWritten } }

    /// Before the first thing that its route writes: one of two that arrive at once, by two portals, is the earlier one.
    /// - Throws: `SentBefore` for the other one.
    func keep(_ connection: borrowing Connection) throws {
        if isWritten { return }
        if let earlier = try SentFormStore.find(name, connection) { throw SentBefore(earlier, by: self) }
        try SentFormStore.insert(self, connection)
    }

    /// Behind what its route has written.
    func noteWritten() { state.withLock { $0.isWritten = true } }

    /// Every field with its length, so that no two forms give the same text. The token is no content.
    private static func digest(of form: Form, _ request: Request) -> String {
        var pieces = request.query.fields.flatMap { [$0.name, $0.value] }
        for field in form.fields where field.name != "form_token" {
            pieces += [field.name, field.value, field.file ?? ""]
            if let picture = field.picture { pieces.append(Assets.tag(picture)) }
        }
        for file in request.upload?.files ?? [] {
            // One that cannot be read is like no other.
            pieces += [file.field, file.name, (try? HashedFiles.hash(of: file.path)) ?? file.path]
        }
        return pieces.map { "\($0.utf8.count):\($0)" }.joined()
    }
}

/// What is kept of a form that was sent.
struct EarlierForm: Sendable {
    /// Where the answer led, and what it said there.
    struct Answer: Codable, Sendable {
        let path: String
        let said: String?
        let values: [String: String]

        init(path: String, _ said: Message?) {
            self.path = path
            self.said = said?.key
            values = said?.values ?? [:]
        }

        var message: Message? { said.map { Message($0, values) } }
    }

    let content: String
    let sentAt: Instant
    /// Sealed; nil where the answer was a page, which is not kept: it may show a code or an address once.
    let sealed: [UInt8]?

    /// Nil where there is none, and where the installation's key is another one since.
    func answer(_ name: String, _ keys: Keyring) -> Answer? {
        guard let sealed, let bytes = try? keys.open(sealed, from: Self.place(name)) else { return nil }
        return try? JSONDecoder().decode(Answer.self, from: Data(bytes))
    }

    static func place(_ name: String) -> SealContext { SealContext("sent_forms", name, "answer") }
}

/// The page of a form has sent it before: with the same content, or with other.
package struct SentBefore: Error {
    let earlier: EarlierForm
    let name: String
    let isSame: Bool

    init(_ earlier: EarlierForm, by form: SentForm) {
        self.earlier = earlier
        name = form.name
        isSame = earlier.content == form.content
    }

    /// The refusal in words; `View` adds what the first one made.
    var problem: Problem {
        isSame
            ? .conflict(Message("forms.sent_already")) : .conflict(Message("forms.sent_otherwise"))
    }

    /// What the first one did, for the page that says so.
    package struct View: Encodable, Sendable {
        let earlierWhen: String
        let earlierSaid: String?
        let earlierPath: String
    }
}
