import Database
import Foundation
import HTTP
import Locks
import Records
import Secrets
import Wire
import Wording

/// What a form showed when it was drawn: a digest of each value, which its fields bring along. A form that was opened earlier
/// changes what was changed in it, and nothing else (RP-201).
package final class ShownFields: Sendable {
    /// The digests by the names of their fields, and the fields that are groups of boxes.
    private let digests: [String: String]
    private let groups: Set<String>
    /// The last line of the audit log before anything was read for this request.
    private let position: Int
    private let isCompared = Lock(false)

    private static let mark = "shown."
    private static let groupMark = "shown_all."

    init(_ form: Form, position: Int) {
        var digests: [String: String] = [:]
        var groups: Set<String> = []
        for field in form.fields {
            if field.name.hasPrefix(Self.mark) {
                digests[String(field.name.dropFirst(Self.mark.count))] = field.value
            } else if field.name.hasPrefix(Self.groupMark) {
                let name = String(field.name.dropFirst(Self.groupMark.count))
                digests[name] = field.value
                groups.insert(name)
            }
        }
        self.digests = digests
        self.groups = groups
        self.position = position
    }

    /// Whether a field of a request only says what was shown.
    static func isMark(_ name: String) -> Bool { name.hasPrefix(mark) || name.hasPrefix(groupMark) }

    /// The hidden field beside one that shows a value, for forms that are drawn by hand.
    package static func field(_ name: String, showing value: String) -> (name: String, value: String) {
        (mark + name, digest(of: value))
    }

    /// Browsers end lines and trim in ways of their own; a difference in that is none.
    package static func digest(of value: String) -> String {
        let plain = value.replacingOccurrences(of: "\r\n", with: "\n")
        let bytes = Array(plain.trimmingCharacters(in: .whitespacesAndNewlines).utf8)
        return String(Token.base64url(Digest.plain(bytes)).prefix(16))
    }

    /// The digest of a group of boxes.
    package static func digest(of values: [String]) -> String { digest(of: joined(values)) }

    static func joined(_ values: [String]) -> String { values.sorted().joined(separator: "\n") }

    /// Whether a value is the one that the form showed in a field, for values that are made of several fields.
    package func isUntouched(_ value: String, in name: String) -> Bool {
        digests[name] == Self.digest(of: value)
    }

    /// Lays a form over what is stored now: a field that was not touched takes the stored value. Numbered rows, as `outcome_1_day`, are
    /// one whole: what is stored may have moved from one row to another, and a row of both would be neither.
    /// - Parameter present: the stored values, by the names of their fields.
    /// - Returns: the form, and the fields that were touched here and changed elsewhere, differently.
    func over(_ present: [String: String], _ form: Form) -> (form: Form, contested: Set<String>) {
        isCompared.withLock { $0 = true }
        var fields = form.fields
        var contested: Set<String> = []
        let typed = { [groups] (name: String) in
            groups.contains(name) ? Self.joined(form.all(name)) : form.all(name).last ?? ""
        }
        let sent = digests.filter { name, _ in
            groups.contains(name) || fields.contains { $0.name == name }
        }
        let touched = Set(sent.filter { Self.digest(of: typed($0)) != $1 }.compactMap { Self.rows($0.key) })
        let changed = Set(
            sent.filter { name, shown in present[name].map { Self.digest(of: $0) != shown } ?? false }
                .compactMap { Self.rows($0.key) })
        for (name, shown) in sent {
            guard let now = present[name] else { continue }
            let typed = typed(name)
            if let rows = Self.rows(name), touched.contains(rows) {
                if changed.contains(rows), Self.digest(of: typed) != Self.digest(of: now) {
                    contested.insert(name)
                }
                continue
            }
            if Self.digest(of: now) == shown { continue }
            let isGroup = groups.contains(name)
            if Self.digest(of: typed) == shown {
                fields.removeAll { $0.name == name }
                let values = isGroup ? now.split(separator: "\n").map(String.init) : [now]
                fields += values.map { Form.Field(name, $0) }
            } else if Self.digest(of: typed) != Self.digest(of: now) {
                contested.insert(name)
            }
        }
        return (Form(fields), contested)
    }

    /// The list that a field of a numbered row belongs to; nil for other fields.
    private static func rows(_ name: String) -> String? {
        name.firstMatch(of: /^([a-z_]*?_)[0-9]+(_|$)/).map { String($0.1) }
    }

    /// Proves in a write's transaction that what the form was compared with stands there still.
    /// - Throws: `ShownOutdated`, to begin the request again.
    func prove(
        _ action: AuditAction, about subject: (any SubjectID)?, _ connection: borrowing Connection
    ) throws {
        guard isCompared.withLock({ $0 }) else { return }
        if try AuditPosition.isBehind(position, action, about: subject, connection) { throw ShownOutdated() }
        // What the request writes itself is no change by others.
        isCompared.withLock { $0 = false }
    }
}

/// Something was written between reading and writing a form's request.
struct ShownOutdated: Error {}
