import Foundation
import Records
import Therapies

/// Finds patients by codename, alias and note (PR-6). These are stored sealed, so a whole caseload is opened for a
/// search: sixty patients take a fraction of a millisecond (`docs/performance.md`), and the database holds nothing
/// about the words.
struct PatientNeedle: Sendable {
    private let text: String

    init(_ text: String) { self.text = text.trimmingCharacters(in: .whitespaces) }

    var isEmpty: Bool { text.isEmpty }

    func fits(_ therapy: Therapy, _ keys: Keyring) throws -> Bool {
        try fits(codename: therapy.codename, alias: therapy.alias(keys), note: therapy.note(keys))
    }

    /// Without regard to case and accents: `muller` finds `Müller`.
    func fits(codename: String, alias: String?, note: String?) -> Bool {
        isEmpty || [codename, alias, note].compactMap(\.self).contains(where: holds)
    }

    func holds(_ words: String) -> Bool {
        words.range(of: text, options: [.caseInsensitive, .diacriticInsensitive]) != nil
    }
}
