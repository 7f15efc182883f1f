import Testing

@testable import Accounts
@testable import Web

/// What a name is made of, and how long a password is.
@Suite struct PersonNameTests {
    @Test(arguments: [
        ("Ada Lindner", "Ada", "Lindner", ""),
        ("Anna van der Berg", "Anna", "van der Berg", ""),
        ("Heinrich von Stein", "Heinrich", "von Stein", ""),
        ("Juan de la Cruz", "Juan", "de la Cruz", ""),
        ("Maria Josefa von und zu Stein", "Maria Josefa", "von und zu Stein", ""),
        ("Jan Van den Broeck", "Jan", "Van den Broeck", ""),
        ("Jean-Luc Le Pen", "Jean-Luc", "Le Pen", ""),
        ("José Ortega y Gasset", "José", "Ortega y Gasset", ""),
        ("Lena Groß-Maier", "Lena", "Groß-Maier", ""),
        ("Gijs van 't Hoff", "Gijs", "van 't Hoff", ""),
        ("Ahmed ibn al Farabi", "Ahmed", "ibn al Farabi", ""),
        ("von Stein", "", "von Stein", ""),
        ("Stein", "", "Stein", ""),
        ("Van Nguyen", "Van", "Nguyen", ""),
        ("Ben Steiner", "Ben", "Steiner", ""),
        ("Ada Lindner, MSc", "Ada", "Lindner", "MSc"),
        ("Eva de Vries, BA, MA", "Eva", "de Vries", "BA, MA"),
        ("  Ada\u{A0} Lindner ", "Ada", "Lindner", ""),
        ("Zoe\u{301} d\u{27}Arc", "Zoe\u{301}", "d'Arc", ""),
        ("", "", "", ""),
        ("van", "", "van", ""),
    ])
    func `a family name begins with its particle`(
        _ name: String, _ given: String, _ family: String, _ suffix: String
    ) {
        let parts = PersonName(name)
        #expect(parts.given == given && parts.family == family && parts.suffix == suffix, "\(parts)")
    }

    @Test(
        arguments: [
            ("👩‍👩‍👧‍👦🏳️‍🌈👩‍👩‍👧‍👦", nil),
            ("e\u{301}u\u{308}o\u{308}a\u{308}x\u{301}q\u{308}zwrt", nil),
            ("🇦🇹🇩🇪🇨🇭🇱🇮🇮🇹🇫🇷🇳🇱", "errors.password_short"),
            (String(repeating: "é\u{301}", count: 257), "errors.password_long"),
        ] as [(String, String?)])
    func `NIST SP 800-63B the length of a password is in code points`(_ password: String, _ problem: String?)
    {
        #expect(PasswordRules.problem(of: password, context: []) == problem)
    }
}
