import Foundation
import HTTP
import Instruments
import JSON
import Programs
import Secrets
import Testing
import Wire
import Wording

@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Research
@testable import Studies
@testable import Web

/// I1 to I5, IO-20: files of a study, made after the password, fetched once, and complete.
@Suite struct ExportTests {
    let portal: TestPortal
    let desk: StudyDesk
    let study: String

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        #expect(desk.enrol(.pia, in: study).status == 201)
        #expect(desk.answer("wellbeing-5", in: study, as: .pia).status == 201)
    }

    func begin(_ format: String, password: String = Cast.password) -> Response {
        let form = [("format", format), ("password", password)]
        let response = portal.post("/studies/\(study)/export", form, as: .lena)
        portal.services.exports.wait()
        return response
    }

    @Test func `I5 an export wants the password, and its file is fetched once`() throws {
        let wrong = begin("csv", password: "falsch")
        #expect(wrong.status == 422 && wrong.text.contains("id=\"password-error\""))
        #expect(!wrong.text.contains("falsch"))
        #expect(begin("xls").status == 422)
        let begun = begin("csv")
        let page = begun.headers["Location"] ?? ""
        #expect(begun.status == 303)
        let ready = portal.get(page, as: .lena)
        #expect(ready.text.contains(page + "/file") && !ready.text.contains("http-equiv"))
        // A HEAD request does not use it up.
        let looked = portal.send(
            .head, page + "/file", ["Cookie": "sid=\(portal.cast.sessions[.lena] ?? "")"])
        #expect(looked.status == 405)
        let file = portal.get(page + "/file", as: .lena)
        #expect(file.headers["Content-Disposition"] == "attachment; filename=\"stress-26.csv\"")
        #expect(String(decoding: try file.streamed(), as: UTF8.self).contains("wellbeing-5"))
        let again = portal.get(page + "/file", as: .lena)
        #expect(again.status == 410 && again.text.contains("schon heruntergeladen"))
        #expect(portal.get(page, as: .lena).text.contains("schon heruntergeladen"))
        #expect(try portal.audit().contains("study.exported"))
    }

    @Test func `nobody else finds it, and after ten minutes nobody does`() throws {
        let page = begin("wide").headers["Location"] ?? ""
        #expect(portal.get(page + "/file", as: .ada).status == 403)
        let other = page.replacing(study, with: portal.cast.study)
        #expect(portal.get(other + "/file", as: .lena).status == 404)
        portal.wait(seconds: 601)
        #expect(portal.get(page + "/file", as: .lena).status == 410)
        let left = try FileManager.default.contentsOfDirectory(
            atPath: portal.services.settings.exportPath)
        #expect(left.isEmpty)
        // An hour later it is forgotten.
        let id = ID<ExportJobs.Job>(String(page.split(separator: "/").last ?? ""))
        let lead = portal.cast.accounts[.lena] ?? ""
        let desk = portal.services.exports
        try #expect(desk.find(id, study: ID(study), lead: lead, now: portal.now) != nil)
        try #expect(desk.find(id, study: ID(study), lead: lead, now: portal.now.adding(seconds: 3700)) == nil)
    }

    @Test func `E4 who withdraws before it is fetched is in no file that leaves`() throws {
        let page = begin("csv").headers["Location"] ?? ""
        portal.wait(seconds: 60)
        #expect(portal.call(.put, "/my/privacy", #"{"research_consent": false}"#, as: .pia).status == 200)
        // At once, not when it is fetched.
        #expect(try waiting().isEmpty)
        let refused = portal.get(page + "/file", as: .lena)
        #expect(refused.status == 410 && refused.text.contains("widerrufen"))
        #expect(portal.get(page, as: .lena).text.contains("widerrufen"))
    }

    /// What lies in the folder of exports.
    func waiting() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: portal.services.settings.exportPath)
    }

    @Test func `point 10: an export that waits is sealed, and gone with whoever is erased`() throws {
        let page = begin("csv").headers["Location"] ?? ""
        let file = try #require(try waiting().first)
        let path = portal.services.settings.exportPath + "/" + file
        let sealed = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(sealed.range(of: Data("wellbeing".utf8)) == nil && sealed.count > 100)
        let job = try portal.services.exports.find(
            ID(String(page.split(separator: "/").last ?? "")), study: ID(study),
            lead: portal.cast.accounts[.lena] ?? "", now: portal.now)
        let key = try #require(try job?.file.key)
        var opened = try ExportSource(path, key: key)
        #expect(String(decoding: try opened.next() ?? [], as: UTF8.self).contains("wellbeing-5"))
        // Cut off at the end it does not pass for whole.
        try sealed.dropLast(1).write(to: URL(fileURLWithPath: path))
        opened = try ExportSource(path, key: key)
        #expect(throws: SealBroken.self) { while try opened.next() != nil {} }
        let password = #"{"password": "\#(Cast.password)"}"#
        #expect(portal.call(.delete, "/my/account", password, as: .pia).status == 204)
        #expect(try waiting().isEmpty)
        #expect(portal.get(page + "/file", as: .lena).status == 410)
    }

    @Test func `point 10: no export outlives a restart, and none its ten minutes`() throws {
        _ = begin("csv")
        #expect(try waiting().count == 1)
        let services = try Services(
            portal.services.settings, gate: Cast.gate, resources: Cast.resources, log: .silent)
        services.close()
        // On a database that several portals share, another one's start leaves it for its ten minutes.
        let isShared = portal.services.records.isShared
        #expect(((try? waiting().count) ?? 0) == (isShared ? 1 : 0))
        _ = begin("csv")
        #expect(try waiting().count == (isShared ? 2 : 1))
        portal.services.exports.sweep(now: portal.now.adding(seconds: 601))
        #expect(try waiting().isEmpty)
    }

    @Test func `point 0: waiting files are judged by the server's clock, not by the disk's`() throws {
        // The server's clock is years ahead of the disk's, as in a simulation.
        portal.wait(days: 2000)
        try portal.wait(awake: 0)
        let page = begin("csv").headers["Location"] ?? ""
        #expect(try waiting().count == 1)
        Housekeeping.run(portal.services)
        portal.services.exports.sweep(now: portal.now)
        #expect(try waiting().count == 1)
        #expect(portal.get(page + "/file", as: .lena).status == 200)
        #expect(try waiting().isEmpty)
    }

    @Test func `one at a time, and whoever comes meanwhile is told`() {
        #expect(portal.services.exports.enter())
        #expect(begin("csv").status == 503)
        let call = portal.call(.get, "/studies/\(study)/export?format=csv", as: .lena)
        #expect(call.status == 503 && call.headers["Retry-After"] != nil)
        portal.services.exports.leave()
        #expect(begin("csv").status == 303)
    }

    @Test func `RP-104 the archive says since when prompts are matched by the new rule`() throws {
        let record = try #require(try portal.services.records.read { try StudyStore.find(ID(study), $0) })
        let german = portal.services.texts(.german)
        let export = StudyExport(
            study: record, keys: portal.services.keys, cache: portal.services.questionnaires, now: portal.now,
            texts: german, installed: [german], key: nil, more: [])
        let readme = {
            try portal.services.records.read {
                ExportArchive(export: export).readme(
                    ExportManifest(), matchedSince: try DrawingVersions.since($0), unseenSince: nil)
            }
        }
        #expect(try !readme().contains("prompted_at"))
        portal.wait(days: 3)
        let since = portal.now
        try DrawingVersions.begin(portal.services.records, at: since)
        portal.wait(days: 1)
        try DrawingVersions.begin(portal.services.records, at: portal.now)
        #expect(try readme().contains("Bis \(since.text) galt ein Fragebogen"))
    }

    @Test func `the archive holds every file once, with checksums that fit`() throws {
        let call = portal.call(.get, "/studies/\(study)/export?format=zip", as: .lena)
        #expect(call.status == 200 && call.headers["Content-Type"] == "application/zip")
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        let folder = path + ".read"
        try Data(try call.streamed()).write(to: URL(fileURLWithPath: path))
        defer { for made in [path, folder] { try? FileManager.default.removeItem(atPath: made) } }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let unpack = Program()
        unpack.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        unpack.arguments = ["python3", "-m", "zipfile", "-e", path, folder]
        try unpack.run()
        unpack.waitUntilExit()
        #expect(unpack.terminationStatus == 0)
        let own = folder + "/stress-26"
        let names = try FileManager.default.contentsOfDirectory(atPath: own).sorted()
        let expected =
            StudyExport.Format.archived.map { "stress-26\($0.suffix)" } + ["README.txt", "SHA256SUMS"]
        #expect(names == expected.sorted())
        let sums = try String(contentsOfFile: own + "/SHA256SUMS", encoding: .utf8).split(separator: "\n")
        #expect(sums.count == names.count - 1)
        for line in sums {
            let parts = line.split(separator: " ").map(String.init)
            var digest = FileDigest()
            digest.add(Array(try Data(contentsOf: URL(fileURLWithPath: "\(own)/\(parts[1])"))))
            #expect(digest.hexadecimal == parts[0], "\(line)")
        }
        let readme = try String(contentsOfFile: own + "/README.txt", encoding: .utf8)
        #expect(readme.contains("Stress im Alltag (stress-26)") && readme.contains("1 Personen"))
        #expect(!readme.contains("{"))
        // FD-26: it names every file there is, and none that is not.
        let named = readme.split(separator: "\n").compactMap { line in
            line.split(separator: " ").first.map(String.init)
        }.filter { $0.hasPrefix("stress-26") || ["README.txt", "SHA256SUMS"].contains($0) }
        #expect(named.sorted() == names)
        let sav = try Data(contentsOf: URL(fileURLWithPath: own + "/stress-26.sav"))
        #expect(sav.prefix(4) == Data("$FL2".utf8))
        let inside = try Data(contentsOf: URL(fileURLWithPath: own + "/stress-26.csv"))
        #expect(String(decoding: inside, as: UTF8.self) == (try desk.text(study, "csv")))
    }

    @Test func `IO-20 the therapy is told only with a yes to research, and never of anybody else`() throws {
        let rows = { try desk.text(study, "therapy").split(separator: "\r\n").dropFirst() }
        let therapy = portal.cast.therapies[.pia] ?? ""
        let body = """
            {"questionnaire_key": "between-sessions", "completed_at": "\(portal.now.adding(seconds: 60).text)",
             "answers": {"came_back": 3, "hard_moment": 1, "dream": 0, "inner_talk": 2, "tried_out": 1,
             "looked_ahead": 2, "lighter": 3, "heavier": 1}}
            """
        portal.wait(seconds: 120)
        let entered = portal.call(.post, "/patients/\(therapy)/contributions", body, as: .ada)
        #expect(entered.status == 201, "\(entered.text)")
        #expect(portal.call(.put, "/my/privacy", #"{"research_consent": false}"#, as: .pia).status == 200)
        #expect(try rows().isEmpty)
        portal.wait(seconds: 1)
        #expect(portal.call(.put, "/my/privacy", #"{"research_consent": true}"#, as: .pia).status == 200)
        let told = try rows()
        // What came before enrolling is not told either.
        #expect(!told.isEmpty && told.allSatisfy { $0.contains("between-sessions") && $0.hasPrefix("S") })
        #expect(told.count { $0.contains(",answer,") } == 8)
        portal.wait(seconds: 1)
        #expect(portal.call(.put, "/my/privacy", #"{"research_consent": false}"#, as: .pia).status == 200)
        #expect(try rows().isEmpty)
    }

    @Test func `I4 every column of the wide file is in the codebook, and the reverse`() throws {
        let columns = try desk.text(study, "wide").split(separator: "\r\n")[0].replacing("\u{FEFF}", with: "")
            .split(separator: ",").map(String.init)
        // Columns of other files say which one they stand in.
        let book = try desk.text(study, "codebook").split(separator: "\r\n").dropFirst().filter {
            !$0.contains(",column,")
        }.map { String($0.split(separator: ",", omittingEmptySubsequences: false)[0]) }
        #expect(Set(columns) == Set(book) && columns.count > 15)
    }

    @Test func `TYS-7 sensors and times have files of their own`() throws {
        _ = portal.call(.put, "/my/sensor-settings", #"{"gps": true, "microphone": true}"#, as: .pia)
        let items = portal.call(.get, "/studies/\(study)/questionnaires", as: .lena).list
        let changed = portal.change(
            .patch, "/studies/\(study)/questionnaires/\(items[0]["id"]?.string ?? "")",
            #"{"can_use": ["gps", "microphone"]}"#, as: .lena)
        #expect(changed.status == 200)
        let stamp = portal.now.text
        let sent = portal.call(
            .put, "/my/contributions/\(UUID().uuidString.lowercased())",
            """
            {"study_id": "\(study)", "questionnaire_id": "\(desk.version("wellbeing-5", .pia))",
             "started_at": "\(stamp)", "completed_at": "\(stamp)", "timezone": "Europe/Vienna",
             "answers": \(StudyDesk.wellbeing), "answered_at": {"calm": "\(stamp)"},
             "sensors": {"gps": [{"latitude": 48.4, "longitude": 9.98, "altitude": 478, "measured_at": "\(stamp)"}],
                         "microphone": [{"amplitude": 0.25, "measured_at": "\(stamp)"}]}}
            """, as: .pia)
        #expect(sent.status == 201, "\(sent.text)")
        let sensors = try desk.text(study, "sensors").split(separator: "\r\n")
        #expect(sensors.count == 3 && sensors[1].hasSuffix(",gps,\(stamp),48.4,9.98,478,"))
        #expect(sensors[2].hasSuffix(",microphone,\(stamp),,,,0.25"))
        let times = try desk.text(study, "times").split(separator: "\r\n")
        #expect(times.count == 2 && times[1].hasSuffix(",calm,\(stamp)"))
    }

    func manifest() throws -> [JSON?] {
        let manifest = try desk.export(study, "json")["manifest"]
        return ["participants", "withheld", "removed"].map { manifest?[$0] }
    }

    @Test func `ST defect 11 who left with deletion has withdrawn nothing, and who came back is one person`()
        throws
    {
        #expect(desk.enrol(.nora, in: study).status == 201)
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
        #expect(try manifest() == [.number(2), .number(0), .number(0)])
        portal.wait(seconds: 60)
        #expect(portal.call(.delete, "/studies/\(study)/enrolment?data=keep", as: .nora).status == 204)
        portal.wait(seconds: 60)
        #expect(desk.enrol(.nora, in: study).status == 201)
        #expect(try manifest() == [.number(2), .number(0), .number(0)])
        #expect(try desk.export(study, "json")["participants"]?.array?.count == 3)
        portal.wait(seconds: 60)
        #expect(portal.call(.delete, "/studies/\(study)/enrolment?data=remove", as: .nora).status == 204)
        #expect(try manifest() == [.number(1), .number(0), .number(1)])
        #expect(!portal.get("/studies/\(study)/participants", as: .lena).text.contains("widerrufen"))
        portal.wait(seconds: 60)
        #expect(portal.call(.put, "/my/privacy", #"{"research_consent": false}"#, as: .pia).status == 200)
        #expect(try manifest() == [.number(0), .number(1), .number(1)])
    }

    @Test func `ST defect 5 texts have room in the file of SPSS for as long as they are`() throws {
        let file = """
            {"format": "intersession-questionnaire/1", "key": "worte", "version": 1, "title": {"de": "Worte"},
             "sections": [{"key": "s1", "questions": [{"key": "q1", "type": "text", "text": {"de": "Was?"}}]}],
             "scales": []}
            """
        #expect(portal.call(.post, "/questionnaires/import", file, as: .ada).status == 201)
        _ = desk.add("worte", to: study)
        // 4,000 characters of two bytes and several lines.
        let text = String(repeating: "ä", count: 3_990) + "\\n\\nEnde\\u00e4"
        #expect(desk.answer("worte", in: study, as: .pia, #"{"q1": "\#(text)"}"#).status == 201)
        let response = portal.call(.get, "/studies/\(study)/export?format=sav", as: .lena)
        // Rows are compressed: what stands there is the text in pieces of 255 bytes.
        let written = try response.streamed()
        let found = written.reduce(0) { $0 + ($1 == 0xa4 ? 1 : 0) }
        #expect(found >= 3_991)
    }
}
