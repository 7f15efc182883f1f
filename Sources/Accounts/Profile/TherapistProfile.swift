import Foundation
import Identity
import JSON
import Records
import Web
import Wire
import Wording

/// A therapist's profile for their patients (IO-7), beside name and address of the account.
package struct TherapistProfile: Sendable, Codable {
    package var degree: String?
    package var gender: Gender?
    package var street: String?
    package var postalCode: String?
    package var city: String?
    package var country: String?
    package var phone: String?
    package var emergencyPhone: String?

    package init() {}

    /// - Throws: `Problem.invalid`. The call sends the address as an object, the form as fields of its own.
    package static func read(_ fields: InputReader, email: String) throws(Problem) -> (
        name: String, profile: TherapistProfile
    ) {
        var profile = TherapistProfile()
        let name = fields.text("name", required: true, limit: 120)
        profile.degree = fields.isForm ? fields.text("degree", limit: 60) : nil
        profile.gender = fields.choice("gender")
        let address = fields.isForm ? fields : fields.object("practice_address")
        profile.street = address?.text("street", limit: 120)
        profile.postalCode = address?.text("postal_code", limit: 20)
        profile.city = address?.text("city", limit: 80)
        profile.country = address?.text("country", limit: 60)
        if !fields.isForm { fields.adopt(address) }
        profile.phone = phone("phone", fields)
        profile.emergencyPhone = phone("emergency_phone", fields)
        // The address is that of the login; a client may send it back unchanged.
        if let sent = fields.value("email"), sent.string != email {
            fields.refuse("email", "errors.email_fixed")
        }
        try fields.finish()
        guard let name else { throw .invalid(fields.errors) }
        return (name, profile)
    }

    private static func phone(_ field: String, _ fields: InputReader) -> String? {
        guard let text = fields.text(field, limit: 40) else { return nil }
        guard text.contains(where: \.isNumber), text.allSatisfy({ $0.isNumber || "+-/() .".contains($0) })
        else {
            fields.refuse(field, "errors.phone")
            return nil
        }
        return text
    }

    package func fullName(_ name: String) -> String { degree.map { "\($0) \(name)" } ?? name }

    package func wire(name: String, email: String) -> Wire.Therapist {
        Wire.Therapist(
            name: fullName(name), email: email, gender: gender,
            practiceAddress: .init(street: street, postalCode: postalCode, city: city, country: country),
            phone: phone, emergencyPhone: emergencyPhone)
    }

    package func seal(for account: ID<Account>, with key: PersonKey) throws -> [UInt8] {
        let bytes = Array(try JSONEncoder().encode(self))
        return key.seal(bytes: bytes, for: AccountPlace.profile(account))
    }
}
