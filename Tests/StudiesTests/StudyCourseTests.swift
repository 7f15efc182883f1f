import Foundation
import HTTP
import JSON
import Records
import Testing
import Wire

@testable import PortalTesting
@testable import Questionnaires

/// A private study lived through by three people, with the research group's questionnaires where they lie beside the
/// checkout: one leaves, one withdraws their consent, and every number is right.
@Suite struct StudyCourseTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    static let keys =
        InstrumentFiles.real.contains("tys-baseline")
        ? ["tys-baseline", "tys-daily", "tys-weekly", "tys-monthly"]
        : ["wellbeing-5", "tinnitus-moment", "between-sessions", "intersession-daily"]

    /// Something possible to every question that is shown.
    static func filled(_ definition: QuestionnaireDefinition) throws -> String {
        var answers: Answers = [:]
        for question in definition.questions {
            switch question.type {
            case .single: answers[question.key] = question.options.first.map { .number($0.value) }
            case .multiple(let least, _):
                answers[question.key] = .numbers(question.options.prefix(least ?? 1).map(\.value))
            case .slider(let low, _, _): answers[question.key] = .number(low)
            case .sam(_, let low, _): answers[question.key] = .number(low)
            case .yesNo: answers[question.key] = .number(1)
            case .text: answers[question.key] = .text("Text")
            case .number(let low, _): answers[question.key] = .number(low ?? 1)
            case .date: answers[question.key] = .text("2026-01-01")
            }
        }
        let shown = Set(definition.visibleSections(answers).flatMap(\.questions).map(\.key))
        let kept = Ordered(
            definition.questions.filter { shown.contains($0.key) }.map { ($0.key, answers[$0.key]) })
        return String(decoding: try JSONWriter.bytes(of: kept), as: UTF8.self)
    }

    private func answer(_ place: Int, _ people: [Person], in study: String) throws {
        let key = Self.keys[place]
        let definition = try #require(try InstrumentFiles.read(key))
        for person in people {
            let version = portal.call(.get, "/my/questionnaires", as: person).list.first {
                $0["attributes"]?["key"]?.string == key
            }?["attributes"]?["questionnaire_id"]?.string
            let sent = portal.call(
                .put, "/my/contributions/\(UUID().uuidString.lowercased())",
                """
                {"study_id": "\(study)", "questionnaire_id": "\(version ?? "")",
                 "started_at": "\(portal.now.text)", "completed_at": "\(portal.now.text)",
                 "timezone": "Europe/Vienna", "answers": \(try Self.filled(definition))}
                """, as: person)
            #expect(sent.status == 201, "\(key) \(person): \(sent.text)")
        }
    }

    private func begin() throws -> String {
        let study = portal.call(
            .post, "/studies",
            """
            {"name": "privat", "title": {"de": "Eine private Studie"}, "is_private": true, "access": "password",
             "password": "nur für uns", "consent_text": {"de": "Ich nehme teil."}, "running": true}
            """, as: .lena
        ).id
        let plan = { (every: String) in
            """
            , "schedules": [{"type": "fixed", "at": "20:00", "amount": 1, "every": 1, "unit": "\(every)", "start_day": 0}]
            """
        }
        let more = [
            #", "is_onetime": true, "baseline": "required""#, plan("day"), plan("week"), plan("month"),
        ]
        for (key, more) in zip(Self.keys, more) {
            if key != "between-sessions" {
                let file =
                    "\(InstrumentFiles.real.contains(key) ? InstrumentFiles.folder : Cast.root + "/templates/instruments")/\(key).json"
                let text = try String(contentsOfFile: file, encoding: .utf8)
                #expect(portal.call(.post, "/questionnaires/import", text, as: .lena).status == 201)
            }
            let added = portal.call(
                .post, "/studies/\(study)/questionnaires", #"{"questionnaire_key": "\#(key)"\#(more)}"#,
                as: .lena)
            #expect(added.status == 201, "\(added.text)")
        }
        return study
    }

    @Test func `three people, one leaves, one withdraws their consent, and every number is right`() throws {
        let study = try begin()
        for person in [Person.nora, .quinn, .pia] {
            let body = #"{"consent_accepted": true, "password": "nur für uns"}"#
            #expect(portal.call(.post, "/studies/\(study)/enrolment", body, as: person).status == 201)
        }
        try answer(0, [.nora, .quinn, .pia], in: study)
        // In the evening, when what is asked has come (RP-104).
        portal.wait(seconds: 11 * 3600)
        try portal.wait(awake: 0)
        for day in 0..<8 {
            switch day {
            case 0...2: try answer(1, [.nora, .quinn, .pia], in: study)
            case 3, 4: try answer(1, [.nora, .pia], in: study)
            default: try answer(1, [.nora], in: study)
            }
            if day == 0 { try answer(2, [.nora, .quinn], in: study) }
            if day == 4 { _ = portal.call(.delete, "/studies/\(study)/enrolment", as: .quinn) }
            if day == 7 { try answer(2, [.nora], in: study) }
            try portal.wait(awake: 1)
        }
        portal.wait(seconds: -11 * 3600)
        _ = portal.call(.put, "/my/privacy", #"{"research_consent": false}"#, as: .pia)
        let rows = portal.call(.get, "/studies/\(study)/participants", as: .lena).list.compactMap {
            $0["attributes"]
        }
        let numbers = rows.map { row in
            [row["state"]?.string ?? "", row["prompted"].map(text) ?? "", row["answered"].map(text) ?? ""]
        }
        // Nora: eight days, two weeks, a month. Quinn: five days, a week, a month, then gone. Pia is not told of.
        #expect(Set(numbers) == [["enrolled", "11", "10"], ["left", "7", "4"]])
        let told = try export(study)
        let manifest = told["manifest"]
        #expect(manifest?["participants"] == .number(2) && manifest?["withheld"] == .number(1))
        #expect(manifest?["sheets"] == .number(16) && manifest?["missed_prompts"] == .number(4))
        #expect(told["occasions"]?.array?.count == 20)
        #expect(portal.get("/studies/\(study)/compliance", as: .lena).text.contains("10 von 11"))
        let results = portal.get("/studies/\(study)/results", as: .lena).text
        let daily = try #require(try InstrumentFiles.read(Self.keys[1]))
        let scale = try #require(daily.scales.first?.title["de"])
        let row = try #require(results.split(separator: "<tr>").first { $0.contains(">\(scale)<") })
        #expect(row.contains(">2</td>") && row.contains(">11</td>"), "\(row)")
        // Everything of the three but of Pia, and no name.
        let everything = String(decoding: try JSONWriter.bytes(of: told), as: UTF8.self)
        for person in [Person.nora, .quinn, .pia] {
            #expect(!everything.contains(portal.cast.accounts[person]?.text ?? "-"))
        }
    }

    private func text(_ json: JSON) -> String {
        String(decoding: (try? JSONWriter.bytes(of: json)) ?? [], as: UTF8.self)
    }

    private func export(_ study: String) throws -> JSON {
        let response = portal.call(.get, "/studies/\(study)/export?format=json", as: .lena)
        return try JSON.parse(try response.streamed())
    }
}
