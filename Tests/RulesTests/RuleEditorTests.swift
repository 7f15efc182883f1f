import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Rules
@testable import Therapies
@testable import Web

/// PR-18: the editor of reactions, as forms post it without scripts.
@Suite struct RuleEditorTests {
    let rules: RuleTests
    var portal: TestPortal { rules.portal }

    init() throws { rules = try RuleTests() }

    static let mood = [
        ("kind_1", "value"), ("item_1", "q/intersession-daily/feeling"), ("comparison_1", "at_most"),
        ("value_1", "2"), ("times_1", "2"), ("of_1", "3"),
    ]
    static let rest = [
        ("name", "Gedrückt"), ("rest_days", "7"), ("reach", "all"), ("briefing", "Zeile"), ("mail", ""),
    ]

    private func post(_ form: [(String, String)], step: String? = nil) -> Response {
        portal.post("/rules/new", form + (step.map { [("step", $0)] } ?? []), as: .ada)
    }

    private func warnings(_ conditions: String, combine: String = "all", more: String = "") -> [String] {
        let body =
            #"{"name": "x", "combine": "\#(combine)", "conditions": [\#(conditions)], "briefing": "x"\#(more)}"#
        let made = portal.call(.post, "/rules", body, as: .ada)
        #expect(made.status == 201, "\(made.text)")
        return (made.attributes["warnings"]?.array ?? []).compactMap(\.string)
    }

    @Test func `PR-18 the page is a sentence with gaps, in both languages`() throws {
        let page = portal.get("/rules/new", as: .ada).text
        #expect(page.contains(#"<span class="sentence__lead">Wenn</span>"#))
        #expect(page.contains("<span> in mindestens </span>") && page.contains("<span> der letzten </span>"))
        #expect(
            page.contains(#"<select class="gap" id="item_1""#)
                && page.contains(#"id="of_1" name="of_1" value="3""#))
        // One condition cannot be removed, and several are not yet joined.
        #expect(!page.contains("remove:1") && !page.contains(#"id="combine""#))
        let english = portal.get("/rules/new?lang=en", as: .ada).text
        #expect(english.contains("<span> in at least </span>"))
    }

    @Test func `RP-211 a limit that may be two numbers is asked about beside its gap`() throws {
        let typed = Self.rest + Self.mood.map { $0.0 == "value_1" ? ($0.0, "1.500") : $0 }
        let asked = post(typed)
        #expect(asked.status == 422 && asked.text.contains("Meinen Sie 1500 oder 1,500?"), "\(asked.text)")
        #expect(
            asked.text.contains(#"name="value_1.meant" value="1500""#)
                && asked.text.contains(#"value="1.500""#))
        // How often has a limit, which one of both is beyond.
        let settled = typed.map { $0.0 == "times_1" ? ($0.0, "1.000") : $0 } + [("value_1.meant", "1.5")]
        #expect(post(settled).status == 303)
        let condition = portal.call(.get, "/rules", as: .ada).list.first?["attributes"]?["conditions"]?.array?
            .first
        #expect(condition?["value"] == .number(1.5) && condition?["times"] == .number(1))
    }

    @Test func `PR-18 conditions are added and removed one by one, and everything typed stays`() throws {
        var form = Self.mood + Self.rest + [("add_kind", "silent"), ("combine", "any")]
        let added = post(form, step: "add")
        #expect(added.status == 200 && added.text.contains(#"id="days_2" name="days_2" value="3""#))
        #expect(added.text.contains(#"value="Gedrückt""#) && added.text.contains(#"value="Zeile""#))
        #expect(added.text.contains(#"<span class="sentence__lead">oder wenn</span>"#))
        // The new condition is where to go on.
        #expect(added.text.contains(#"inputmode="numeric" autocomplete="off" autofocus"#))
        form += [
            ("kind_2", "silent"), ("days_2", "5"), ("kind_3", "missed"), ("item_3", "k/intersession-daily"),
        ]
        form += [("times_3", "4")]
        let removed = post(form, step: "remove:1").text
        #expect(removed.contains(#"id="days_1" name="days_1" value="5""#))
        #expect(removed.contains(#"id="times_2" name="times_2" value="4""#) && !removed.contains("kind_3"))
        #expect(try portal.count("rules") == 0)
        // As many as there can be: no more are offered.
        let full = (1...6).flatMap { [("kind_\($0)", "silent"), ("days_\($0)", "9")] }
        #expect(!post(Self.rest + full, step: "preview").text.contains(#"value="add""#))
        #expect(post(Self.rest + full + [("add_kind", "silent")], step: "add").text.contains("condition_6"))
        // A button that does not exist stores nothing either.
        #expect(post(Self.rest + full, step: "remove:9").status == 303)
    }

    @Test func `PR-18 changing the kind keeps what the other sentence had`() throws {
        let form = Self.rest + Self.mood.map { $0.0 == "kind_1" ? ($0.0, "silent") : $0 }
        let page = post(form, step: "preview").text
        #expect(page.contains("Tagen keine Antwort gekommen ist"))
        #expect(page.contains(#"<input type="hidden" name="item_1" value="q/intersession-daily/feeling">"#))
        let back = post(Self.rest + Self.mood.map { $0.0 == "kind_1" ? ($0.0, "mean") : $0 }, step: "preview")
        // A mean is one of a scale; what was chosen stays to be seen.
        #expect(back.text.contains(#"value="q/intersession-daily/feeling" selected"#))
        #expect(!back.text.contains(#"value="q/intersession-daily/thought""#))
    }

    @Test(arguments: ["worse", "silent", "critical", "missed"])
    func `PR-18 templates fill the editor in`(template: String) throws {
        let page = portal.get("/rules/new?template=\(template)", as: .ada)
        #expect(page.status == 200)
        #expect(page.text.contains(#"href="/rules/new?template=\#(template)" aria-current="true""#))
        let expected = [
            "worse": "change_begin", "silent": "silent", "critical": "value", "missed": "missed",
        ]
        #expect(page.text.contains(#"<option value="\#(expected[template] ?? "")" selected"#), "\(page.text)")
        #expect(page.text.matches(of: /id="name" name="name" type="text" value="[^"]+"/).count == 1)
        #expect(page.text.contains("Der Probelauf beginnt") == (template == "critical"))
    }

    @Test func `PR-18 the dry run stands beside the sentence, a strip for each patient`() throws {
        for day in 16...19 { rules.answer(1, at: "2026-11-\(day)T09:00:00Z") }
        let page = post(Self.rest + Self.mood, step: "preview")
        #expect(
            page.status == 200 && page.text.contains("1-mal ausgelöst, bei 1 von 1 Personen: seltener als"))
        #expect(page.text.contains(#"role="img" aria-label="einmal: Fr 20.11.""#), "\(page.text)")
        #expect(page.text.contains(#"<rect class="strips__mark" x="900""#))
        #expect(page.text.contains("Tage als Tabelle") && page.text.contains(" (2) in mindestens 2"))
        #expect(page.text.contains(#"class="run" aria-labelledby="run" tabindex="-1" autofocus"#))
        // Nothing was stored, and the file was looked at.
        #expect(try portal.count("rules") == 0)
        let unready = post([("kind_1", "value")] + Self.rest, step: "preview")
        #expect(unready.status == 200 && unready.text.contains(##"<a href="#item_1">"##))
        #expect(!unready.text.contains("aria-invalid"))
        #expect(
            post(Self.mood.map { $0.0 == "of_1" ? ($0.0, "1") : $0 }, step: "preview").text.contains(
                "darf nicht"))
    }

    @Test func `PR-18 what can never fire asks before it is saved, and can be saved nonetheless`() throws {
        let never = Self.rest + Self.mood.map { $0.0 == "value_1" ? ($0.0, "0") : $0 }
        let asked = post(never)
        #expect(asked.status == 422 && asked.text.contains("So kann die Reaktion nie auslösen."))
        #expect(asked.text.contains("Die Werte reichen von 1 bis 5."))
        #expect(asked.text.contains("Soll die Reaktion so gespeichert werden?"))
        #expect(asked.text.contains(#"value="Gedrückt""#))
        #expect(try portal.count("rules") == 0)
        let word = try #require(asked.text.firstMatch(of: /name="accepted" value="([^"]+)"/)).1
        // Said of something else, it is asked again.
        let always = Self.rest + Self.mood.map { $0.0 == "value_1" ? ($0.0, "5") : $0 }
        #expect(post(always + [("accepted", String(word))]).status == 422)
        #expect(post(never + [("accepted", String(word))]).status == 303)
        #expect(try portal.count("rules") == 1)
    }

    @Test func `PR-18 the call says what can never fire, too`() throws {
        let score = { RuleTests.score($0, $1) }
        #expect(warnings(RuleTests.negative).isEmpty)
        // Three of three cannot be low while one of three is high.
        let low =
            #"{"kind": "answer", "questionnaire_key": "intersession-daily", "item": "feeling", "comparison": "at_most", "value": 2, "times": 3, "of": 3}"#
        let high =
            #"{"kind": "answer", "questionnaire_key": "intersession-daily", "item": "feeling", "comparison": "at_least", "value": 4, "times": 1, "of": 3}"#
        let excluded = warnings(low + "," + high)
        #expect(excluded.first == "Die Bedingungen 1 und 2 schließen einander aus.")
        #expect(excluded.last == "So kann die Reaktion nie auslösen.")
        // Two of three and one of three can.
        #expect(warnings(RuleTests.negative + "," + high).isEmpty)
        #expect(warnings(low + "," + high, combine: "any").isEmpty)
        #expect(
            warnings(score("at_most", 3) + "," + score("above", 3), combine: "any")
                == ["So löst die Reaktion bei jeder Antwort aus."])
        // Between 2 and 3 there is no answer.
        let between = [("above", 2.0), ("below", 3.0)].map {
            #"{"kind": "answer", "questionnaire_key": "intersession-daily", "item": "feeling", "comparison": "\#($0)", "value": \#($1)}"#
        }
        #expect(warnings(between.joined(separator: ",")).last == "So kann die Reaktion nie auslösen.")
    }

    @Test func `PR-18 what nobody is asked can never fire, until somebody is`() throws {
        try portal.publish("wellbeing-5")
        let missed = #"{"kind": "missed", "questionnaire_key": "wellbeing-5", "times": 2}"#
        let told = warnings(missed)
        #expect(
            told.count == 2 && told.first?.contains("Niemand, für den die Reaktion gilt, bekommt") == true)
        let plan =
            #"{"occasion": "before_session", "questionnaire_key": "wellbeing-5"}"#
        let planned = portal.call(.post, "/patients/\(rules.pia)/delivery-rules", plan, as: .ada)
        #expect(planned.status == 201, "\(planned.text)")
        #expect(warnings(missed).isEmpty)
    }
}
