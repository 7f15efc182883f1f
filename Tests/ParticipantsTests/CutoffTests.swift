import HTTP
import JSON
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Psychometrics
@testable import Records

/// FD-1: what is held against a cut-off is held the same way everywhere.
@Suite struct CutoffTests {
    /// Right answers, questions, whether more is worse, and the cut-off in percent that they reach but for the last bits.
    static let vectors: [(right: Int, of: Int, higherIsWorse: Bool, cutoff: Int)] = [
        (7, 25, false, 28), (14, 25, false, 56), (11, 20, false, 55), (29, 100, true, 29),
    ]

    @Test(arguments: vectors)
    func `FD-1 at the cut-off in percent the box with crisis numbers stands, and a reaction fires`(
        _ vector: (right: Int, of: Int, higherIsWorse: Bool, cutoff: Int)
    ) throws {
        let portal = try TestPortal()
        let therapy = portal.cast.therapies[.pia]?.text ?? ""
        let questions = #"{"key": "n", "type": "number", "required": true, "text": {"de": "Wie viele"}, "#
        let file = """
            {"format": "intersession-questionnaire/1", "key": "share", "title": {"de": "Anteil"},
             "sections": [{"key": "s", "questions": [\(questions)"minimum": 0, "maximum": \(vector.of)}]}],
             "scales": [{"key": "p", "title": {"de": "Anteil"}, "method": "sum", "items": ["n"], "percent": true,
                "range": [0, 100], "cutoff": \(vector.cutoff), "higher_is_worse": \(vector.higherIsWorse)}]}
            """
        let published = portal.call(.post, "/questionnaires/import", file, as: .ada)
        #expect(published.status == 201, "\(published.text)")

        /// Pia fills it in as it opens; what the page of thanks says.
        func answered() -> String {
            let assigned = portal.call(
                .post, "/patients/\(therapy)/assignments", #"{"questionnaire_key": "share"}"#, as: .ada)
            #expect(assigned.status == 201, "\(assigned.text)")
            let pia = AnsweringPerson(portal, at: "/my/assignments/\(assigned.id)")
            pia.press("review", [("n", String(vector.right))])
            let sent = pia.press("send")
            #expect(sent.status == 303, "\(sent.text)")
            return pia.page.text
        }

        // Nothing but the cut-off speaks for it.
        #expect(answered().contains("answer__crisis"))
        #expect(try portal.count("alerts") == 0)
        let comparison = vector.higherIsWorse ? "at_least" : "at_most"
        let rule = """
            {"name": "Grenze", "rest_days": 1, "alert": "Am Grenzwert", "enabled": true, "conditions": [{"kind": "score",
             "questionnaire_key": "share", "item": "p", "comparison": "\(comparison)", "value": \(vector.cutoff),
             "times": 1, "of": 1}]}
            """
        #expect(portal.call(.post, "/rules", rule, as: .ada).status == 201)
        try portal.wait(awake: 1)
        #expect(answered().contains("answer__crisis"))
        #expect(try portal.count("alerts") == 1)
    }

    @Test(arguments: [
        ("return isWorse ? value >= cutoff : value <= cutoff", true), ("if value > scale.cutoff {", true),
        ("guard score < threshold else { return }", true), ("let far = abs(x) >= change.criterion", true),
        ("scale.cutoff! == value", true),
        ("if scale.cutoff != nil {", false), ("let cutoff = scale.cutoff, let other", false),
        ("threshold.isMet(by: value)", false),
    ])
    func `FD-1 a comparison with a cut-off by hand breaks the rules of the house`(
        code: String, isBroken: Bool
    ) {
        #expect(CutoffRule.isBroken(by: code) == isBroken)
    }
}
