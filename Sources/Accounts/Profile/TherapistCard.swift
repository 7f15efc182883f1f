import Foundation
import Wire
import Wording

/// A therapist as shown to patients and on sheets.
package struct TherapistCard: Sendable {
    package let name: String
    package let email: String
    package let profile: TherapistProfile

    package var fullName: String { profile.fullName(name) }
    package var wire: Wire.Therapist { profile.wire(name: name, email: email) }

    /// The card as vCard 4.0 (RFC 6350).
    package var vCard: String {
        var lines = ["BEGIN:VCARD", "VERSION:4.0", "FN:\(ContentLine.escaped(fullName))"]
        let parts = PersonName(name)
        let components = [parts.family, parts.given, "", profile.degree ?? "", parts.suffix].map {
            ContentLine.escaped($0)
        }
        lines.append("N:" + components.joined(separator: ";"))
        lines.append("EMAIL;TYPE=work:\(ContentLine.escaped(email))")
        if let phone = profile.phone { lines.append("TEL;TYPE=work:\(ContentLine.escaped(phone))") }
        if let phone = profile.emergencyPhone {
            lines.append("TEL;TYPE=work;PREF=2:\(ContentLine.escaped(phone))")
        }
        let address = [profile.street, profile.city, nil, profile.postalCode, profile.country]
        if address.contains(where: { $0 != nil }) {
            let place = [address[0], address[1], nil, address[3], address[4]].map {
                ContentLine.escaped($0 ?? "")
            }
            lines.append("ADR;TYPE=work:;;" + place.joined(separator: ";"))
        }
        switch profile.gender {
        case .female: lines.append("GENDER:F")
        case .male: lines.append("GENDER:M")
        case .diverse: lines.append("GENDER:O")
        case .notStated, nil: break
        }
        lines.append("END:VCARD")
        return String(decoding: lines.flatMap(ContentLine.folded), as: UTF8.self)
    }
}
