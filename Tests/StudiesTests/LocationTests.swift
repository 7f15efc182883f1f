import Foundation
import HTTP
import JSON
import Programs
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web
@testable import Wording

/// FD-27: the position is asked for at enrolment with its reason, its state is shown, and a file without any says why.
@Suite struct LocationTests {
    let portal: TestPortal
    let desk: StudyDesk
    let study: String
    let item: String

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        study = desk.begin()
        item = desk.add("wellbeing-5", to: study, #", "can_use": [{"name": "gps"}]"#)
    }

    private func enrol(_ person: Person, _ choice: String?) -> Response {
        portal.post(
            "/my/studies/stress-26/enrolment",
            [("consent_accepted", "true")] + (choice.map { [("location", $0)] } ?? []), as: person)
    }

    private func send(_ person: Person, _ more: String = "") -> Response {
        portal.wait(seconds: 60)
        return portal.call(
            .put, "/my/contributions/\(UUID().uuidString.lowercased())",
            """
            {"study_id": "\(study)", "questionnaire_id": "\(desk.version("wellbeing-5", person))",
             "started_at": "\(portal.now.text)", "completed_at": "\(portal.now.text)", "timezone": "Europe/Vienna",
             "answers": \(StudyDesk.wellbeing)\(more)}
            """, as: person)
    }

    private var position: String {
        #", "sensors": {"gps": [{"latitude": 48.2, "longitude": 16.3, "measured_at": "\#(portal.now.text)"}]}"#
    }

    private func state(_ person: Person) -> [JSON?] {
        let own = portal.call(.get, "/studies/\(study)/enrolment", as: person).attributes
        return [own["location"], own["location_device"]]
    }

    private func shows(_ words: String, _ person: Person) -> Bool {
        portal.get("/my/studies", as: person).text.contains("Standort: \(words)<")
            && portal.get("/my/studies/\(study)/location", as: person).text.contains("Zurzeit: \(words)<")
    }

    @Test func `FD-27 enrolling says why, wants a yes or a no, and the state is shown and changed`() throws {
        let page = portal.get("/studies/stress-26", as: .nora).text
        #expect(
            page.contains("hält mit Fragebögen Ihren Standort fest") && page.contains("name=\"location\""))
        #expect(page.contains("an verschiedenen Orten geht"))
        let reason = #"{"location_reason": {"de": "Wir fragen, wo Sie zur Ruhe kommen."}}"#
        #expect(portal.change(.patch, "/studies/\(study)", reason, as: .lena).status == 200)
        #expect(portal.get("/studies/stress-26", as: .nobody).text.contains("wo Sie zur Ruhe kommen"))
        let shown = portal.call(.get, "/studies/\(study)", as: .nora).attributes
        #expect(shown["asks_location"] == .bool(true))
        #expect(shown["location_reason"]?.string == "Wir fragen, wo Sie zur Ruhe kommen.")
        // Neither a yes nor a no is none, as of a page of before the study asked.
        for choice in [nil, ""] { #expect(enrol(.nora, choice).status == 422) }
        #expect(enrol(.nora, "allowed").status == 303 && enrol(.quinn, "refused").status == 303)
        #expect(portal.call(.get, "/my/sensor-settings", as: .nora).attributes["gps"] == .bool(true))
        #expect(portal.call(.get, "/my/sensor-settings", as: .quinn).attributes["gps"] == .bool(false))
        #expect(shows("erlaubt; Browser oder Gerät haben noch nicht gefragt", .nora))
        #expect(shows("nicht erlaubt", .quinn))
        let change = { (choice: String, person: Person) in
            portal.post("/my/studies/\(study)/location", [("location", choice)], as: person).status
        }
        #expect(change("", .quinn) == 422 && change("allowed", .pia) == 404)
        #expect(change("allowed", .quinn) == 303 && state(.quinn)[0]?.string == "allowed")
        _ = portal.post("/my/settings/sensors", [("gps", "false")], as: .quinn)
        #expect(shows("erlaubt, aber in Ihren Einstellungen ausgeschaltet", .quinn))
        let path = "/studies/\(study)/enrolment/location"
        let call = portal.call(.put, path, #"{"location": "refused"}"#, as: .quinn)
        #expect(call.status == 200 && call.attributes["location"]?.string == "refused", "\(call.text)")
        #expect(portal.call(.put, path, "{}", as: .quinn).wrongFields == ["location"])
        #expect(try portal.audit().contains("enrolment.location"))
    }

    @Test func `FD-27 a yes to one study is none to another that never asked`() throws {
        let other = desk.begin(named: "alltag-26")
        _ = desk.add("wellbeing-5", to: other, #", "can_use": [{"name": "gps"}]"#)
        #expect(desk.enrol(.nora, in: other).status == 201)
        let given = { portal.call(.get, "/studies/\(other)/enrolment", as: .nora).attributes["location"] }
        #expect(given() == .null)
        #expect(enrol(.nora, "allowed").status == 303)
        #expect(given() == .string("refused") && state(.nora)[0] == .string("allowed"))
        // Chosen there it counts there; and with the switch on already nothing else is changed.
        let path = "/studies/\(other)/enrolment/location"
        #expect(portal.call(.put, path, #"{"location": "allowed"}"#, as: .nora).status == 200)
        #expect(given() == .string("allowed") && state(.nora)[0] == .string("allowed"))
    }

    @Test func `FD-27 a no holds for what devices send all the same, and what they say is shown`() throws {
        #expect(enrol(.nora, "allowed").status == 303 && enrol(.quinn, "refused").status == 303)
        #expect(send(.nora, #", "sensors_refused": ["gps"]"#).status == 201)
        #expect(state(.nora) == [.string("allowed"), .string("refused")])
        #expect(shows("erlaubt, aber vom Browser oder Gerät verweigert", .nora))
        #expect(send(.nora, position).attributes["sensors_dropped"] != .array([.string("gps")]))
        #expect(shows("erlaubt", .nora))
        _ = portal.post("/my/settings/sensors", [("gps", "true")], as: .quinn)
        let sent = send(.quinn, position)
        #expect(sent.status == 201 && sent.attributes["sensors_dropped"] == .array([.string("gps")]))
        #expect(!portal.get("/my/questionnaires/\(item)", as: .quinn).text.contains("Standort"))
        let rows = try desk.text(study, "sensors").split(separator: "\r\n")
        #expect(rows.count == 2)
    }

    @Test func `FD-27 an archive without positions says why, and the page of exports how people stand`()
        throws
    {
        let page = { portal.get("/studies/\(study)/export", as: .lena).text }
        #expect(page().contains("Standort erlaubt: 0"))
        // An app that does not know of the question.
        #expect(desk.enrol(.pia, in: study).status == 201)
        #expect(shows("noch nicht gefragt; es gelten Ihre Einstellungen", .pia))
        #expect(try words() == "unasked")
        #expect(enrol(.quinn, "refused").status == 303)
        #expect(try words() == "nobody")
        #expect(enrol(.nora, "allowed").status == 303)
        #expect(try words() == "not_yet")
        #expect(send(.nora, #", "sensors_refused": ["gps"]"#).status == 201)
        #expect(try words() == "device")
        #expect(send(.nora, position).status == 201)
        #expect(try words() == nil)
        #expect(page().contains("Standort erlaubt: 1"))
    }

    /// Why the README says that there are none; nil where it does not.
    private func words() throws -> String? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("all.zip")
        let response = portal.call(.get, "/studies/\(study)/export?format=zip", as: .lena)
        try Data(try response.streamed()).write(to: file)
        let unzip = Program()
        unzip.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        unzip.arguments = ["unzip", "-p", file.path, "stress-26/README.txt"]
        let pipe = Pipe()
        unzip.standardOutput = pipe
        try unzip.run()
        let readme = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        unzip.waitUntilExit()
        #expect(readme.contains("Standort erlaubt: "))
        let texts = portal.services.texts(.german)
        return ["nobody", "unasked", "device", "not_yet", "none"].first {
            readme.contains(texts["studies.location_empty_\($0)"])
        }
    }
}
