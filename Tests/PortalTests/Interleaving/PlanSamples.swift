import HTTP
import JSON

@testable import PortalTesting

/// Plans of studies as files.
extension WriteSamples {
    /// Of nothing but a questionnaire that is here.
    private static let plan = """
        {"format": "intersession-study-plan", "version": 1,
         "study": {"name": "geplant", "title": {"de": "Geplant"}, "consent_text": {"de": "Ich nehme teil."}},
         "questionnaires": [], "groups": null, "definitions": []}
        """

    static let plans: [String: WriteSample] = [
        "POST /api/v1/studies/plan": .call(plan),
        "POST /api/v1/studies/:study/plan/difference": .call(plan) { try $0.study() },
        "POST /studies/new/plan": .form(["file": plan]),
        "POST /studies/:study/plan": .form(["file": plan]) { try $0.study() },
    ]
}
