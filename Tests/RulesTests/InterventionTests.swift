import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Rules
@testable import Therapies
@testable import Web

/// IO-12, IO-13: what a patient is given, and the little that comes back.
@Suite struct InterventionTests {
    let portal: TestPortal
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }
    var mine: String { "/my/interventions/\(portal.cast.intervention)" }
    var staff: String { "/patients/\(pia)/interventions/\(portal.cast.intervention)" }

    init() throws { portal = try TestPortal() }

    func state() -> String? {
        portal.call(.get, "/patients/\(pia)/interventions", as: .ada).list.first {
            $0["id"]?.string == portal.cast.intervention
        }?["attributes"]?["state"]?.string
    }

    // MARK: States (figure 5.15)

    /// What the phone and the therapist can do, each from every state: the status, and the state afterwards.
    static let table: [(from: String, does: String, status: Int, to: String)] = [
        ("new", "open", 200, "opened"), ("new", "complete", 200, "completed"),
        ("new", "open later", 200, "opened"), ("new", "withdraw", 204, "withdrawn"),
        ("new", "change", 200, "new"), ("new", "synchronise", 200, "new"),
        ("opened", "open", 200, "opened"), ("opened", "open later", 409, "opened"),
        ("opened", "complete", 200, "completed"), ("opened", "withdraw", 409, "opened"),
        ("opened", "change", 409, "opened"), ("opened", "synchronise", 200, "opened"),
        ("completed", "open", 200, "completed"), ("completed", "complete", 200, "completed"),
        ("completed", "open later", 409, "completed"), ("completed", "complete before", 409, "completed"),
        ("opened", "complete before", 422, "opened"), ("completed", "withdraw", 409, "completed"),
        ("completed", "change", 409, "completed"), ("withdrawn", "open", 410, "withdrawn"),
        ("withdrawn", "complete", 410, "withdrawn"), ("withdrawn", "withdraw", 204, "withdrawn"),
        ("withdrawn", "change", 409, "withdrawn"), ("withdrawn", "synchronise", 200, "withdrawn"),
    ]

    func act(_ name: String) -> Int {
        switch name {
        case "open": portal.call(.patch, mine, #"{"opened_at": "2026-11-20T08:00:00Z"}"#, as: .pia).status
        case "open later":
            portal.call(.patch, mine, #"{"opened_at": "2026-11-20T08:10:00Z"}"#, as: .pia).status
        case "complete before":
            portal.call(.patch, mine, #"{"completed_at": "2026-11-20T07:00:00Z"}"#, as: .pia).status
        case "complete":
            portal.call(.patch, mine, #"{"completed_at": "2026-11-20T08:30:00Z"}"#, as: .pia).status
        case "withdraw": portal.call(.delete, staff, as: .ada).status
        case "change": portal.call(.patch, staff, #"{"text": "Anders gesagt."}"#, as: .ada).status
        default: portal.call(.get, "/my/interventions", as: .pia).status
        }
    }

    @Test(arguments: table.indices) func `5.4.5 every step from every state`(index: Int) throws {
        let row = Self.table[index]
        switch row.from {
        case "opened": #expect(act("open") == 200)
        case "completed": #expect(act("open") == 200 && act("complete") == 200)
        case "withdrawn": #expect(act("withdraw") == 204)
        default: break
        }
        #expect(state() == row.from)
        #expect(act(row.does) == row.status, "\(row)")
        #expect(state() == row.to, "\(row)")
        let shown = portal.call(.get, "/my/interventions", as: .pia).list
        #expect(shown.count == (row.to == "withdrawn" ? 0 : 1))
    }

    @Test func `completed may arrive before opened, and the same again writes nothing`() throws {
        #expect(act("complete") == 200)
        #expect(act("open") == 200)
        let before = try portal.audit().count
        let body = #"{"opened_at": "2026-11-20T09:00:00.400+01:00", "completed_at": "2026-11-20T08:30:00Z"}"#
        let again = portal.call(.patch, mine, body, as: .pia)
        #expect(again.status == 200 && again.attributes["opened_at"] == .string("2026-11-20T08:00:00Z"))
        #expect(try portal.audit().count == before)
        #expect(portal.call(.patch, mine, "{}", as: .pia).status == 200)
    }

    static let wrong: [(String, [String])] = [
        (#"{"opened_at": "2026-11-20T09:06:00Z"}"#, ["opened_at"]),
        (#"{"opened_at": "2026-11-19T08:54:00Z"}"#, ["opened_at"]),
        (#"{"opened_at": "2026-11-20T08:30:00Z", "completed_at": "2026-11-20T08:00:00Z"}"#, ["completed_at"]),
        (#"{"opened_at": "gestern"}"#, ["opened_at"]), (#"{"opened_at": 5}"#, ["opened_at"]),
        (#"{"answer": "ja"}"#, ["answer"]), (#"{"done": true}"#, ["done"]),
        (#"{"opened_at": "2026-11-20T08:30:00Z", "geheim": true}"#, ["body"]),
    ]

    @Test(arguments: wrong) func `a report that cannot be is refused and changes nothing`(
        body: String, fields: [String]
    ) throws {
        let before = try portal.audit().count
        let answer = portal.call(.patch, mine, body, as: .pia)
        #expect(answer.status == 422 && answer.wrongFields == fields, "\(answer.text)")
        #expect(try portal.audit().count == before)
        #expect(state() == "new")
    }

    // MARK: The text never arrives

    @Test func `IO-13 E1 a canary in every imaginable place is kept nowhere and never comes back`() throws {
        let canary = "xq7Zz-Kanarienvogel"
        let names = [
            "answer", "text", "done", "note", "comment", "value", "state", "kind", "is_done", "payload",
            canary,
        ]
        var bodies = names.map { #"{"\#($0)": "\#(canary)"}"# }
        bodies += [
            #"{"opened_at": "\#(canary)"}"#, #"{"opened_at": {"text": "\#(canary)"}}"#,
            #"{"completed_at": ["\#(canary)"]}"#, #"{"opened_at": null, "a": {"b": ["\#(canary)"]}}"#,
            #"["\#(canary)"]"#, #"{"opened_at": "\#(canary)"#, canary, "\"\(canary)\"",
            #"{"\#(canary)": 1, "\#(canary)": 2}"#,
        ]
        let odd: Headers = [
            "User-Agent": canary, "X-Answer": canary, "Referer": "https://x/\(canary)", "If-Match": canary,
            "If-None-Match": canary, "Accept-Language": "de, \(canary)", "Origin": "https://\(canary)",
        ]
        for method in [HTTP.Method.patch, .put, .post, .delete] {
            for path in [mine, mine + "/" + canary, mine + "?answer=" + canary, "/my/interventions"] {
                for body in bodies {
                    let answer = portal.call(method, path, body, as: .pia, odd)
                    #expect((400..<500).contains(answer.status), "\(method) \(path) \(body)")
                    #expect(!answer.text.contains(canary), "\(method) \(path) \(body)")
                }
            }
        }
        #expect(
            portal.call(.patch, mine, #"{"opened_at": "2026-11-20T08:00:00Z"}"#, as: .pia, odd).status == 200)
        #expect(!portal.logged.contains { $0.contains(canary) })
        let folder = URL(fileURLWithPath: portal.services.settings.data)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        #expect(files.contains("intersession.sqlite") == (portal.services.settings.server == nil))
        let stored = try portal.stored()
        #expect(stored.holds("C000001") && !stored.holds(canary))
        for file in files {
            guard let data = try? Data(contentsOf: folder.appendingPathComponent(file)) else { continue }
            #expect(data.range(of: Data(canary.utf8)) == nil, "\(file)")
        }
    }

    @Test(.onSQLite) func `IO-13 E1 no column could hold what was answered either`() throws {
        let columns = try portal.services.records.read { connection in
            try connection.all("SELECT name FROM pragma_table_info('interventions') ORDER BY cid") { row in
                try row[0] as String
            }
        }
        #expect(
            columns == [
                "id", "therapy_id", "library_id", "kind", "text", "assigned_at", "opened_at", "completed_at",
                "withdrawn_at",
            ])
    }

    @Test func `the therapist reads that a question was answered, and where the text is`() throws {
        let made = portal.call(
            .post, "/patients/\(pia)/interventions", #"{"kind": "question", "text": "Was fiel leicht?"}"#,
            as: .ada)
        #expect(made.status == 201)
        portal.wait(seconds: 60)
        let done = #"{"opened_at": "2026-11-20T09:01:00Z", "completed_at": "2026-11-20T09:01:00Z"}"#
        #expect(portal.call(.patch, "/my/interventions/\(made.id)", done, as: .pia).status == 200)
        for page in ["interventions", "timeline"] {
            let html = portal.get("/patients/\(pia)/\(page)", as: .ada).text
            #expect(html.contains("beantwortet; der Text liegt auf dem Telefon"), "\(page)")
            #expect(html.contains("abgeschlossen heute 10:01"), "\(page)")
        }
    }

    // MARK: Giving

    @Test func `given by hand from the library, in the language of the phone`() throws {
        let library =
            #"{"kind": "commendation", "text": {"de": "Gut so.", "en": "Well done."}, "shared": true}"#
        let text = portal.call(.post, "/interventions", library, as: .ben)
        #expect(text.status == 201 && text.attributes["editable"] == .bool(true))
        let given = portal.call(
            .post, "/patients/\(pia)/interventions", #"{"intervention_id": "\#(text.id)"}"#, as: .ada)
        #expect(given.status == 201 && given.attributes["intervention_id"]?.string == text.id)
        let texts = ["de", "en"].map { language in
            portal.call(.get, "/my/interventions", as: .pia, ["Accept-Language": language]).list.first?[
                "attributes"]?[
                    "text"]
        }
        #expect(texts == [.string("Gut so."), .string("Well done.")])
        // What was given stays as it was given, and what became of it is counted for one's own patients only.
        #expect(
            portal.call(.patch, "/interventions/\(text.id)", #"{"text": {"de": "Weiter so."}}"#, as: .ben)
                .status == 200)
        #expect(
            portal.call(.get, "/my/interventions", as: .pia).list.first?["attributes"]?["text"]
                == .string("Gut so."))
        #expect(portal.call(.get, "/interventions/\(text.id)", as: .ada).attributes["uses"] == .number(1))
        #expect(portal.call(.get, "/interventions/\(text.id)", as: .ben).attributes["uses"] == .number(0))
        #expect(
            portal.call(.get, "/interventions/\(text.id)", as: .ben).attributes["text"]?["en"]
                == .string("Well done."))
        #expect(
            portal.call(.patch, "/interventions/\(text.id)", #"{"shared": false}"#, as: .ada).status == 403)
        #expect(portal.call(.delete, "/interventions/\(text.id)", as: .ben).status == 204)
        #expect(portal.call(.get, "/interventions/\(text.id)", as: .ada).status == 404)
        #expect(portal.call(.get, "/my/interventions", as: .pia).list.count == 2)
        let gone = portal.call(
            .post, "/patients/\(pia)/interventions", #"{"intervention_id": "\#(text.id)"}"#, as: .ada)
        #expect(gone.status == 422 && gone.wrongFields == ["intervention_id"])
    }

    @Test func `a text of one's own is nobody else's`() throws {
        let text = portal.call(
            .post, "/interventions", #"{"kind": "task", "text": {"en": "Walk."}}"#, as: .ada)
        #expect(text.status == 201 && text.attributes["text"]?["de"] == .null)
        #expect(portal.call(.get, "/interventions", as: .ben).list.isEmpty)
        #expect(portal.call(.get, "/interventions/\(text.id)", as: .ben).status == 404)
        #expect(portal.get("/interventions/\(text.id)", as: .ben).status == 404)
        #expect(portal.post("/interventions/\(text.id)/removal", as: .ben).status == 404)
        for body in [
            #"{"kind": "task"}"#, #"{"kind": "task", "text": {}}"#, #"{"kind": "x", "text": {"de": "a"}}"#,
            #"{"kind": "task", "text": {"german": "a"}}"#, #"{"kind": "task", "text": "a"}"#,
        ] {
            #expect(portal.call(.post, "/interventions", body, as: .ada).status == 422, "\(body)")
        }
    }

    @Test func `IO-21 a control group gets none`() throws {
        try portal.services.records.writeUnaudited(.madeUp) { [pia] connection in
            try connection.run("UPDATE therapies SET arm = 'no_interventions' WHERE id = \(pia)")
        }
        let body = #"{"kind": "task", "text": "Gehen."}"#
        #expect(portal.call(.post, "/patients/\(pia)/interventions", body, as: .ada).status == 409)
        #expect(portal.get("/patients/\(pia)/interventions", as: .ada).text.contains("ohne Interventionen"))
    }

    @Test func `the portal keeps what was typed, gives, changes and takes back`() throws {
        let page = "/patients/\(pia)/interventions"
        let empty = portal.post(
            page + "/new", [("intervention_id", ""), ("kind", "question"), ("text", "")], as: .ada)
        #expect(empty.status == 422 && empty.text.contains(#"value="question" selected"#))
        #expect(empty.text.contains(##"href="#text""##))
        let given = portal.post(
            page + "/new", [("intervention_id", ""), ("kind", "question"), ("text", "Was <half>?")], as: .ada)
        #expect(given.status == 303)
        #expect(portal.get(page, as: .ada).text.contains("Was &lt;half&gt;?"))
        #expect(
            portal.post("\(page)/\(portal.cast.intervention)", [("text", "Neu.")], as: .ada).status == 303)
        #expect(portal.post("\(page)/\(portal.cast.intervention)/withdrawal", as: .ada).status == 303)
        #expect(state() == "withdrawn")
        #expect(portal.get("\(page)/\(portal.cast.intervention)", as: .ada).status == 409)
        #expect(portal.get("/patients/\(pia)/timeline", as: .ada).text.contains("zurückgezogen"))
    }

    // MARK: The vault

    @Test func `the vault takes what was seen, and loses nothing to a device that was away`() throws {
        let put = { (ciphertext: String, revision: String) in
            portal.call(
                .put, "/my/vault", #"{"ciphertext": "\#(ciphertext)"\#(revision)}"#, as: .pia)
        }
        let empty = portal.call(.get, "/my/vault", as: .pia)
        #expect(empty.attributes["revision"] == .number(0) && empty.attributes["ciphertext"] == .null)
        for _ in 0..<2 { #expect(put("AAEC", "").attributes["revision"] == .number(1)) }
        #expect(put("AAED", "").status == 428)
        #expect(put("AAED", #", "revision": 0"#).status == 412)
        #expect(put("AAED", #", "revision": 1"#).attributes["revision"] == .number(2))
        // The answer was lost, and the device asks again, the first time too.
        #expect(put("AAED", #", "revision": 1"#).attributes["revision"] == .number(2))
        #expect(portal.call(.get, "/my/vault", as: .pia).attributes["ciphertext"] == .string("AAED"))
        #expect(portal.call(.get, "/my/vault", as: .quinn).attributes["revision"] == .number(0))
        for _ in 0..<2 { #expect(portal.call(.delete, "/my/vault", as: .pia).status == 204) }
        #expect(portal.call(.get, "/my/vault", as: .pia).attributes["revision"] == .number(3))
        #expect(put("AAEE", #", "revision": 2"#).status == 412)
        #expect(put("kein base64!", #", "revision": 3"#).status == 422)
        #expect(put("", #", "revision": 3"#).status == 422)
        let large = Data(count: VaultAPI.largest + 1).base64EncodedString()
        #expect(put(large, #", "revision": 3"#).status == 422)
        #expect(put(Data(count: VaultAPI.largest).base64EncodedString(), #", "revision": 3"#).status == 200)
    }
}
