import JSON
import Records
import Rules
import Wire

/// A reaction of the demonstration's first therapist: clinically useful, and never praising low mood.
struct DemonstrationRule {
    let json: JSON
    var isOn = true

    private init(_ members: [(String, JSON)], isOn: Bool = true) {
        json = Self.object(members)
        self.isOn = isOn
    }

    private static func object(_ members: [(String, JSON)]) -> JSON {
        .object(members.map { JSON.Member($0.0, $0.1) })
    }

    private static func clause(_ kind: String, _ key: String, _ rest: [(String, JSON)]) -> JSON {
        .array([object([("kind", .string(kind)), ("questionnaire_key", .string(key))] + rest)])
    }

    /// - Parameters:
    ///   - praise: for reliable improvement.
    ///   - walk: a small task for low days.
    static func all(praise: ID<LibraryIntervention>, walk: ID<LibraryIntervention>) -> [DemonstrationRule] {
        clinical(praise: praise) + daily(walk: walk)
    }

    private static func clinical(praise: ID<LibraryIntervention>) -> [DemonstrationRule] {
        let strain: [(String, JSON)] = [("item", .string("strain")), ("since", .string("begin"))]
        return [
            DemonstrationRule([
                ("name", .string("Kritische Antwort")),
                (
                    "conditions",
                    clause(
                        "answer", "strain-week",
                        [
                            ("item", .string("weary")), ("comparison", .string("at_least")),
                            ("value", .number(1)),
                        ])
                ),
                ("rest_days", .number(1)), ("alert", .string("Gedanken, nicht mehr leben zu wollen")),
                (
                    "advice",
                    .string(
                        "Krisenplan durchgehen: Wer ist da, was hilft, welche Nummern?")
                ),
            ]),
            DemonstrationRule([
                ("name", .string("Deutlich schlechter")),
                ("conditions", clause("reliable_worsening", "strain-week", strain)),
                ("rest_days", .number(6)), ("alert", .string("Belastung seit Beginn deutlich gestiegen")),
                (
                    "advice",
                    .string("In der nächsten Sitzung ansprechen: Was hat sich verändert, was braucht es?")
                ),
            ]),
            DemonstrationRule([
                ("name", .string("Deutlich besser")),
                ("conditions", clause("reliable_improvement", "strain-week", strain)),
                ("rest_days", .number(28)), ("intervention_id", .string(praise.text)),
                ("briefing", .string("Belastung seit Beginn deutlich gesunken: Was hat geholfen?")),
            ]),
        ]
    }

    private static func daily(walk: ID<LibraryIntervention>) -> [DemonstrationRule] {
        let low: [(String, JSON)] = [
            ("item", .string("feeling")), ("comparison", .string("at_most")), ("value", .number(2)),
        ]
        return [
            DemonstrationRule(
                [
                    ("name", .string("Zweimal gedrückt")),
                    (
                        "conditions",
                        clause(
                            "answer", "intersession-daily",
                            low + [("times", .number(2)), ("of", .number(3))])
                    ),
                    ("rest_days", .number(7)), ("intervention_id", .string(walk.text)),
                    ("briefing", .string("Zuletzt zweimal gedrückte Stimmung bei Gedanken an die Therapie.")),
                ], isOn: false),
            DemonstrationRule([
                ("name", .string("Anhaltend gedrückt")),
                ("conditions", clause("mean", "intersession-daily", low + [("of", .number(4))])),
                ("rest_days", .number(14)),
                ("briefing", .string("Stimmung über vier Tagesabfragen gedrückt.")),
            ]),
            DemonstrationRule([
                ("name", .string("Tagesabfragen bleiben liegen")),
                ("conditions", clause("missed", "intersession-daily", [("times", .number(6))])),
                ("rest_days", .number(7)),
                ("alert", .string("Sechs Tagesabfragen hintereinander versäumt")),
                ("advice", .string("Bitte fragen Sie, ob die App noch erinnert und die Zeiten passen.")),
                ("briefing", .string("Tagesabfragen bleiben liegen: Passen die Zeiten noch?")),
            ]),
        ]
    }
}
