import Foundation

/// Reads a setting once, by its kind, wherever it was given.
enum SettingReader {
    /// The words for yes and no, in small letters.
    private static let words = [
        "yes": true, "true": true, "on": true, "1": true, "no": false, "false": false, "off": false,
        "0": false,
    ]

    /// What a flag without a value says.
    static let yes = "yes"

    /// - Parameter isInherited: whether it comes from the environment, where marks stay around values and no folder is plain.
    /// - Returns: nil for a setting that is empty, or that says no.
    /// - Throws: `UsageError` without the value, which may be a password.
    static func read(_ given: String, of option: Option, isInherited: Bool) throws -> String? {
        let place = isInherited ? option.variable : "--" + option.name
        if given.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) {
            throw UsageError(
                given.unicodeScalars.last == "\r"
                    ? "\(place) ends in a carriage return: save the file of settings with plain line ends"
                    : "\(place) holds a control character")
        }
        let text = isInherited ? unquoted(given) : given
        switch option.kind {
        case .text: return isInherited && text.isEmpty ? nil : text
        case .folder:
            if isInherited, text.isEmpty { return nil }
            guard isInherited, !text.hasPrefix("/") else { return text }
            let here = FileManager.default.currentDirectoryPath
            let meant = URL(fileURLWithPath: "\(here)/\(text)").standardized.path
            throw UsageError("\(place) wants an absolute path: from here it means \(meant)")
        case .yesNo:
            if text.isEmpty { return nil }
            guard let isOn = words[text.lowercased()] else {
                throw UsageError("\(place) wants yes or no (true or false, on or off, 1 or 0)")
            }
            return isOn ? yes : nil
        }
    }

    /// Without a pair of quotation marks around the whole: systemd and shells take them off, `docker --env-file` leaves them.
    private static func unquoted(_ text: String) -> String {
        guard text.count >= 2, let first = text.first, first == text.last, "\"'".contains(first) else {
            return text
        }
        return String(text.dropFirst().dropLast())
    }
}
