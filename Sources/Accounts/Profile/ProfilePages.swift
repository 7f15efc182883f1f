import Foundation
import HTTP
import Identity
import Web
import Wire
import Wording

/// The own profile in the portal; therapists also edit what their patients see.
package enum ProfilePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/profile", .staff, edit)
        routes.page(.post, "/profile", .therapist, update)
    }

    package struct Edit: Page {
        package static let template = "accounts/profile"
        package static let section: NavigationItem? = .profile
        package let email: String
        package let roles: String
        package let fields: [FieldView]
        package let errors: ErrorSummary?
        let isTherapist: Bool
        /// The patients' view; nil while there is only the name.
        package let preview: Preview
        /// Details that patients look for and that are missing; each links to its field.
        package let missing: [ErrorLine]
        let isIncomplete: Bool
        /// The address of the calendar feed; nil without one.
        package let feed: String?
        /// The same, to be opened by the device's calendar.
        let subscription: String?

        /// The card as the app and the pairing sheet show it.
        package struct Preview: Encodable, Sendable {
            package let name: String
            package let lines: [Fact]
        }
    }

    @Sendable static func edit(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account
        let card = try c.read { try TherapistStore.card(of: account, c.keys, $0) }
        return .page(try page(card, FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account
        let card = try c.read { try TherapistStore.card(of: account, c.keys, $0) }
        return try c.revise(orShow: { try page(card, $0, c) }) { fields in
            let read = try TherapistProfile.read(fields, email: "")
            _ = try OwnProfileChange.save(read.name, read.profile, of: c.proof.account, c)
            return .seeOther("/profile", flash: Message("profile.saved"))
        }
    }

    private static func page(_ card: TherapistCard, _ filled: FormState, _ c: Context<Member>) throws -> Edit
    {
        let account = c.proof.account
        let feed = try CalendarFeed.address(of: account, c)
        // The saved profile, not the one being typed.
        let saved = try c.read { try TherapistStore.card(of: account, c.keys, $0) }
        let missing = missing(saved.profile, c.texts)
        let roles = Role.allCases.filter(account.roles.contains).map {
            c.texts["profile.role_\($0.rawValue)"]
        }
        return Edit(
            email: card.email, roles: roles.joined(separator: ", "), fields: fields(card, filled),
            errors: filled.summary, isTherapist: account.roles.contains(.therapist),
            preview: preview(saved, c.texts), missing: missing, isIncomplete: !missing.isEmpty,
            feed: feed, subscription: feed.flatMap(webcal))
    }

    /// The address with the scheme that calendars open.
    private static func webcal(_ address: String) -> String? {
        address.range(of: "://").map { "webcal://" + address[$0.upperBound...] }
    }

    private static func preview(_ card: TherapistCard, _ texts: Texts) -> Edit.Preview {
        let profile = card.profile
        let place = [profile.postalCode, profile.city].compactMap(\.self).joined(separator: " ")
        let address = [profile.street, place, profile.country].compactMap(\.self).filter { !$0.isEmpty }
        let lines: [(String, String?)] = [
            ("profile.address", address.isEmpty ? nil : address.joined(separator: ", ")),
            ("profile.phone", profile.phone), ("profile.emergency_phone", profile.emergencyPhone),
            ("profile.email", card.email),
        ]
        return Edit.Preview(
            name: card.fullName,
            lines: lines.compactMap { label, value in
                value.map { Fact(label: texts[label], value: $0) }
            })
    }

    /// The details patients look for first: telephone, address, and the form of address.
    private static func missing(_ profile: TherapistProfile, _ texts: Texts) -> [ErrorLine] {
        let wanted: [(field: String, value: String?)] = [
            ("phone", profile.phone), ("street", profile.street), ("city", profile.city),
            ("gender", profile.gender?.rawValue),
        ]
        return wanted.filter { $0.value == nil }.map { field, _ in
            ErrorLine(field: field, text: texts["profile.missing_\(field)"])
        }
    }

    private static func fields(_ card: TherapistCard, _ filled: FormState) -> [FieldView] {
        let profile = card.profile
        let name = filled.field(
            "name", label: "profile.name", first: card.name, required: true, autocomplete: "name")
        let degree = filled.field(
            "degree", label: "profile.degree", first: profile.degree ?? "", hint: "profile.degree_hint")
        let gender = filled.list(
            "gender", label: "profile.gender", first: profile.gender?.rawValue ?? "", none: "–",
            Gender.allCases.map { ($0.rawValue, filled.texts["profile.gender_\($0.rawValue)"]) })
        let plain: [(String, String?, String)] = [
            ("street", profile.street, "address-line1"), ("postal_code", profile.postalCode, "postal-code"),
            ("city", profile.city, "address-level2"), ("country", profile.country, "country-name"),
            ("phone", profile.phone, "tel"), ("emergency_phone", profile.emergencyPhone, "off"),
        ]
        return [name, degree, gender]
            + plain.map { field, value, autocomplete in
                filled.field(
                    field, label: "profile.\(field)", first: value ?? "",
                    hint: field == "emergency_phone" ? "profile.emergency_hint" : nil,
                    autocomplete: autocomplete)
            }
    }
}
