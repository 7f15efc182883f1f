import Accounts
import HTTP
import Records
import Templates
import Therapies
import Web
import Wire
import Wording

/// The pairing sheet (IO-5), printed and handed over, and making a new code.
package enum PairingPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/pairing-sheet", .caseload, show)
        routes.page(.post, "/patients/:patient/pairing-code", .caseload, create)
    }

    package struct Show: Page {
        package static let template = "pairing/sheet"
        package static let section: NavigationItem? = .patients
        package let id: ID<Therapy>
        package let codename: String
        /// Nil without a valid code.
        package let code: String?
        package let picture: HTML?
        /// The content of the QR code, in letters; nil where it holds the digits alone.
        package let link: String?
        let validUntil: String?
        package let therapist: String
        package let heading: String
        let therapistLabel: String
        package let steps: [String]
        let laterSteps: [String]
        let addresses: [String]
        /// Whether the clinic's own steps need smaller letters to fit one page.
        let isDense: Bool
        /// How far it shrinks on paper, in percent.
        let fit: Int
        let sees: String
        /// The therapist's emergency phone; the clinic's crisis numbers are in the frame.
        let emergency: String?
        package let contact: [String]
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let therapy = c.proof.patient
        let therapist = try c.owner()
        let (record, card) = try c.read { connection in
            (
                try PairingStore.current(of: therapy.id, connection),
                try TherapistStore.card(of: therapist, c.keys, connection)
            )
        }
        let live = record.flatMap { $0.isLive(at: c.now) ? $0 : nil }
        let code = try live?.code(try therapy.key(c.keys))
        return .page(sheet(code, until: live?.expiresAt, card, c))
    }

    private static func sheet(
        _ code: String?, until: Instant?, _ card: TherapistCard, _ c: Context<Caseload>
    ) -> Show {
        let texts = c.texts
        // "Ihre Therapeutin" according to the profile; neutral without a form of address.
        let form =
            card.profile.gender == .female ? "female" : card.profile.gender == .male ? "male" : "neutral"
        let own = c.services.clinic.now.record.labels ?? SheetLabels()
        let therapist = texts["pairing.therapist_subject_\(form)"]
        let list = { (part: SheetLabels.Part) in
            own.lines(
                part, texts, therapist: therapist, address: address(c),
                hasLink: c.services.settings.publicURL != nil)
        }
        let heading = texts["pairing.heading_\(form)"]
        let sees = texts["pairing.sees", ["therapist": therapist]]
        let town = [card.profile.postalCode, card.profile.city].compactMap(\.self).joined(separator: " ")
        let contact = [card.profile.street, town, card.profile.phone, card.email].compactMap(\.self).filter {
            !$0.isEmpty
        }
        let clinic = c.services.clinic.now.record.name
        var words = SheetFit.Words(
            title: heading,
            lead: [texts["pairing.belongs"], texts["pairing.until"], until.map { c.dates.longDay($0) } ?? ""]
                .joined(
                    separator: " "),
            therapist: card.fullName, link: code.flatMap { link($0, c) },
            steps: [list(.firstSteps), list(.laterSteps)], note: "\(texts["pairing.sees_heading"]) \(sees)",
            crisis: c.services.crisisNumbers.map { (label: $0.label(c.language), number: $0.number) },
            foot: [
                [texts["pairing.lost"]] + list(.addresses),
                [clinic, card.fullName].compactMap(\.self) + contact,
            ], isDense: isDense(list(.firstSteps) + list(.laterSteps)))
        if let phone = card.profile.emergencyPhone {
            words.crisis.append((label: texts["pairing.practice"], number: phone))
        }
        return Show(
            id: c.proof.patient.id, codename: c.proof.patient.codename,
            code: code.map(PairingCodeRecord.grouped),
            picture: code.flatMap { QRCode.svg(link($0, c) ?? $0, title: texts["pairing.qr_title"]) },
            link: code.flatMap { link($0, c) },
            validUntil: until.map { c.dates.longDay($0) }, therapist: card.fullName,
            heading: heading,
            therapistLabel: texts["pairing.therapist_label_\(form)"],
            steps: list(.firstSteps), laterSteps: list(.laterSteps), addresses: list(.addresses),
            isDense: words.isDense, fit: SheetFit.percent(words), sees: sees,
            emergency: card.profile.emergencyPhone, contact: contact)
    }

    /// The shipped steps are seven, and shorter.
    private static func isDense(_ steps: [String]) -> Bool {
        steps.count > 7 || steps.map(\.count).reduce(0, +) > 650
    }

    /// The address for entering the code in a browser: without a public one, that of this request.
    private static func address(_ c: Context<Caseload>) -> String {
        let scheme = c.services.settings.isSecure ? "https" : "http"
        let seen = c.request.headers["Host"].map { "\(scheme)://\($0)" }
        return (c.services.settings.publicURL ?? seen ?? c.services.origin) + "/pair"
    }

    /// The address in the QR code: the part behind the hash never reaches a server. Without an address that phones
    /// can reach, the QR code holds the digits.
    private static func link(_ code: String, _ c: Context<Caseload>) -> String? {
        c.services.settings.publicURL == nil ? nil : "\(c.services.origin)/pair#\(code)"
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        try makeCode(c)
        return .seeOther("\(c.proof.patient.path)/pairing-sheet", flash: Message("pairing.code_made"))
    }

    /// A new code for a patient who is not paired yet.
    package static func makeCode(_ c: Context<Caseload>) throws {
        let therapy = c.proof.patient
        guard therapy.accountID == nil, therapy.endedAt == nil else {
            throw Problem.conflict(Message("pairing.patient_paired"))
        }
        let key = try therapy.key(c.keys)
        let id: ID<PairingCode> = c.newID()
        try c.write(.pairingCodeMade, about: therapy.id) {
            [keys = c.keys, now = c.now, chance = c.services.chance] connection in
            try PairingStore.make(
                for: therapy.id, with: key, id: id, chance, keys, now: now, connection)
        }
    }
}
