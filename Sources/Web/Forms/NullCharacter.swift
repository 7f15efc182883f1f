import JSON
import Wording

/// U+0000 in a text: SQLite, C and PostgreSQL each cut or refuse it in their own way, so it is refused here.
enum NullCharacter {
    /// - Throws: `Problem.invalid`, naming every place.
    static func refuse(in texts: [(place: String, text: String)]) throws(Problem) {
        var errors = FieldErrors()
        for (place, text) in texts where text.utf8.contains(0) { errors.add(place, "errors.null_character") }
        if !errors.isEmpty { throw .invalid(errors) }
    }

    /// Every text of a value, under its place with dots: `answers.q3`.
    static func texts(of json: JSON, at place: String) -> [(place: String, text: String)] {
        switch json {
        case .string(let text): [(place, text)]
        case .array(let values):
            values.enumerated().flatMap { texts(of: $0.element, at: "\(place).\($0.offset)") }
        case .object(let members):
            members.flatMap { member in
                let name = String(member.key.prefix(60))
                return texts(of: member.value, at: place.isEmpty ? name : "\(place).\(name)")
            }
        case .null, .bool, .number: []
        }
    }
}
