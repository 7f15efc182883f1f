import HTTP
import Records
import Web
import Wording

/// The fields of a run in the browser. The findings stay in them after an error elsewhere: they took minutes.
struct MatchForm: Encodable, Sendable {
    struct Found: Encodable, Sendable {
        let name: String
        let value: String
    }

    /// The findings of the script.
    let found: [Found]
    /// The choices made before a run begins.
    let choices: [FieldView]
    let certainty: FieldView

    init(_ filled: FormState, run: Int, id: ID<MatchRecord>) {
        let first = ["id": id.text, "run": String(run)]
        found = ["id", "run", "matched_at", "frequency_hz", "level_sl_db", "bandwidth_octaves", "device"].map
        { name in
            filled.name(name, filled.texts["tinnitus.found"])
            return Found(name: name, value: filled.form[name] ?? first[name] ?? "")
        }
        var headphones = Self.list("headphones", Self.worn.map { ($0, $0) }, filled)
        headphones.hint = filled.texts["tinnitus.headphones_hint"]
        choices = [
            headphones,
            Self.list("ear", ["both", "left", "right"].map { ($0, "ear_\($0)") }, filled),
            Self.list("kind", ["tone", "noise"].map { ($0, "kind_\($0)") }, filled),
            Self.list("method", [("slider", "by_slider"), ("2afc", "by_pairs")], filled),
        ]
        certainty = filled.list(
            "certainty", label: "tinnitus.certainty_question", required: true, none: "tinnitus.choose",
            (0...10).map { (String($0), String($0)) })
    }

    private static let worn = ["over_ear", "in_ear", "speaker"]

    /// - Parameter choices: values and the keys of their words.
    private static func list(_ name: String, _ choices: [(String, String)], _ filled: FormState) -> FieldView
    {
        filled.list(
            name, label: "tinnitus.\(name)", first: choices.first?.0 ?? "",
            choices.map { ($0, filled.texts["tinnitus.\($1)"]) })
    }
}
