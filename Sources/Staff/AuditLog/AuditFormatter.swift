import Database
import Foundation
import Identity
import Records
import Web
import Wire
import Wording

/// Lines of the audit log in words: names of staff, pseudonyms of all others, and nothing clinical.
struct AuditFormatter: Sendable {
    let texts: Texts
    /// Staff by account.
    let names: [ID<Account>: String]

    init(_ keys: Keyring, _ texts: Texts, _ connection: borrowing Connection) throws {
        self.texts = texts
        var names: [ID<Account>: String] = [:]
        for member in try StaffStore.all(connection) {
            names[member.account.id] = try member.account.name(keys) ?? member.account.id.text
        }
        self.names = names
    }

    func what(_ line: AuditLine) -> String { Self.what(line.action, texts) }

    static func what(_ action: String, _ texts: Texts) -> String {
        texts["audit.\(action.replacing(".", with: "_"))"]
    }

    /// The actor: a name, the program, or a person who is not staff.
    func who(_ line: AuditLine) -> String {
        guard let actor = line.actor else { return texts["audit.nobody"] }
        return names[actor] ?? texts["audit.patient", ["id": String(actor.text.prefix(8))]]
    }

    func about(_ line: AuditLine) -> String {
        guard let subject = line.subject else { return "" }
        return names[ID(subject)] ?? texts["audit.person", ["id": String(subject.prefix(8))]]
    }

    func object(_ line: AuditLine) -> String {
        let object = line.object ?? ""
        // From one member of staff to another.
        let ends = object.components(separatedBy: " → ").map { names[ID($0)] }
        if ends.count == 2, let from = ends[0], let to = ends[1] { return "\(from) → \(to)" }
        return String(object.prefix(60))
    }

    /// The opened parts of a file in readable words; nil for other lines.
    func areas(_ visit: AuditVisit) -> String? {
        guard AuditAction.isVisit(visit.newest.action) else { return nil }
        return Self.areas(visit.areas, texts)
    }

    static func areas(_ areas: [String], _ texts: Texts) -> String? {
        let names = areas.map { area in
            let key = "audit.area_\(area.replacing("-", with: "_"))"
            let name = texts[key]
            return name == key ? area : name
        }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
}
