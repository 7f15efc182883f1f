import Foundation
import HTTP
import JSON
import Programs
import Scheduling
import Secrets
import Testing
import Wire

@testable import Database
@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Therapies
@testable import Web

/// ST-5: the log of allocations, what it tells when, and that it proves each of them.
@Suite struct AllocationLogTests {
    let portal: TestPortal
    let desk: StudyDesk
    let study: String

    static let arms = #"["full", {"key": "drug", "title": {"de": "Wirkstoff"}, "ratio": 2}, "no_app"]"#

    static func groups(_ allocation: String, size: Int, strata: Bool = true, arms: String = arms) -> String {
        """
        {"allocation": "\(allocation)", "arms": \(arms), "size": \(size), "sample_size": 400,
         "strata": [\(strata ? #"{"kind": "site"}, {"kind": "gender"}"# : "")],
         "outcomes": [{"is_primary": true, "questionnaire_key": "wellbeing-5", "scale": "wellbeing", "day": 28}],
         "sites": [{"name": "Ulm", "email": "ada@example.org"}, {"name": "Linz", "email": "ben@example.org"}]}
        """
    }

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
    }

    private func set(_ body: String) -> Response {
        portal.change(.put, "/studies/\(study)/groups", body, as: .lena)
    }

    private func log(_ query: String = "?limit=200") -> Response {
        portal.call(.get, "/studies/\(study)/allocations\(query)", as: .lena)
    }

    private func lines() -> [JSON] { log().list.compactMap { $0["attributes"] } }

    private func paper(_ site: String? = nil) -> Response {
        let version =
            portal.call(.get, "/studies/\(study)", as: .lena).attributes["consent_version"]?.number ?? 1
        let place = site.map { #", "site": "\#($0)""# } ?? ""
        let body =
            #"{"consented_on": "\#(portal.now.text.prefix(10))", "consent_version": \#(Int(version))\#(place)}"#
        return portal.call(.post, "/studies/\(study)/participants", body, as: .lena)
    }

    private func close() { _ = portal.call(.post, "/studies/\(study)/groups/closure", as: .lena) }

    @Test(arguments: ["randomised", "alternating", "minimised"])
    func `ST-5 another program reckons every allocation again from the closed log`(allocation: String) throws
    {
        let made = set(Self.groups(allocation, size: allocation == "alternating" ? 2 : 8))
        #expect(made.status == 200, "\(made.text)")
        #expect(made.attributes["commitment"]?.string?.count == 64 && made.attributes["salt"] == .null)
        for number in 0..<40 {
            let entered = paper(["Ulm", "Linz", nil][number % 3])
            #expect(entered.status == 201, "\(entered.text)")
        }
        #expect(desk.enrol(.pia, in: study).status == 201)
        let erased = lines().first?["codename"]?.string ?? ""
        #expect(portal.call(.delete, "/studies/\(study)/participants/\(erased)", as: .lena).status == 204)
        #expect(try reckoned().status == 1)
        close()
        let proof = try reckoned()
        #expect(
            proof.status == 0 && proof.said.contains("41 allocations reckoned again, 0 faults"),
            "\(proof.said)")
        // The commitment is that of the beginning, and another arm would be seen.
        let told = portal.call(.get, "/studies/\(study)/groups", as: .lena).attributes
        #expect(told["commitment"] == made.attributes["commitment"] && told["salt"]?.string?.count == 64)
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run(
                """
                UPDATE study_allocations SET arm = CASE arm WHEN 'full' THEN 'drug' ELSE 'full' END WHERE number = 17
                """)
        }
        let forged = try reckoned()
        #expect(forged.status == 1 && forged.said.contains("17:"), "\(forged.said)")
    }

    @Test(arguments: ["randomised", "minimised"])
    func `ST-5 another program reckons allocations that waited for a score`(allocation: String) throws {
        let items = "/studies/\(study)/questionnaires"
        let item = portal.call(.get, items, as: .lena).list.first?["id"]?.string ?? ""
        let awaited = #"{"is_onetime": true, "baseline": "required"}"#
        #expect(portal.change(.patch, "\(items)/\(item)", awaited, as: .lena).status == 200)
        let score =
            #"{"kind": "score", "questionnaire_key": "wellbeing-5", "scale": "wellbeing", "bands": [28, 50.5]}"#
        let body = Self.groups(
            allocation, size: 6, arms: #"["full", {"key": "drug", "title": {"de": "W"}, "ratio": 2}]"#
        )
        .replacing(#"{"kind": "gender"}"#, with: score)
        .replacing(#""size""#, with: #""allocated_at": "baseline", "size""#)
        let made = set(body)
        #expect(made.status == 200, "\(made.text)")
        let low = #"{"enjoyed": 0, "calm": 1, "energy": 0, "slept": 1, "company": 0}"#
        for (person, answers) in [(Person.pia, low), (.quinn, StudyDesk.wellbeing), (.nora, low)] {
            #expect(desk.enrol(person, in: study).status == 201)
            portal.wait(seconds: 60)
            #expect(desk.answer("wellbeing-5", in: study, as: person, answers).status == 201)
        }
        close()
        let proof = try reckoned()
        #expect(
            proof.status == 0 && proof.said.contains("3 allocations reckoned again, 0 faults"),
            "\(proof.said)")
    }

    /// What the script says of the log as it is told now.
    private func reckoned() throws -> (status: Int32, said: String) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let groups = portal.call(.get, "/studies/\(study)/groups", as: .lena).text
        try groups.write(toFile: folder + "/groups.json", atomically: true, encoding: .utf8)
        try log().text.write(toFile: folder + "/log.json", atomically: true, encoding: .utf8)
        let script = Program()
        script.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        script.arguments = [
            "python3", "\(Cast.root)/Tests/Allocation/recompute.py", folder + "/groups.json",
            folder + "/log.json",
        ]
        let pipe = Pipe()
        script.standardOutput = pipe
        script.standardError = pipe
        try script.run()
        let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        script.waitUntilExit()
        return (script.terminationStatus, said)
    }

    @Test
    func `ST-5 before closing neither seed nor place is told anywhere, and no row without a named site`()
        throws
    {
        #expect(set(Self.groups("randomised", size: 4, strata: false)).status == 200)
        for number in 0..<12 { #expect(paper(number % 2 == 0 ? "Ulm" : nil).status == 201) }
        let (seed, salt) = try portal.services.records.read { [study] connection in
            let stored = try #require(try GroupStore.find(ID(study), connection))
            return (String(stored.seed), stored.salt.map(hexadecimalDigits) ?? "?")
        }
        let pages = [
            "", "/groups", "/allocations", "/participants", "/results", "/compliance", "/questionnaires",
        ]
        for page in pages {
            for answer in [
                portal.get("/studies/\(study)\(page)", as: .lena),
                portal.call(.get, "/studies/\(study)\(page)", as: .lena),
            ] {
                #expect(!answer.text.contains(seed) && !answer.text.contains(salt), "\(page)")
            }
        }
        for line in lines() {
            for name in ["best_guess", "sequence", "place", "levels"] { #expect(line[name] == .null) }
            let site = line["stratum"]?.array?.first?["value"]
            #expect((line["known_by"] == .null) == (site == .null))
        }
        // The last of a block was known to its leads, the first of one was not.
        let ulm = lines().filter { $0["stratum"]?.array?.first?["value"]?.string == "Ulm" }
        #expect(ulm[0]["known_by"] == .array([]) && ulm[3]["known_by"]?.array?.count == 1)
        close()
        #expect(lines().allSatisfy { $0["sequence"]?.string?.count == 16 && $0["known_by"] != .null })
        let page = portal.get("/studies/\(study)/allocations", as: .lena).text
        #expect(page.contains("seed \(seed)") && page.contains("Ulm") && page.contains("lena@example.org"))
    }

    @Test func `ST-5 cohorts are known to their leads, minimised arms to nobody`() throws {
        #expect(set(Self.groups("alternating", size: 2, strata: false)).status == 200)
        #expect(paper().status == 201)
        #expect(lines().first?["known_by"] == .array([.string("lena@example.org")]))
        let other = desk.begin(named: "zweite")
        _ = desk.add("wellbeing-5", to: other)
        let put = portal.change(
            .put, "/studies/\(other)/groups", Self.groups("minimised", size: 1), as: .lena)
        #expect(put.status == 200 && put.attributes["size"] == .number(1), "\(put.text)")
        #expect(desk.enrol(.pia, in: other).status == 201)
        let line = portal.call(.get, "/studies/\(other)/allocations", as: .lena).list.first?["attributes"]
        #expect(line?["known_by"] == .array([]))
        let none = Self.groups("minimised", size: 1, strata: false)
        let third = desk.begin(named: "dritte")
        _ = desk.add("wellbeing-5", to: third)
        let refused = portal.change(.put, "/studies/\(third)/groups", none, as: .lena)
        #expect(refused.status == 422 && refused.json["errors"]?["strata"] != nil)
        // A lead of another study does not read it.
        #expect(portal.call(.get, "/studies/\(other)/allocations", as: .leo).status == 404)
        #expect(portal.call(.get, "/studies/\(third)/allocations", as: .lena).status == 404)
    }

    @Test func `ST-5 of who is told no more the line stays without them, and the numbers of each arm add up`()
        throws
    {
        #expect(set(Self.groups("minimised", size: 1)).status == 200)
        for person in [Person.pia, .nora, .quinn] { #expect(desk.enrol(person, in: study).status == 201) }
        #expect(lines().allSatisfy { $0["codename"] != .null && $0["allocated_at"] != .null })
        _ = portal.call(.put, "/my/privacy", #"{"research_consent": false}"#, as: .nora)
        let account = #"{"password": "\#(Cast.password)"}"#
        #expect(portal.call(.delete, "/my/account", account, as: .pia).status == 204)
        let told = lines()
        #expect(told.map { $0["codename"] == .null } == [true, true, false])
        #expect(told.map { $0["allocated_at"] == .null } == [true, true, false])
        #expect(told.allSatisfy { $0["arm"]?.string != nil && $0["number"] != .null })
        let kept = try portal.services.records.read { connection in
            try connection.all(
                "SELECT enrolment_id IS NULL, allocated_at IS NULL FROM study_allocations ORDER BY number"
            ) { row in [try row[0] as Bool, try row[1] as Bool] }
        }
        #expect(kept == [[true, true], [false, false], [false, false]])
        let (allocated, flows) = try portal.services.records.read { [study] connection in
            let stored = try #require(try GroupStore.find(ID(study), connection))
            return (stored.allocated, try GroupFlowStore.flows(of: ID(study), stored, connection))
        }
        #expect(allocated == 3 && flows.reduce(0) { $0 + $1.flow.total } == 3)
        // A returned participant stays in the arm and has one line.
        _ = portal.call(.delete, "/studies/\(study)/enrolment", as: .quinn)
        #expect(desk.enrol(.quinn, in: study).status == 201 && lines().count == 3)
    }

    @Test func `ST-5 who was allocated before there was a log stands before it, once each`() throws {
        #expect(set(Self.groups("randomised", size: 4, strata: false)).status == 200)
        #expect(desk.enrol(.pia, in: study).status == 201)
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run("DELETE FROM study_allocations")
            try connection.run("UPDATE study_designs SET salt = NULL, commitment = NULL")
        }
        _ = portal.call(.delete, "/studies/\(study)/enrolment", as: .pia)
        portal.wait(seconds: 60)
        #expect(desk.enrol(.pia, in: study).status == 201 && desk.enrol(.nora, in: study).status == 201)
        #expect(lines().map { $0["number"] } == [.null, .number(2)])
        // A commitment after the first participant would be none.
        #expect(set(Self.groups("randomised", size: 4, strata: false)).attributes["commitment"] == .null)
        #expect(portal.get("/studies/\(study)/allocations", as: .lena).text.contains("vor dem Protokoll"))
    }

    @Test(arguments: ["minimised", "randomised"])
    func `ST-5 strata named in another order later are the same, and so is what was committed to`(
        allocation: String
    ) throws {
        let groups = { (kinds: [String], sample: Int) in
            Self.groups(allocation, size: allocation == "minimised" ? 1 : 4, strata: false)
                .replacingOccurrences(of: "\"sample_size\": 400", with: "\"sample_size\": \(sample)")
                .replacingOccurrences(
                    of: "\"strata\": []",
                    with: "\"strata\": [\(kinds.map { "{\"kind\": \"\($0)\"}" }.joined(separator: ", "))]")
        }
        let first = set(groups(["gender", "site"], 30))
        #expect(first.status == 200, "\(first.text)")
        let commitment = first.attributes["commitment"]
        for number in 0..<8 { #expect(paper(number % 2 == 0 ? "Ulm" : nil).status == 201) }
        let later = set(groups(["site", "gender"], 40))
        #expect(later.status == 200 && later.attributes["sample_size"] == .number(40), "\(later.text)")
        #expect(commitment != .null && later.attributes["commitment"] == commitment)
        for number in 0..<8 { #expect(paper(number % 2 == 0 ? "Ulm" : nil).status == 201) }
        close()
        #expect(Set(lines().compactMap { $0["levels"]?.array?.count }) == [2])
        let reckoned = try reckoned()
        #expect(reckoned.status == 0, "\(reckoned.said)")
        // A line that is missing at the end is found, too.
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run("DELETE FROM study_allocations WHERE number = 16")
        }
        let cut = try self.reckoned()
        #expect(cut.status == 1 && cut.said.contains("15 of 16 lines"), "\(cut.said)")
    }

    @Test func `ST-5 while requests wait there are no groups: a lead would choose the moment of the draw`()
        throws
    {
        #expect(
            portal.change(.patch, "/studies/\(study)", #"{"access": "request"}"#, as: .lena).status == 200)
        #expect(desk.enrol(.pia, in: study).status == 202)
        #expect(portal.change(.patch, "/studies/\(study)", #"{"access": "open"}"#, as: .lena).status == 200)
        let refused = set(Self.groups("randomised", size: 4, strata: false))
        #expect(refused.status == 422 && refused.json["errors"]?["allocation"] != nil, "\(refused.text)")
        _ = portal.call(.delete, "/studies/\(study)/enrolment", as: .pia)
        #expect(set(Self.groups("randomised", size: 4, strata: false)).status == 200)
    }

    @Test func `ST-5 participants find their line in the copy of their data`() throws {
        #expect(set(Self.groups("minimised", size: 1)).status == 200)
        #expect(desk.enrol(.pia, in: study).status == 201)
        let copy = portal.call(.get, "/my/export", as: .pia).text
        #expect(copy.contains("\"allocation\":{\"arm\":"), "\(copy.prefix(300))")
    }
}
