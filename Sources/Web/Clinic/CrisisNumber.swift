import Wire
import Wording

/// A number to call in a crisis, and what answers there.
package struct CrisisNumber: Sendable, Equatable {
    package let number: String
    package let labels: LocalizedText

    package static let limit = 6

    package func label(_ language: Language) -> String { labels.text(in: language) ?? "" }

    /// What the phone dials: `tel:+4311234`.
    package var link: String { TelephoneLink.path(number) }

    package var wire: Wire.ClinicSettings.CrisisNumber {
        Wire.ClinicSettings.CrisisNumber(number: number, label: labels)
    }

    package init(number: String, labels: LocalizedText) {
        self.number = number
        self.labels = labels
    }

    /// Those of a country, as they were when this was written.
    package static func numbers(of country: Country, _ services: Services) -> [CrisisNumber] {
        country.numbers.map { number, name in
            CrisisNumber(number: number, labels: services.sentence("crisis.\(name)"))
        }
    }
}

/// Where a clinic is, as far as its zone tells.
package enum Country: Sendable {
    case austria, germany, switzerland, other

    init(zone: String) {
        switch zone {
        case "Europe/Vienna": self = .austria
        case "Europe/Berlin", "Europe/Busingen": self = .germany
        case "Europe/Zurich": self = .switzerland
        default: self = .other
        }
    }

    /// How German is written there.
    var variant: LanguageVariant {
        switch self {
        case .austria: .austria
        case .switzerland: .switzerland
        case .germany, .other: .germany
        }
    }

    fileprivate var numbers: [(String, String)] {
        switch self {
        case .austria: [("112", "euro"), ("144", "ambulance"), ("142", "telephone_at")]
        case .germany: [("112", "emergency"), ("0800 111 0 111", "telephone_de")]
        case .switzerland: [("144", "ambulance_ch"), ("143", "hand")]
        case .other: [("112", "emergency")]
        }
    }
}

/// What a telephone makes of a number that people wrote.
package enum TelephoneLink {
    package static func path(_ number: String) -> String {
        "tel:" + number.filter { $0.isNumber || $0 == "+" }
    }
}
