import Foundation
import HTTP
import Identity
import Web
import Wire
import Wording

/// The own profile of somebody in the portal; therapists also say what their patients see.
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
        /// How patients see it; nil while there is nothing but the name.
        package let preview: Preview
        /// What patients look for and do not find; each leads to its field.
        package let missing: [ErrorLine]
        let isIncomplete: Bool
        /// The address of the calendar feed, nil while there is none.
        package let feed: String?
        /// The same, for the device's own calendar to open.
        let subscription: String?

        package init(
            email: String, roles: String, fields: [FieldView], errors: ErrorSummary?, isTherapist: Bool,
            preview: Preview, missing: [ErrorLine], isIncomplete: Bool, feed: String?, subscription: String?
        ) {
            self.email = email

            self.roles = roles
            self.fields = fields
            self.errors = errors
            self.isTherapist = isTherapist

            self.preview = preview
            self.missing = missing
            self.isIncomplete = isIncomplete
            self.feed = feed
            self.subscription = subscription
        }

        /// The card as the app and the pairing sheet show it.
        package struct Preview: Encodable, Sendable {
            package let name: String
            package let lines: [Fact]
        }

        package static let example = Edit(
            email: "ada@example.org", roles: "Therapeutin oder Therapeut",
            fields: [FieldView(name: "name", label: "Name", value: "Ada Lindner", isRequired: true)],
            errors: nil,
            isTherapist: true,
            preview: Preview(
                name: "Dr. Ada Lindner", lines: [Fact(label: "Telefon", value: "+43 1 2345678")]),
            missing: [ErrorLine(field: "name", text: "Telefon")], isIncomplete: true,
            feed: "https://example.org/calendar/x.ics", subscription: "webcal://example.org/calendar/x.ics")
    }

    @Sendable static func edit(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account
        let card = try c.read { try TherapistStore.card(of: account, c.keys, $0) }
        return .page(try page(card, FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        do {
            let read = try TherapistProfile.read(InputReader(form: form), isForm: true, email: "")
            _ = try ProfileChange.save(read.name, read.profile, of: c.proof.account, c)
            return .seeOther("/profile", flash: Message("profile.saved"))
        } catch Problem.invalid(let errors) {
            let empty = TherapistCard(
                name: "", email: try c.proof.account.email(c.keys), profile: TherapistProfile())
            return .page(try page(empty, FormState(form, errors, c.texts), c), status: 422)
        }
    }

    private static func page(_ card: TherapistCard, _ filled: FormState, _ c: Context<Member>) throws -> Edit
    {
        let account = c.proof.account
        let feed = try CalendarFeed.address(of: account, c)
        // What is saved, not what is being typed.
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

    /// The scheme that calendars take an address from.
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

    /// What patients look for first: how to reach the practice, where it is, and how to speak of its therapist.
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
        var name = filled.field("name", label: "profile.name", first: card.name)
        name.isRequired = true
        name.autocomplete = "name"
        var degree = filled.field("degree", label: "profile.degree", first: profile.degree ?? "")
        degree.hint = filled.texts["profile.degree_hint"]
        var gender = filled.field("gender", label: "profile.gender", first: profile.gender?.rawValue ?? "")
        gender.isSelect = true
        gender.choices = [FieldView.Choice(value: "", label: "–", isChosen: gender.value.isEmpty)]
        gender.choices += Gender.allCases.map { option in
            let label = filled.texts["profile.gender_\(option.rawValue)"]
            return FieldView.Choice(
                value: option.rawValue, label: label, isChosen: gender.value == option.rawValue)
        }
        let plain: [(String, String?, String)] = [
            ("street", profile.street, "address-line1"), ("postal_code", profile.postalCode, "postal-code"),
            ("city", profile.city, "address-level2"), ("country", profile.country, "country-name"),
            ("phone", profile.phone, "tel"), ("emergency_phone", profile.emergencyPhone, "off"),
        ]
        return [name, degree, gender]
            + plain.map { field, value, autocomplete in
                var view = filled.field(field, label: "profile.\(field)", first: value ?? "")
                view.autocomplete = autocomplete
                if field == "emergency_phone" { view.hint = filled.texts["profile.emergency_hint"] }
                return view
            }
    }
}
