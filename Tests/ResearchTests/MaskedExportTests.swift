import HTTP
import JSON
import Testing
import Wire

@testable import Database
@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Research
@testable import Studies
@testable import Web

/// ST-5: masked labels, and the files that name them.
@Suite struct MaskedExportTests {
    static let formats = StudyExport.Format.allCases.filter(\.isMaskable).map(\.rawValue)

    private func labels(_ trial: MaskedTrial) -> [String: String] {
        let told = trial.portal.call(.get, "/studies/\(trial.study)/groups", as: .lena).attributes
        let pairs = told["masked_labels"]?.array?.compactMap { one in
            one["arm"]?.string.map { ($0, one["label"]?.string ?? "") }
        }
        return Dictionary(uniqueKeysWithValues: pairs ?? [])
    }

    @Test func `ST-5 no masked file names an arm, or holds what single arms are asked`() throws {
        let trial = try MaskedTrial()
        try trial.answer()
        let labels = labels(trial)
        #expect(Set(labels.values) == ["A", "B"] && Set(labels.keys) == ["verumxyz", "shamxyz"])
        for format in Self.formats {
            let text = try trial.file(format)
            #expect(!trial.tells(text) && !text.contains("mood"), "\(format)")
        }
        // What unmasked leads get by default is as it was.
        let plain = try trial.desk.text(trial.study, "csv")
        #expect(plain.contains(",verumxyz,") && plain.contains(",mood,"))
        for line in try trial.file("csv").split(separator: "\r\n").dropFirst() {
            let cells = line.split(separator: ",", omittingEmptySubsequences: false)
            let arm = String(cells[0]) == trial.codenames[0] ? "verumxyz" : "shamxyz"
            #expect(String(cells[1]) == labels[arm], "\(line)")
        }
        let json = try JSON.parse(Array(try trial.file("json", as: .lena).utf8))
        let people = json["participants"]?.array ?? []
        #expect(Set(people.compactMap { $0["arm"]?.string }) == ["A", "B"])
        #expect(people.allSatisfy { $0["site"] == .null })
        let points = try trial.file("time-points").split(separator: "\r\n")
        #expect(points.count == 3 && points[0].contains("participant,arm"))
    }

    @Test func `ST-5 where arms differ in the app, masked files do not tell paper from device`() throws {
        let trial = try MaskedTrial(other: #", "app": false"#)
        let (portal, study) = (trial.portal, trial.study)
        // Pia by her phone, Quinn on paper, at another minute.
        portal.wait(seconds: 7)
        #expect(trial.desk.answer("wellbeing-5", in: study, as: .pia).status == 201)
        portal.wait(seconds: 53)
        let entered = portal.call(
            .post, "/studies/\(study)/participants/\(trial.codenames[1])/contributions",
            """
            {"questionnaire_key": "wellbeing-5", "completed_at": "\(portal.now.text)",
             "answers": \(StudyDesk.wellbeing)}
            """, as: .lena)
        #expect(entered.status == 204, "\(entered.text)")
        let rows = try trial.file("csv").split(separator: "\r\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let head = rows[0]
        for name in [
            "prompted_at", "started_at", "timezone", "source", "prompt_state", "answered_together",
            "event_started_at",
        ] {
            let column = try #require(head.firstIndex(of: name))
            #expect(rows.dropFirst().allSatisfy { $0[column].isEmpty }, "\(name)")
        }
        // Both have the same rows but for who they are.
        let both = trial.codenames.map { codename in
            rows.dropFirst().filter { $0[0] == codename }.map { Array($0.dropFirst(2)) }
        }
        #expect(both[0] == both[1] && both[0].count > 5, "\(both)")
        let json = try JSON.parse(Array(try trial.file("json").utf8))
        let occasions = json["occasions"]?.array ?? []
        #expect(occasions.count == 2)
        for name in ["is_paper", "timezone", "started_at", "answered_together"] {
            #expect(occasions.allSatisfy { $0[name] ?? .null == .null }, "\(name)")
        }
        #expect(Set(occasions.map { $0["completed_at"]?.string }).count == 1)
        let plain = try trial.desk.text(study, "csv")
        #expect(plain.contains(",paper,") && plain.contains(",device,"))
    }

    @Test func `ST-5 masked leads export masked alone, and both logs and names say so`() throws {
        let trial = try MaskedTrial()
        let (portal, study) = (trial.portal, trial.study)
        let path = "/studies/\(study)/export"
        let plain = portal.call(.get, path + "?format=csv", as: .leo)
        #expect(plain.status == 403 && plain.json["code"]?.string == "masked")
        for format in ["zip", "participants", "interventions", "sav", "fhir", "prompts", "therapy"] {
            for person in [Person.leo, .lena] {
                let answer = portal.call(.get, path + "?format=\(format)&masked=true", as: person)
                #expect(answer.status == 422, "\(format) \(answer.status)")
                #expect(answer.text.contains("nicht verblindet"), "\(answer.text)")
            }
        }
        let file = portal.call(.get, path + "?format=csv&masked=true", as: .leo)
        #expect(file.headers["Content-Disposition"]?.contains("-masked.csv") == true)
        #expect(try portal.audit().contains("study.exported_masked"))
        #expect(try !portal.audit().contains("study.exported"))
        let begin = { (person: Person, form: [(String, String)]) -> Response in
            let response = portal.post(path, form + [("password", Cast.password)], as: person)
            portal.services.exports.wait()
            return response
        }
        #expect(begin(.leo, [("format", "zip")]).status == 422)
        #expect(begin(.lena, [("format", "zip"), ("masked", "true")]).status == 422)
        for (person, form) in [
            (Person.leo, [("format", "csv")]), (.lena, [("format", "csv"), ("masked", "true")]),
        ] {
            let link = begin(person, form).headers["Location"] ?? ""
            #expect(portal.get(link, as: person).text.contains("-masked.csv"))
            let fetched = portal.get(link + "/file", as: person)
            #expect(fetched.headers["Content-Disposition"]?.contains("-masked.csv") == true)
            #expect(!trial.tells(String(decoding: try fetched.streamed(), as: UTF8.self)))
        }
        let page = portal.get(path, as: .leo).text
        #expect(!page.contains("value=\"zip\"") && page.contains("value=\"time-points-sav\""))
        #expect(portal.get(path, as: .lena).text.contains("name=\"masked\""))
    }

    @Test func `ST-5 labels stay with their arms when groups are edited, and after the first participant`()
        throws
    {
        let portal = try TestPortal()
        let desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        let set = { (arms: String, size: Int) -> [String: String] in
            let body = StudyDesk.groups.replacing(#"["full", "no_interventions"]"#, with: arms)
                .replacing(#""sample_size": 4"#, with: "\"sample_size\": \(size)")
            let answer = portal.change(.put, "/studies/\(study)/groups", body, as: .lena)
            #expect(answer.status == 200, "\(answer.text)")
            let pairs = answer.attributes["masked_labels"]?.array?.compactMap { one in
                one["arm"]?.string.map { ($0, one["label"]?.string ?? "") }
            }
            return Dictionary(uniqueKeysWithValues: pairs ?? [])
        }
        let first = set(#"["full", "no_interventions", "no_app"]"#, 40)
        #expect(Set(first.values) == ["A", "B", "C"])
        let fewer = set(#"["no_app", "full"]"#, 40)
        #expect(fewer == first.filter { $0.key != "no_interventions" })
        let again = set(#"["full", "no_interventions", "no_app"]"#, 40)
        #expect(again == first)
        #expect(desk.enrol(.pia, in: study).status == 201)
        #expect(set(#"["full", "no_interventions", "no_app"]"#, 50) == first)
        #expect(portal.get("/studies/\(study)/groups", as: .lena).text.contains("Verblindete Kennbuchstaben"))
    }

    @Test func `ST-5 labels are drawn by chance, not by the order of the arms`() {
        let arms = ["a", "b", "c"].map { StudyArm.Key(rawValue: $0) }
        let drawn = (0..<300).map { _ in MaskedLabels(drawnFor: arms, keeping: nil).wire.map(\.arm).joined() }
        let counts = Dictionary(grouping: drawn) { $0 }.mapValues(\.count)
        // Six orders of 50 each; less than 15 is six standard deviations away.
        #expect(counts.count == 6 && counts.values.allSatisfy { $0 > 14 }, "\(counts)")
    }

    @Test func `ST-5 groups of before get their labels with the first masked file, once`() throws {
        let trial = try MaskedTrial()
        try trial.answer()
        let study = trial.study
        try trial.portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run("UPDATE study_designs SET masked_labels = NULL WHERE study_id = \(study)")
        }
        #expect(labels(trial).isEmpty)
        let first = try trial.file("time-points")
        #expect(Set(labels(trial).values) == ["A", "B"])
        #expect(try trial.file("time-points", as: .lena) == first)
        #expect(try trial.portal.audit().filter { $0 == "study.labels_drawn" }.count == 1)
    }
}
