import Wire
import Wording

/// A number to call in a crisis, and the service that answers there.
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

    /// The numbers as they were when this was written, each with the key of its sentence.
    var numbers: [(String, String)] {
        switch self {
        case .austria: [("112", "euro"), ("144", "ambulance"), ("142", "telephone_at")]
        case .germany: [("112", "emergency"), ("0800 111 0 111", "telephone_de")]
        case .switzerland: [("144", "ambulance_ch"), ("143", "hand")]
        case .other: [("112", "emergency")]
        }
    }
}

/// Turns a number as people write it into one a telephone dials.
package enum TelephoneLink {
    package static func path(_ number: String) -> String {
        "tel:" + number.filter { $0.isNumber || $0 == "+" }
    }
}
