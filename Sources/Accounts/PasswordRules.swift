import Web

/// Passwords are long, and none of the commonest; kinds of characters are free (NIST SP 800-63B-4).
package enum PasswordRules {
    /// Lengths are in code points.
    package static let minimum = 15
    /// Long enough for any password manager.
    static let maximum = 512

    /// Reads a new password and its repetition.
    /// - Parameter context: words an attacker knows: the address, the name.
    package static func read(_ fields: InputReader, context: [String]) -> String? {
        let password = fields.secret("password")
        let confirmation = fields.secret("password_confirmation")
        guard let password else { return nil }
        let problem = problem(of: password, context: context)
        if let problem { fields.refuse("password", problem, ["minimum": String(minimum)]) }
        let isSame = confirmation.map { $0 == password } ?? true
        if !isSame { fields.refuse("password_confirmation", "errors.password_confirmation") }
        return problem == nil && isSame ? password : nil
    }

    /// The key of the sentence that names the fault; nil for a good one.
    package static func problem(of password: String, context: [String]) -> String? {
        let length = password.unicodeScalars.count
        if length < minimum { return "errors.password_short" }
        if length > maximum { return "errors.password_long" }
        let plain = password.lowercased().filter { $0.isLetter || $0.isNumber }
        // Symbols and emoji only: in no list. Blanks only, or one character repeated, is guessed first.
        if plain.isEmpty {
            return Set(password.filter { !$0.isWhitespace }).count < 2 ? "errors.password_common" : nil
        }
        if isRepetition(plain) || isSequence(plain) { return "errors.password_common" }
        let words =
            commonWords
            + context.flatMap { $0.lowercased().split { !$0.isLetter && !$0.isNumber } }.map(String.init)
        return isMadeOf(words.filter { $0.count >= 3 }, plain) ? "errors.password_common" : nil
    }

    /// `aaaa…`, `abcabcabc…`: a piece of at most eight characters repeated.
    private static func isRepetition(_ text: String) -> Bool {
        let characters = Array(text)
        return (1...8).contains { period in
            characters.count >= 2 * period
                && characters.indices.dropFirst(period).allSatisfy {
                    characters[$0] == characters[$0 - period]
                }
        }
    }

    /// `123456789…`, `abcdef…`, up, down or around the end, and rows of the keyboard.
    private static func isSequence(_ text: String) -> Bool {
        let rows = [
            "12345678901234567890", "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
            "qwertzuiopasdfghjklyxcvbnm", "qwertyuiopasdfghjklzxcvbnm", "1qaz2wsx3edc4rfv5tgb6zhn7ujm",
        ]
        return rows.contains { $0.contains(text) || String($0.reversed()).contains(text) }
    }

    /// Whether it consists of common words and at most four digits at the end.
    private static func isMadeOf(_ words: [String], _ text: String) -> Bool {
        let digits = text.reversed().prefix { $0.isNumber }.count
        var rest = Substring(digits <= 4 ? String(text.dropLast(digits)) : text)
        let longestFirst = words.sorted { $0.count > $1.count }
        while !rest.isEmpty {
            guard let word = longestFirst.first(where: { rest.hasPrefix($0) }) else { return false }
            rest = rest.dropFirst(word.count)
        }
        return true
    }

    /// Common words in lists of leaked passwords, English and German, and ours.
    private static let commonWords = [
        "password", "passwort", "kennwort", "passphrase", "letmein", "welcome", "willkommen", "iloveyou",
        "ichliebedich", "geheim", "secret", "hallo", "hello", "admin", "administrator", "login", "master",
        "dragon", "monkey", "football", "fussball", "baseball", "sunshine", "princess", "prinzessin",
        "superman", "batman", "starwars", "pokemon", "schatz", "sommer", "winter", "herbst", "frühling",
        "summer", "spring", "autumn", "change", "changeme", "test", "default", "qwerty", "qwertz", "abc",
        "123", "1234", "12345", "123456", "1234567", "12345678", "123456789", "1234567890", "intersession",
        "therapie", "therapy", "therapist", "therapeut", "therapeutin", "patient", "patientin", "klinik",
        "clinic", "praxis", "psychotherapie", "psychotherapy", "user", "please", "bitte", "mein", "meine",
        "this", "that", "the", "and", "und", "der", "die", "das", "ist", "mynameis",
    ]
}
