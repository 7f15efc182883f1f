import Foundation
import Wire

/// A therapist as shown to patients and on sheets.
package struct TherapistCard: Sendable {
    package let name: String
    package let email: String
    package let profile: TherapistProfile

    package var fullName: String { profile.fullName(name) }
    package var wire: Wire.Therapist { profile.wire(name: name, email: email) }

    /// The card as vCard 4.0 (RFC 6350).
    package var vCard: String {
        var lines = ["BEGIN:VCARD", "VERSION:4.0", "FN:\(Self.escape(fullName))"]
        let parts = name.split(separator: " ").map(String.init)
        let family = parts.last ?? ""
        let given = parts.dropLast().joined(separator: " ")
        let components = [family, given, "", profile.degree ?? "", ""].map(Self.escape)
        lines.append("N:" + components.joined(separator: ";"))
        lines.append("EMAIL;TYPE=work:\(Self.escape(email))")
        if let phone = profile.phone { lines.append("TEL;TYPE=work:\(Self.escape(phone))") }
        if let phone = profile.emergencyPhone { lines.append("TEL;TYPE=work;PREF=2:\(Self.escape(phone))") }
        let address = [profile.street, profile.city, nil, profile.postalCode, profile.country]
        if address.contains(where: { $0 != nil }) {
            let place = [address[0], address[1], nil, address[3], address[4]].map { Self.escape($0 ?? "") }
            lines.append("ADR;TYPE=work:;;" + place.joined(separator: ";"))
        }
        switch profile.gender {
        case .female: lines.append("GENDER:F")
        case .male: lines.append("GENDER:M")
        case .diverse: lines.append("GENDER:O")
        case .notStated, nil: break
        }
        lines.append("END:VCARD")
        return lines.map(Self.fold).joined(separator: "\r\n") + "\r\n"
    }

    private static func escape(_ text: String) -> String {
        text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: ";", with: "\\;")
            .replacingOccurrences(of: ",", with: "\\,").replacingOccurrences(of: "\n", with: "\\n")
    }

    /// Lines of at most 75 bytes, never cut inside a character.
    private static func fold(_ line: String) -> String {
        var folded = ""
        var width = 0
        for character in line {
            let size = String(character).utf8.count
            if width + size > 75 {
                folded += "\r\n "
                width = 1
            }
            folded.append(character)
            width += size
        }
        return folded
    }
}
