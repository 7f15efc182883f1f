import HTTP
import Records
import Web
import Wording

/// The fields of a run in the browser. What was found stays in them where something else was missing: it took minutes.
struct MatchForm: Encodable, Sendable {
    struct Found: Encodable, Sendable {
        let name: String
        let value: String
    }

    /// What the script found out.
    let found: [Found]
    /// What is chosen before a run begins.
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
        var certainty = filled.list(
            "certainty", label: "tinnitus.certainty_question", first: "",
            [("", filled.texts["tinnitus.choose"])] + (0...10).map { (String($0), String($0)) })
        certainty.isRequired = true
        self.certainty = certainty
    }

    private init(found: [Found], choices: [FieldView], certainty: FieldView) {
        self.found = found
        self.choices = choices
        self.certainty = certainty
    }

    static let example: MatchForm = {
        let fields = [
            ("ear", "Ohr", "both"), ("kind", "Klang", "tone"), ("certainty", "Wie sicher sind Sie?", "7"),
        ].map {
            var field = FieldView(name: $0.0, label: $0.1)
            field.isSelect = true
            field.choices = [FieldView.Choice(value: $0.2, label: $0.2, isChosen: true)]
            return field
        }
        return MatchForm(
            found: [
                Found(name: "id", value: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11"),
                Found(name: "run", value: "6"),
            ],
            choices: Array(fields.prefix(2)), certainty: fields[2])
    }()

    private static let worn = ["over_ear", "in_ear", "speaker"]

    /// - Parameter choices: values and the keys of their words.
    private static func list(_ name: String, _ choices: [(String, String)], _ filled: FormState) -> FieldView
    {
        filled.list(
            name, label: "tinnitus.\(name)", first: choices.first?.0 ?? "",
            choices.map { ($0, filled.texts["tinnitus.\($1)"]) })
    }
}
