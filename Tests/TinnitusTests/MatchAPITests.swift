import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// The runs of matching, over the API and in the browser.
@Suite struct MatchAPITests {
    let portal: TestPortal

    init() throws { portal = try TestPortal() }

    private static let whole = """
        {"matched_at": "2026-11-20T08:59:00Z", "method": "slider", "ear": "right", "kind": "tone",
         "frequency_hz": 6137.5, "level_sl_db": 12, "certainty": 7, "headphones": "over_ear",
         "device": "Kanarienvogel", "run": 1}
        """

    private func id(_ number: Int) -> String { "44444444-4444-4444-8444-44444444444\(number)" }

    private func put(_ json: String, _ number: Int = 0, as person: Person = .pia) -> Response {
        portal.call(.put, "/my/tinnitus-matches/\(id(number))", json, as: person)
    }

    private func run(_ hertz: Double, _ number: Int) -> Response {
        put(Self.whole.replacing("6137.5", with: String(hertz)), number)
    }

    @Test func `a run is kept, the same again is harmless, and other content is refused`() throws {
        let made = put(Self.whole)
        #expect(made.status == 201 && made.id == id(0), "\(made.text)")
        #expect(made.json["data"]?["type"] == .string("tinnitus_match"))
        #expect(made.attributes["frequency_hz"] == .number(6137.5))
        #expect(made.attributes["bandwidth_octaves"] == .null)
        #expect(made.attributes["device"] == .string("Kanarienvogel"))
        #expect(put(Self.whole).status == 200)
        #expect(put(Self.whole.replacing("6137.5", with: "6137")).status == 409)
        // Ids are of one account alone.
        #expect(put(Self.whole, as: .nora).status == 201)
        #expect(try portal.audit().count { $0 == "tinnitus.matched" } == 2)
        let stored: [[UInt8]] = try portal.services.records.read { connection in
            try connection.all("SELECT device FROM tinnitus_matches") { row in try row[0] }
        }
        #expect(!stored.contains { String(decoding: $0, as: UTF8.self).contains("Kanarienvogel") })
    }

    @Test func `FD-9 what was matched stays in the form when something else is missing`() throws {
        let found = [
            ("id", id(7)), ("run", "1"), ("matched_at", "2026-11-20T08:59:00Z"), ("method", "2afc"),
            ("ear", "left"),
            ("kind", "noise"), ("frequency_hz", "6137.5"), ("level_sl_db", "12"),
            ("bandwidth_octaves", "0.33"),
            ("headphones", "in_ear"), ("device", "Kanarienvogel"),
        ]
        let refused = portal.post("/my/tinnitus", found + [("certainty", "")], as: .pia)
        #expect(refused.status == 422 && refused.text.contains("Wie sicher sind Sie"), "\(refused.text)")
        for (name, value) in found where !["method", "ear", "kind", "headphones"].contains(name) {
            #expect(refused.text.contains(#"name="\#(name)" value="\#(value)""#), "\(name)")
        }
        for chosen in ["2afc", "left", "noise", "in_ear"] {
            #expect(refused.text.contains(#"<option value="\#(chosen)" selected>"#), "\(chosen)")
        }
        #expect(refused.text.contains("Wie sicher sind Sie, von 0 (gar nicht) bis 10 (ganz)?: Bitte füllen"))
        #expect(portal.post("/my/tinnitus", found + [("certainty", "7")], as: .pia).status == 303)
        let page = portal.get("/my/tinnitus", as: .pia).text
        #expect(page.contains(#"data-run="\#(id(7))""#) && !page.contains(#"name="id" value="\#(id(7))""#))
    }

    @Test func `the list says median, quartiles and whether the runs lie an octave apart`() {
        let empty = portal.call(.get, "/my/tinnitus-matches", as: .pia)
        #expect(empty.status == 200 && empty.json["meta"]?["runs"] == .number(0))
        #expect(empty.json["meta"]?["median_hz"] == .null && empty.json["meta"]?["quartiles_hz"] == .null)
        for (number, hertz) in [3000.0, 3100, 6000, 6200].enumerated() {
            #expect(run(hertz, number).status == 201)
        }
        let list = portal.call(.get, "/my/tinnitus-matches?limit=2", as: .pia)
        let meta = list.json["meta"]
        #expect(list.list.count == 2 && meta?["total"] == .number(4) && meta?["runs"] == .number(4))
        #expect(meta?["median_hz"] == .number(4550) && meta?["octave_apart"] == .bool(true), "\(list.text)")
        #expect(meta?["quartiles_hz"]?.array == [.number(3075), .number(6050)])
        let next = meta?["next"]?.string?.dropFirst("/api/v1".count) ?? ""
        #expect(portal.call(.get, String(next), as: .pia).list.count == 2)
        #expect(portal.call(.get, "/my/tinnitus-matches", as: .quinn).list.isEmpty)
    }

    @Test(arguments: [
        (#""frequency_hz": 6137.5"#, #""frequency_hz": 19"#, "frequency_hz"),
        (#""frequency_hz": 6137.5"#, #""frequency_hz": 20001"#, "frequency_hz"),
        (#""frequency_hz": 6137.5"#, #""frequency_hz": "hoch""#, "frequency_hz"),
        (#""frequency_hz": 6137.5, "#, "", "frequency_hz"),
        (#""level_sl_db": 12"#, #""level_sl_db": -21"#, "level_sl_db"),
        (#""level_sl_db": 12"#, #""level_sl_db": 101"#, "level_sl_db"),
        (#""certainty": 7"#, #""certainty": 11"#, "certainty"),
        (#""certainty": 7"#, #""certainty": null"#, "certainty"),
        (#""run": 1"#, #""run": 0"#, "run"), (#""run": 1"#, #""run": 1.5"#, "run"),
        (#""method": "slider""#, #""method": "guess""#, "method"),
        (#""ear": "right""#, #""ear": "third""#, "ear"), (#""kind": "tone""#, #""kind": "chord""#, "kind"),
        (#""kind": "tone""#, #""kind": "tone", "bandwidth_octaves": 0.5"#, "bandwidth_octaves"),
        (#""kind": "tone""#, #""kind": "noise", "bandwidth_octaves": 2.5"#, "bandwidth_octaves"),
        ("08:59:00", "09:06:00", "matched_at"), ("2026-11-20T08:59:00Z", "gestern", "matched_at"),
        (#""run": 1"#, #""run": 1, "verdict": "hoch""#, "verdict"),
    ])
    func `bad input is named by its place`(old: String, new: String, field: String) {
        let json = Self.whole.replacing(old, with: new)
        #expect(json != Self.whole)
        let answer = put(json)
        #expect(answer.status == 422 && answer.wrongFields == [field], "\(answer.text)")
        #expect(portal.call(.put, "/my/tinnitus-matches/x", Self.whole, as: .pia).status == 422)
    }

    @Test func `five minutes ahead count as now, a noise has a bandwidth, and a flood ends`() throws {
        #expect(put(Self.whole.replacing("08:59:00", with: "09:04:00")).status == 201)
        let noise = Self.whole.replacing(
            #""kind": "tone""#, with: #""kind": "noise", "bandwidth_octaves": 0.33"#)
        #expect(put(noise, 1).attributes["bandwidth_octaves"] == .number(0.33))
        let account = portal.cast.accounts[.pia] ?? ""
        let now = portal.now
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            for number in 0..<200 {
                try connection.run(
                    """
                    INSERT INTO tinnitus_matches (account_id, id, matched_at, method, ear, kind, frequency_hz,
                        level_sl_db, certainty, run, received_at)
                    VALUES (\(account), \("n\(number)"), \(now), 'slider', 'left', 'tone', 1000.0, 1.0, 1.0, 1, \(now))
                    """)
            }
        }
        let refused = put(Self.whole, 2)
        #expect(refused.status == 409 && refused.json["code"] == .string("too_many_runs"), "\(refused.text)")
    }

    @Test func `the own copy has every run, and they go with the account`() throws {
        #expect(put(Self.whole).status == 201)
        let copy = portal.call(.get, "/my/export", as: .pia).attributes["tinnitus_matches"]?.array
        #expect(copy?.count == 1 && copy?.first?["device"] == .string("Kanarienvogel"))
        let gone = portal.call(.delete, "/my/account", #"{"password": "\#(Cast.password)"}"#, as: .pia)
        #expect(gone.status == 204)
        #expect(try portal.count("tinnitus_matches") == 0)
    }

    @Test func `the page shows middle and spread, never a single value as a verdict`() {
        let page = { portal.get("/my/tinnitus", as: .pia).text }
        #expect(page().contains("Noch kein Durchgang") && page().contains("braucht diese Seite Skripte"))
        #expect(page().contains("Eine Behandlung sind sie nicht"))
        #expect(run(6137.5, 0).status == 201)
        #expect(page().contains("etwa 6100 Hz") && !page().contains("In der Mitte"))
        #expect(page().contains("Noch 4 Durchgänge sind sinnvoll"))
        for number in 1..<5 { #expect(run(6137.5 + Double(number), number).status == 201) }
        let five = page()
        #expect(five.contains("In der Mitte etwa 6100 Hz") && five.contains("zwischen etwa 6100 und 6100 Hz"))
        #expect(five.contains("data-frequency=\"6139.5\"") && !five.contains("6139 Hz"))
        #expect(portal.get("/my/tinnitus", as: .ada).status == 403)
    }

    @Test func `a run from the page's form is the same as one of a phone`() {
        let form = [
            ("id", id(0)), ("run", "1"), ("matched_at", "2026-11-20T08:59:00.123Z"),
            ("frequency_hz", "6137.5"), ("level_sl_db", "12"), ("bandwidth_octaves", ""), ("device", ""),
            ("ear", "left"), ("kind", "tone"), ("method", "2afc"), ("headphones", "over_ear"),
        ]
        let wrong = portal.post("/my/tinnitus", form + [("certainty", "")], as: .pia)
        #expect(wrong.status == 422 && wrong.text.contains("class=\"errors\""), "\(wrong.text)")
        for _ in 0..<2 {
            #expect(portal.post("/my/tinnitus", form + [("certainty", "8")], as: .pia).status == 303)
        }
        let list = portal.call(.get, "/my/tinnitus-matches", as: .pia).list
        #expect(list.count == 1 && list.first?["attributes"]?["method"] == .string("2afc"))
    }

    @Test func `ST-6 a study exports a run a line, of those who give it, while they take part`() throws {
        let desk = StudyDesk(portal: portal)
        try portal.publish("tinnitus-profile")
        let study = desk.begin(#"{"measurements": ["tinnitus"]}"#)
        let item = desk.add("tinnitus-profile", to: study)
        #expect(put(Self.whole).status == 201)
        portal.wait(seconds: 60)
        #expect(desk.enrol(.pia, in: study).status == 201)
        portal.wait(seconds: 60)
        #expect(put(Self.whole.replacing("08:59:00", with: "09:02:00"), 1).status == 201)
        for side in ["1", "2"] {
            let changed = portal.call(
                .patch, "/my/profiles/\(item)", #"{"answers": {"side": \#(side)}}"#, as: .pia)
            #expect(changed.status == 200, "\(changed.text)")
            portal.wait(seconds: 60)
        }
        #expect(portal.call(.put, "/my/privacy", #"{"research_consent": true}"#, as: .pia).status == 200)
        #expect(try desk.text(study, "matches").split(separator: "\r\n").count == 1)
        let giving = #"{"measurements": ["tinnitus"]}"#
        #expect(portal.call(.put, "/studies/\(study)/enrolment/measurements", giving, as: .pia).status == 200)
        let rows = try desk.text(study, "matches").split(separator: "\r\n")
        #expect(
            rows.count == 2 && rows[1].contains(",1,slider,right,tone,6137.5,12,,7,over_ear,Kanarienvogel,"))
        #expect(rows[1].contains("2026-11-20T09:02:00Z") && rows[0].hasSuffix("received_at"))
        let codebook = try desk.text(study, "codebook")
        #expect(codebook.contains("matches.frequency_hz,,,frequency_hz,column,,Frequenz (Hz),frequency (Hz)"))
        let history = try desk.text(study, "profiles").split(separator: "\r\n")
        #expect(history.count == 3 && history[1].hasSuffix(",1") && history[2].hasSuffix(",2"))
        #expect(history[1].contains(",tinnitus-profile,1,side,2026-11-20T09:0"))
    }
}
