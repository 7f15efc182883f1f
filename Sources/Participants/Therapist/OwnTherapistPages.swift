import Accounts
import HTTP
import Identity
import Pairing
import Scheduling
import Therapies
import Web
import Wording

/// The own therapist and how to reach them (IO-7).
package enum OwnTherapistPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/therapist", .patient, show)
        routes.page(.get, "/my/therapist.vcf", .paired, card)
    }

    package struct Show: Page {
        package static let template = "my/therapist"
        package static let section: NavigationItem? = .more

        package struct Person: Encodable, Sendable {
            package let name: String
            /// The lines of the practice's address.
            package let address: [String]
            let hasAddress: Bool
            package let phones: [Layout.Phone]
            package let email: String
        }
        package struct Away: Encodable, Sendable {
            package let until: String
            package let cover: String?
        }

        /// Nil without pairing.
        package let person: Person?
        package let away: Away?
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account
        let therapy = try c.read { try TherapyStore.running(of: account.id, $0) }
        guard let therapy,
            let card = try c.read({ try TherapistStore.card(of: therapy.therapistID, c.keys, $0) })
        else { return .page(Show(person: nil, away: nil)) }
        let profile = card.profile
        let place = [profile.postalCode, profile.city].compactMap(\.self).joined(separator: " ")
        let address = [profile.street, place.isEmpty ? nil : place, profile.country].compactMap(\.self)
        let numbers = [("my.phone", profile.phone), ("my.emergency_phone", profile.emergencyPhone)]
        let absence = try OwnTherapist.absence(therapy, of: account, c)
        let dates = c.dates(in: Zone(account.timezone))
        return .page(
            Show(
                person: Show.Person(
                    name: card.fullName, address: address, hasAddress: !address.isEmpty,
                    phones: numbers.compactMap { key, number in
                        number.map {
                            Layout.Phone(label: c.texts[key], number: $0, path: TelephoneLink.path($0))
                        }
                    }, email: card.email),
                away: absence.map { Show.Away(until: dates.longDay($0.until), cover: $0.cover) }))
    }

    @Sendable static func card(_ c: Context<PairedPatient>) throws -> Reply {
        let card = try OwnTherapist.card(c)
        var response = Response(type: OwnTherapist.cardType, Array(card.vCard.utf8))
        let name = "\(c.texts["own_therapist.file"]).vcf"
        response.headers.append("Content-Disposition", "attachment; filename=\"\(name)\"")
        return .response(response)
    }
}
