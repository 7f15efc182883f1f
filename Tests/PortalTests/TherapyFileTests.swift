import HTTP
import JSON
import Records
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Web

/// PR-26: the file of a therapy, calls outside of the app, and files kept after an account was deleted.
@Suite struct TherapyFileTests {
    private let portal: TestPortal

    init() throws { portal = try TestPortal() }

    private var pia: String { "/patients/\(portal.cast.therapies[.pia]?.text ?? "")" }

    private func noted() {
        _ = portal.change(.patch, pia, #"{"alias": "Frau Merkname"}"#, as: .ada)
        let session = "\(pia)/sessions/\(portal.cast.session)"
        let kept = portal.change(.patch, session, #"{"note": "Geheime Notiz"}"#, as: .ada)
        #expect(kept.status == 200, "\(kept.text)")
        let call = #"{"at": "2026-11-20T08:00:00Z", "note": "Am Telefon gesagt"}"#
        #expect(portal.call(.post, "\(pia)/phone-contacts", call, as: .ada).status == 201)
    }

    @Test func `PR-26 the file holds the therapy, the alias never, notes only when they are asked for`()
        throws
    {
        noted()
        let plain = portal.call(.get, "\(pia)/file", as: .ada)
        #expect(plain.status == 200, "\(plain.text)")
        let file = plain.attributes
        #expect(file["codename"] == .string("C000001") && file["with_notes"] == .bool(false))
        #expect(file["sessions"]?.array?.isEmpty == false)
        #expect(file["interventions"]?.array?.first?["text"] == .string("Achten Sie auf den Weg."))
        let sheet = try #require(file["questionnaires"]?.array?.first)
        #expect(sheet["answers"]?.array?.isEmpty == false && sheet["scores"]?.array?.isEmpty == false)
        #expect(file["pauses"]?.array?.isEmpty == false && file["phone_contacts"]?.array?.count == 1)
        for secret in ["Frau Merkname", "Geheime Notiz", "Am Telefon gesagt"] {
            #expect(!plain.text.contains(secret), "\(secret)")
        }
        let whole = portal.call(.get, "\(pia)/file?notes=true", as: .ada).text
        #expect(whole.contains("Geheime Notiz") && whole.contains("Am Telefon gesagt"))
        #expect(!whole.contains("Frau Merkname"))
        #expect(portal.call(.get, "\(pia)/file?notes=maybe", as: .ada).status == 422)
        #expect(portal.call(.get, "\(pia)/file", as: .ben).status == 404)
        #expect(try portal.audit().count { $0 == "file.made" } == 2)
    }

    @Test func `PR-26 the page asks first what goes in, and then is the document`() throws {
        noted()
        let choice = portal.get("\(pia)/file", as: .ada).text
        #expect(choice.contains("name=\"notes\"") && !choice.contains("Achten Sie auf den Weg."))
        #expect(try portal.audit().count { $0 == "file.made" } == 0)
        let page = portal.get("\(pia)/file?make=true", as: .ada).text
        #expect(page.contains("Achten Sie auf den Weg.") && !page.contains("Geheime Notiz"))
        #expect(page.contains("Telefonisch erreicht"))
        #expect(portal.get("\(pia)/file?make=true&notes=true", as: .ada).text.contains("Geheime Notiz"))
        let download = portal.get("\(pia)/file/download", as: .ada)
        #expect(download.headers["Content-Disposition"] == "attachment; filename=\"C000001.json\"")
        #expect(download.json["codename"] == .string("C000001"))
        // At and after the end of the therapy as well.
        #expect(portal.call(.post, "\(pia)/therapy/end", "{}", as: .ada).status == 200)
        let ended = portal.call(.get, "\(pia)/file", as: .ada)
        #expect(ended.status == 200 && ended.attributes["therapy_ended_on"] != .null)
    }

    @Test func `PR-26 a deleted account leaves a sealed file for fourteen days, and nothing else`() throws {
        noted()
        let told = portal.call(.get, "/my/account/deletion", as: .pia)
        #expect(told.attributes["file_kept_days"]?.number == 14)
        #expect(told.attributes["message"]?.string?.contains("14 Tage") == true)
        #expect(portal.get("/my/settings/deletion", as: .pia).text.contains("14 Tage"))
        // An account without a therapy leaves no file, and gets no hint about one.
        #expect(
            portal.call(.get, "/my/account/deletion", as: .nora).attributes["file_kept_days"]?.number == 0)
        let password = #"{"password": "\#(Cast.password)"}"#
        #expect(portal.call(.delete, "/my/account", password, as: .pia).status == 204)
        #expect(portal.call(.get, pia, as: .ada).status == 404)
        #expect(portal.get("/", as: .ada).text.contains("Konto gelöscht; die Akte liegt bis"))
        let list = portal.call(.get, "/kept-files", as: .ada).list
        let id = try #require(list.first?["id"]?.string)
        #expect(list.count == 1 && portal.call(.get, "/kept-files", as: .ben).list.isEmpty)
        let kept = portal.call(.get, "/kept-files/\(id)", as: .ada)
        #expect(kept.attributes["interventions"]?.array?.isEmpty == false)
        #expect(!kept.text.contains("Geheime Notiz") && !kept.text.contains("Frau Merkname"))
        #expect(portal.call(.get, "/kept-files/\(id)", as: .ben).status == 404)
        #expect(portal.get("/kept-files/\(id)", as: .ada).text.contains("Achten Sie auf den Weg."))
        #expect(try !portal.everything().description.contains("Achten Sie auf den Weg."))
        try portal.wait(awake: 14)
        #expect(portal.call(.get, "/kept-files/\(id)", as: .ada).status == 404)
        let now = portal.now
        try portal.services.records.writeUnaudited(.expired) { connection in
            for feature in Feature.all { try feature.removeExpired(now, connection) }
        }
        #expect(try portal.everything()["kept_files"]?.isEmpty ?? true)
    }

    @Test func `PR-26 reached by phone stands on the timeline and is a sign of life`() throws {
        try portal.wait(awake: 9)
        let name = portal.cast.therapies[.pia]?.text ?? ""
        let silent = { (html: String) in
            html.firstRange(of: "id=\"silent\"").map { String(html[$0.lowerBound...]) } ?? ""
        }
        #expect(silent(portal.get("/", as: .ada).text).contains(name))
        for bad in [#"{"at": "2030-01-01T08:00:00Z"}"#, #"{"at": "2001-01-01T08:00:00Z"}"#, "{}"] {
            #expect(portal.call(.post, "\(pia)/phone-contacts", bad, as: .ada).status == 422, "\(bad)")
        }
        let at = portal.now.adding(seconds: -60).text
        let made = portal.call(
            .post, "\(pia)/phone-contacts", #"{"at": "\#(at)", "note": "Es geht besser."}"#, as: .ada)
        #expect(made.status == 201, "\(made.text)")
        #expect(!silent(portal.get("/", as: .ada).text).contains(name))
        let entries = portal.call(.get, "\(pia)/timeline?kind=note", as: .ada).list
        #expect(entries.first?["attributes"]?["title"] == .string("Telefonisch erreicht"))
        #expect(entries.first?["attributes"]?["summary"] == .string("Es geht besser."))
        let typed = portal.post("\(pia)/phone-contacts", [("at", "morgen")], as: .ada)
        #expect(typed.status == 422 && typed.text.contains("morgen"))
    }
}
