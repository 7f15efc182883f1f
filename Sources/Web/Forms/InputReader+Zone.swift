import JSON
import Scheduling
import Wire
import Wording

/// The zone that a device tells beside what it sends.
package struct DeviceZone: Sendable, Equatable {
    /// The device's, or the account's where the device's name is unknown.
    package let name: String
    /// The device's name where it is unknown.
    package let word: String?

    package init(name: String, word: String? = nil) {
        self.name = name
        self.word = word
    }

    /// The device's name, known or not: by it what comes twice is known again, also after the account has another zone.
    package var told: String { word ?? name }
}

extension InputReader {
    /// A time zone by its name in tzdata.
    package func timezone(_ name: String) -> String? {
        let key = "errors.timezone"
        guard let text = word(name, required: false, or: key, ["nearest": "Europe/Vienna"]) else {
            return nil
        }
        guard ZoneData.current.knows(text) else {
            refuse(name, key, ["nearest": ZoneData.current.nearest(to: text)])
            return nil
        }
        return text
    }

    /// The zone of a device. A name that is not known yet, or none, takes nothing with it: another zone counts, and the name is
    /// kept (RP-29).
    /// - Returns: nil where no text was sent.
    package func deviceZone(_ name: String, or zone: String) -> DeviceZone? {
        guard let value = value(name) else { return nil }
        guard case .string(let text) = value else {
            refuse(name, "errors.text")
            return nil
        }
        return ZoneData.current.knows(text)
            ? DeviceZone(name: text) : DeviceZone(name: zone, word: Self.zoneWord(text))
    }

    /// Up to sixty bytes, without control characters.
    private static func zoneWord(_ text: String) -> String {
        var word = String.UnicodeScalarView()
        var size = 0
        for sign in text.unicodeScalars where !sign.isControl {
            size += UTF8.width(sign)
            if size > 60 { break }
            word.append(sign)
        }
        return String(word)
    }
}
