import Foundation
import HTTP
import JSON
import Records
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Therapies
@testable import Web

/// PR-6, PR-12: what a therapist writes for their own eyes leaves the house by no door.
@Suite struct CanaryTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }
    var patient: String { "/patients/\(portal.cast.therapies[.pia] ?? "")" }
    var session: String { patient + "/sessions/\(portal.cast.session)" }

    static let words = ["Merlekanar", "Agendakanar", "Notizkanar", "Fragenkanar", "Tickkanar"]

    private func write() {
        let alias = #"{"alias": "Merlekanar", "note": "Notizkanar am Fall"}"#
        #expect(portal.call(.patch, patient, alias, as: .ada).status == 200)
        let body = #"{"agenda": [{"text": "Tickkanar", "done": true}], "note": "Notizkanar der Sitzung"}"#
        #expect(portal.call(.patch, session, body, as: .ada).status == 200)
        let form = [("questions", "Fragenkanar?\nAgendakanar")]
        #expect(portal.post(patient + "/briefing", form, as: .ada).status == 303)
    }

    private func silent(_ text: String, _ place: String) {
        for word in Self.words { #expect(!text.contains(word), "\(word) in \(place)") }
    }

    @Test func `PR-6 PR-12 the therapist reads all of it where it belongs`() {
        write()
        let page = portal.get(patient + "/briefing", as: .ada).text + portal.get(session, as: .ada).text
        let all = page + portal.get(patient, as: .ada).text
        for word in Self.words { #expect(all.contains(word), "\(word)") }
    }

    /// Everything that can be looked at, with Pia's things in its places.
    private func look(as person: Person, on surfaces: Set<Surface>) -> [(place: String, answer: Response)] {
        Routes.all.list.filter { $0.method == .get && surfaces.contains($0.surface) }.map { route in
            let path = AccessMatrixTests.path(of: route, portal.cast)
            let answer =
                route.surface == .api
                ? portal.call(.get, String(path.dropFirst("/api/v1".count)), as: person)
                : portal.get(path, as: person)
            return (path, answer)
        }
    }

    @Test(arguments: [Person.ben, .lena, .leo, .uma, .pia, .quinn, .nobody])
    func `PR-6 PR-12 nobody else reads it, on no page and in no call`(person: Person) throws {
        write()
        let seen = look(as: person, on: [.portal, .api])
        #expect(seen.count { $0.answer.status == 200 } > (person == .nobody ? 8 : 20))
        for (place, answer) in seen { silent(answer.text, "\(place) of \(person)") }
        silent(portal.logged.joined(), "the log")
        silent(try portal.mails().joined(), "mails")
        silent(try portal.changes().joined(), "the trail's actions")
    }

    @Test func `PR-6 PR-12 calendars do not hear of it`() throws {
        write()
        #expect(portal.post("/profile/calendar", as: .ada).status == 303)
        let page = portal.get("/profile", as: .ada).text
        let feed = try #require(page.firstMatch(of: /\/calendar\/[A-Za-z0-9_-]{43}\.ics/)?.output)
        let calendar = portal.get(String(feed), as: .nobody)
        #expect(calendar.status == 200 && calendar.text.contains("VEVENT"))
        silent(calendar.text, "the feed")
    }

    @Test func `PR-6 PR-12 no file of the folder has it in plain`() throws {
        write()
        let folder = portal.services.settings.data
        let look = {
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
                let data = FileManager.default.contents(atPath: folder + "/" + name) ?? Data()
                for word in Self.words {
                    #expect(data.range(of: Data(word.utf8)) == nil, "\(word) in \(name)")
                }
            }
        }
        // With what has not been merged yet, as a thief would find it, and once it has.
        try look()
        portal.services.close()
        try look()
    }

    @Test func `PR-6 PR-12 with names hidden no page of the therapist shows any of it`() {
        write()
        #expect(portal.post("/screen", [("names", "hidden"), ("back", "/")], as: .ada).status == 303)
        let seen = look(as: .ada, on: [.portal])
        #expect(seen.count { $0.answer.status == 200 } > 60)
        for (place, answer) in seen { silent(answer.text, place) }
        silent(portal.get(patient + "/file?make=true&notes=true", as: .ada).text, "the file")
    }
}
