import HTTP
import JSON
import Records
import Scheduling
import Testing
import Wire

@testable import PortalTesting
@testable import Psychometrics
@testable import Therapies

/// FD-5: a verdict stands with the change it judges, and no page says two things of one change.
@Suite struct VerdictTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }

    /// One number from 0 to 28, more being worse; reliable from 5.2 points on.
    private func publish() {
        let file = """
            {"format": "intersession-questionnaire/1", "key": "insomnia", "title": {"de": "Schlaf"},
             "sections": [{"key": "s", "questions": [{"key": "n", "type": "number", "required": true,
               "text": {"de": "Wie sehr"}, "minimum": 0, "maximum": 28}]}],
             "scales": [{"key": "i", "title": {"de": "Last"}, "method": "sum", "items": ["n"], "range": [0, 28],
                         "higher_is_worse": true, "standard_deviation": 6, "reliability": 0.9, "cutoff": 15}]}
            """
        #expect(portal.call(.post, "/questionnaires/import", file, as: .ada).status == 201)
    }

    private func answer(_ value: Int, _ number: Int) {
        let assigned = portal.call(
            .post, "/patients/\(pia)/assignments", #"{"questionnaire_key": "insomnia"}"#, as: .ada)
        portal.wait(seconds: 60)
        let at = portal.now.text
        let id = "5a1c9a0e-98a5-4a9f-8d3e-0000000004\(number < 10 ? "0" : "")\(number)"
        let body =
            #"{"assignment_id": "\#(assigned.id)", "started_at": "\#(at)", "completed_at": "\#(at)", "timezone": "Europe/Vienna", "answers": {"n": \#(value)}}"#
        let sent = portal.call(.put, "/my/contributions/\(id)", body, as: .pia)
        #expect(sent.status == 201, "\(sent.text)")
    }

    private func session(in seconds: Int64) {
        let start = portal.now.adding(seconds: seconds)
        let body = #"{"starts_at": "\#(start.text)", "ends_at": "\#(start.adding(seconds: 3000).text)"}"#
        #expect(portal.call(.post, "/patients/\(pia)/sessions", body, as: .ada).status == 201)
    }

    private struct Told: Hashable {
        let change: String
        let verdict: String
    }

    private static let verdicts =
        "reliabel gebessert, jenseits des Grenzwerts|reliabel gebessert|nicht reliabel verändert|reliabel verschlechtert"

    /// Every change of a page with what stands behind it; a verdict that no change stands before is told of none.
    private func told(_ page: String) -> [Told] {
        let text = page.replacing(/<[^>]*>/, with: " ").replacing(/\s+/, with: " ")
        let all = text.matches(
            of:
                /([+−]?\d+) (seit Beginn|seit der letzten Sitzung)[: ]*(reliabel gebessert, jenseits des Grenzwerts|reliabel gebessert|nicht reliabel verändert|reliabel verschlechtert)?/
        )
        let loose = text.matches(
            of: /(?:nicht reliabel verändert|reliabel gebessert|reliabel verschlechtert)/
        ).count
        let judged = all.count { $0.3 != nil }
        #expect(loose == judged, "a verdict without its change: \(text)")
        return all.map { Told(change: String($0.1), verdict: String($0.3 ?? "")) }
    }

    /// The course of the fault first: 12, 20, session, 20. Then made-up ones, the same in every run.
    private static let courses: [[Int]] = {
        var random = SplitMix64(5)
        let madeUp = (0..<5).map { _ in (0..<7).map { _ in Int(random.next() % 29) } }
        return [[12, 20, 20, 9, 28, 27, 3, 8]] + madeUp
    }()

    @Test(arguments: courses)
    func `FD-5 no page says two things of one change, whatever was answered and when`(course: [Int]) throws {
        publish()
        var values: [Int] = []
        let criterion = 1.96 * 2.0.squareRoot() * 6 * (0.1).squareRoot()
        for (number, value) in course.enumerated() {
            answer(value, number)
            values.append(value)
            let pages = [
                "/", "/patients/\(pia)", "/patients/\(pia)/briefing", "/patients/\(pia)/scales/insomnia/i",
                "/patients/\(pia)/timeline",
            ].map { ($0, portal.get($0, as: .ada)) }
            for (path, page) in pages { #expect(page.status == 200, "\(path)") }
            let day = try JSONWriterText(portal.call(.get, "/today", as: .ada).attributes)
            for (path, text) in pages.map({ ($0.0, $0.1.text) }) + [("GET /today", day)] {
                let told = told(text)
                for change in told {
                    let points = Double(change.change.replacing("−", with: "-").replacing("+", with: "")) ?? 0
                    let isReliable = abs(points) > criterion
                    let word =
                        !isReliable
                        ? "nicht reliabel verändert"
                        : points > 0 ? "reliabel verschlechtert" : "reliabel gebessert"
                    #expect(change.verdict.hasPrefix(word), "\(path): \(change)")
                }
                if number > 0, path != "/" { #expect(!told.isEmpty, "\(path) says nothing of \(values)") }
            }
            portal.wait(seconds: 600)
            if number % 2 == 1 { session(in: -3600) }
            try portal.wait(awake: 1)
            session(in: 3600)
            portal.wait(seconds: 1)
        }
    }

    private func JSONWriterText(_ json: JSON) throws -> String {
        String(decoding: try JSONWriter.bytes(of: json), as: UTF8.self)
    }
}
