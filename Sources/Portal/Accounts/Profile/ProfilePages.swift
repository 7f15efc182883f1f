import HTTP
import Wire

/// The own profile of somebody in the portal; therapists also say what their patients see.
enum ProfilePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/profile", .staff, edit)
        routes.page(.post, "/profile", .therapist, update)
    }

    struct Edit: Page {
        static let template = "accounts/profile"
        static let section: Section? = .profile
        let email: String
        let roles: String
        let fields: [FieldView]
        let errors: ErrorSummary?
        let isTherapist: Bool
        /// The address of the calendar feed, nil while there is none.
        let feed: String?

        static let example = Edit(
            email: "ada@example.org", roles: "Therapeutin oder Therapeut",
            fields: [FieldView(name: "name", label: "Name", value: "Ada Lindner", isRequired: true)],
            errors: nil,
            isTherapist: true, feed: "https://example.org/calendar/x.ics")
    }

    @Sendable static func edit(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account
        let card = try c.read { try TherapistStore.card(of: account, c.keys, $0) }
        return .page(try page(card, Filled(c.texts), c))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        do {
            let read = try TherapistProfile.read(Fields(form: form), isForm: true, email: "")
            _ = try ProfileChange.save(read.name, read.profile, of: c.proof.account, c)
            return .seeOther("/profile", flash: Message("profile.saved"))
        } catch Problem.invalid(let errors) {
            let empty = TherapistCard(
                name: "", email: try c.proof.account.email(c.keys), profile: TherapistProfile())
            return .page(try page(empty, Filled(form, errors, c.texts), c), status: 422)
        }
    }

    private static func page(_ card: TherapistCard, _ filled: Filled, _ c: Context<Member>) throws -> Edit {
        let account = c.proof.account
        let roles = Role.allCases.filter(account.roles.contains).map {
            c.texts["profile.role_\($0.rawValue)"]
        }
        return Edit(
            email: card.email, roles: roles.joined(separator: ", "), fields: fields(card, filled),
            errors: filled.summary, isTherapist: account.roles.contains(.therapist),
            feed: try CalendarFeed.address(of: account, c))
    }

    private static func fields(_ card: TherapistCard, _ filled: Filled) -> [FieldView] {
        let profile = card.profile
        var name = filled.field("name", label: "profile.name", first: card.name)
        (name.isRequired, name.autocomplete) = (true, "name")
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
