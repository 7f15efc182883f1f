import HTTP
import Templates

/// What every page of the portal carries around its own content.
struct Frame: Encodable, Sendable {
    struct Link: Encodable, Sendable {
        let label: String
        let path: String
        /// Which of `icons.svg`.
        let icon: String
        let isCurrent: Bool
        /// How many things wait there; nil for none.
        var count: String?
    }

    /// The other language, to switch to.
    struct Switch: Encodable, Sendable {
        let language: String
        let label: String
    }

    /// An information page, for the foot.
    struct Foot: Encodable, Sendable {
        let label: String
        let path: String
    }

    /// A number to call in a crisis.
    struct Phone: Encodable, Sendable {
        let label: String
        let number: String
        let path: String
    }

    /// The clinic's name; nil while nobody has set one.
    var clinic: String?
    var information: [Foot]
    var crisis: [Phone]
    var language: String
    var otherLanguage: Switch
    var stylesheet: String
    var script: String
    var navigation: [Link]
    /// Nil when nobody is signed in.
    var person: String?
    /// How long the session goes on without another request; nil when nobody is signed in.
    var sessionSeconds: String?
    var formToken: String
    var flash: String?
    /// Where the button beside the flash leads; nil for what cannot be undone.
    var flashUndo: String?
    /// The path of this page, for the language switch to come back to.
    var here: String

    static func values(_ frame: Frame, _ texts: Texts) throws -> [Value] {
        [.record(Record([("t", texts.record)])), try ValueEncoder.encode(frame)]
    }
}
