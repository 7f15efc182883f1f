import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Scheduling

/// studies.md, defect 1: what two leads have open at once is never silently put back.
@Suite struct StudySettingsTests {
    let portal: TestPortal
    let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        try desk.takeIn(.ada)
    }

    /// A study that Lena and Ada lead.
    func shared() throws -> String {
        let study = desk.begin()
        let body = #"{"email": "ada@example.org"}"#
        #expect(portal.call(.post, "/studies/\(study)/leads", body, as: .lena).status == 201)
        return study
    }

    /// Every field of a page's first form with its value, as a browser would send it.
    func fields(_ page: String, as person: Person) -> [(String, String)] {
        fields(of: portal.get(page, as: person).text)
    }

    func fields(of text: String) -> [(String, String)] {
        let start = text.range(of: "<form class=\"form")?.lowerBound ?? text.startIndex
        let end = text.range(of: "</form>", range: start..<text.endIndex)?.upperBound ?? text.endIndex
        let form = String(text[start..<end])
        var all: [(at: String.Index, field: (String, String))] = []
        for found in form.matches(of: /<input ([^>]*)>/) {
            let tag = String(found.1)
            let name = tag.firstMatch(of: /name="([^"]+)"/).map { String($0.1) } ?? ""
            let value = tag.firstMatch(of: /value="([^"]*)"/).map { String($0.1) } ?? ""
            let isUnticked = tag.contains("type=\"checkbox\"") && !tag.contains(" checked")
            if name != "form_token", !isUnticked, !tag.contains("type=\"file\"") {
                all.append((found.range.lowerBound, (name, value)))
            }
        }
        for found in form.matches(of: /(?s)<textarea [^>]*name="([^"]+)"[^>]*>(.*?)<\/textarea>/) {
            all.append((found.range.lowerBound, (String(found.1), String(found.2))))
        }
        for found in form.matches(of: /(?s)<select [^>]*name="([^"]+)"[^>]*>(.*?)<\/select>/) {
            let chosen = found.2.firstMatch(of: /value="([^"]*)" selected/).map { String($0.1) } ?? ""
            all.append((found.range.lowerBound, (String(found.1), chosen)))
        }
        return all.sorted { $0.at < $1.at }.map(\.field)
    }

    func typing(_ values: [String: String], into form: [(String, String)]) -> [(String, String)] {
        form.map { ($0.0, values[$0.0] ?? $0.1) }
    }

    // MARK: The study

    @Test
    func
        `a stale form has what is stored now where it was not touched, and puts nothing back (ST-1, RP-201)`()
        throws
    {
        let study = try shared()
        let path = "/studies/\(study)/edit"
        let lenas = fields(path, as: .lena)
        let adas = fields(path, as: .ada)
        let consent = typing(["consent_text_de": "Neu seit der Ethikkommission."], into: lenas)
        #expect(portal.post(path, consent, as: .lena).status == 303)
        let typed = typing(["title_de": "Titel von Ada"], into: adas)
        let stale = portal.post(path, typed, as: .ada)
        #expect(stale.status == 412)
        #expect(stale.text.contains("Jemand hat das inzwischen geändert"))
        // What Ada typed stays; the text that she did not touch is Lena's, and only a field that both changed shows two values.
        #expect(stale.text.contains("value=\"Titel von Ada\""))
        #expect(stale.text.contains(">Neu seit der Ethikkommission.</textarea>"))
        #expect(
            !stale.text.contains("Ich nehme freiwillig teil.") && !stale.text.contains("Jetzt gespeichert:"))
        let stored = portal.call(.get, "/studies/\(study)", as: .lena).attributes["lead"]
        #expect(stored?["title"]?["de"]?.string == "Stress im Alltag")
        #expect(stored?["consent_text"]?["de"]?.string == "Neu seit der Ethikkommission.")
        #expect(stored?["consent_version"] == .number(2))
        // Sent once more as it is, it changes the title alone.
        let again = portal.post(path, fields(of: stale.text), as: .ada)
        #expect(again.status == 303, "\(again.text)")
        let after = portal.call(.get, "/studies/\(study)", as: .lena).attributes["lead"]
        #expect(after?["title"]?["de"]?.string == "Titel von Ada" && after?["consent_version"] == .number(2))
        #expect(after?["consent_text"]?["de"]?.string == "Neu seit der Ethikkommission.")
    }

    @Test func `a form that is stale stays stale while its mistakes are mended`() throws {
        let study = try shared()
        let path = "/studies/\(study)/edit"
        let adas = fields(path, as: .ada)
        #expect(portal.post(path, fields(path, as: .lena), as: .lena).status == 303)
        let wrong = portal.post(path, typing(["name": "Mit Leerzeichen"], into: adas), as: .ada)
        #expect(wrong.status == 422)
        let kept = adas.first { $0.0 == "revision" }?.1 ?? "?"
        #expect(wrong.text.contains("name=\"revision\" value=\"\(kept)\""))
    }

    @Test func `two leads edit alternately for an hour, and nothing is silently reverted`() throws {
        let study = try shared()
        let path = "/studies/\(study)/edit"
        var forms: [Person: [(String, String)]] = [:]
        var expected: [String: String] = [:]
        var saved = 0
        var refused = 0
        let names = ["title_de", "title_en", "description_de", "text_de", "consent_text_de", "starts_at"]
        var chance = SplitMix64(7)
        for minute in 0..<60 {
            portal.wait(seconds: 60)
            let person: Person = chance.number(below: 2) == 0 ? .lena : .ada
            // Now and then the page is drawn anew; else it is as old as it is.
            if forms[person] == nil || chance.number(below: 3) == 0 {
                forms[person] = fields(path, as: person)
            }
            let name = names[chance.number(below: names.count)]
            let value = name == "starts_at" ? "2026-11-0\(1 + minute % 9)T08:00" : "\(name) \(minute)"
            let form = forms[person] ?? []
            let answer = portal.post(path, typing([name: value], into: form), as: person)
            if answer.status == 303 {
                saved += 1
                expected[name] = value
                forms[person] = fields(path, as: person)
            } else {
                refused += 1
                #expect(answer.status == 412, "\(answer.text)")
                #expect(answer.text.contains(value))
            }
            let now = Dictionary(fields(path, as: .lena)) { first, _ in first }
            for (name, value) in expected { #expect(now[name] == value, "\(minute): \(name)") }
        }
        #expect(saved > 10 && refused > 10)
    }

    // MARK: If-Match

    @Test func `changing studies' settings over the API needs the state that was seen`() throws {
        let study = try shared()
        let item = desk.add("wellbeing-5", to: study)
        #expect(portal.call(.put, "/studies/\(study)/groups", StudyDesk.groups, as: .lena).status == 200)
        let rule = portal.call(.post, "/rules", Self.rule, as: .ada).id
        let battery = portal.call(
            .post, "/batteries", #"{"name": "Beginn", "questionnaire_keys": ["wellbeing-5"]}"#, as: .ada
        ).id
        let calls: [(HTTP.Method, String, String)] = [
            (.patch, "/studies/\(study)", #"{"title": {"de": "Anders"}}"#),
            (.patch, "/studies/\(study)/questionnaires/\(item)", #"{"is_onetime": true}"#),
            (.put, "/studies/\(study)/groups", StudyDesk.groups),
            (.patch, "/rules/\(rule)", #"{"briefing": "Anders"}"#),
            (.patch, "/rules/\(rule)", #"{"enabled": true}"#),
            (.patch, "/batteries/\(battery)", #"{"name": "Anders"}"#),
        ]
        for (method, path, body) in calls {
            let first = portal.call(.get, path, as: .ada)
            let tag = try #require(first.headers["ETag"], "\(path)")
            let before = portal.call(method, path, body, as: .ada)
            #expect(before.status == 428, "\(path) \(before.text)")
            #expect(portal.call(.get, path, as: .ada).headers["ETag"] == tag, "nothing changed")
            let changed = portal.call(method, path, body, as: .ada, ["If-Match": tag])
            #expect(changed.status == 200, "\(path) \(changed.text)")
            let stale = portal.call(method, path, body, as: .ada, ["If-Match": tag])
            #expect(stale.status == 412, "\(path)")
            let present = portal.call(.get, path, as: .ada)
            #expect(stale.json["message"]?.string != nil)
            #expect(stale.json["data"] == present.json["data"], "\(path)")
            #expect(stale.headers["ETag"] == present.headers["ETag"])
            #expect(changed.headers["ETag"] == present.headers["ETag"])
            for wrong in ["\"\"", "\"x\"", "W/\(tag)", "7"] {
                #expect(
                    portal.call(method, path, body, as: .ada, ["If-Match": wrong]).status == 412, "\(wrong)")
            }
            // RP-20: as a compressing proxy sends it back.
            let weak = "W/\(present.headers["ETag"] ?? "")"
            #expect(portal.call(method, path, body, as: .ada, ["If-Match": weak]).status == 200, "\(path)")
        }
        #expect(
            portal.call(.delete, "/batteries/\(battery)", as: .ada, ["If-Match": "\"1-de\""]).status == 412)
        #expect(portal.call(.delete, "/batteries/\(battery)", as: .ada).status == 204)
        #expect(portal.call(.get, "/batteries/\(battery)", as: .ada).status == 404)
    }

    static let rule = """
        {"name": "Schlecht", "briefing": "Bitte ansehen", "conditions": [{"kind": "score",
         "questionnaire_key": "wellbeing-5", "item": "wellbeing", "comparison": "at_most", "value": 28}]}
        """

    @Test func `a tag is the revision: another language and people coming in do not make it stale`() throws {
        let study = try shared()
        let path = "/studies/\(study)"
        let english = portal.call(.get, path, as: .lena, ["Accept-Language": "en"]).headers["ETag"] ?? ""
        let german = portal.call(.get, path, as: .lena, ["Accept-Language": "de"]).headers["ETag"] ?? ""
        #expect(english != german)
        #expect(desk.enrol(.nora, in: study).status == 201)
        // What it answers has changed, so the tag of the answer has; the settings have not.
        let later = portal.call(.get, path, as: .lena, ["If-None-Match": german])
        #expect(later.status == 200 && later.headers["ETag"] != german)
        let body = #"{"title": {"de": "Anders"}}"#
        #expect(portal.call(.patch, path, body, as: .lena, ["If-Match": english]).status == 200)
        #expect(portal.call(.patch, path, body, as: .lena, ["If-Match": german]).status == 412)
        #expect(portal.call(.patch, path, body, as: .lena, ["If-Match": "*"]).status == 200)
    }

    @Test func `of changes that come at once with one state in view, one is made`() async throws {
        let study = try shared()
        let tag = portal.call(.get, "/studies/\(study)", as: .lena).headers["ETag"] ?? ""
        let statuses = await withTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                group.addTask {
                    portal.call(
                        .patch, "/studies/\(study)", #"{"description": {"de": "\#(number)"}}"#, as: .lena,
                        ["If-Match": tag]
                    ).status
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [200] + Array(repeating: 412, count: 7))
    }

    // MARK: The other forms

    @Test func `stale forms of questionnaires, groups, rules and batteries show both sides`() throws {
        let study = try shared()
        let item = desk.add("wellbeing-5", to: study)
        #expect(portal.call(.put, "/studies/\(study)/groups", StudyDesk.groups, as: .lena).status == 200)
        let rule = portal.call(.post, "/rules", Self.rule, as: .ada).id
        let battery = portal.call(
            .post, "/batteries", #"{"name": "Beginn", "questionnaire_keys": ["wellbeing-5"]}"#, as: .ada
        ).id
        let cases: [(path: String, first: (String, String), second: (String, String))] = [
            ("/studies/\(study)/questionnaires/\(item)", ("start_day", "9"), ("every", "5")),
            ("/studies/\(study)/groups", ("sample_size", "77"), ("site_1_name", "Bonn")),
            ("/rules/\(rule)", ("name", "Umbenannt"), ("rest_days", "11")),
            ("/batteries/\(battery)", ("name", "Ganz anders"), ("name", "Meins")),
        ]
        for (path, first, second) in cases {
            let page = path.hasPrefix("/rules") ? path + "/edit" : path
            var base = fields(page, as: .ada)
            if path.contains("questionnaires") {
                base = typing(["type": "fixed", "at": "09:00"], into: base)
            }
            let one = portal.post(page, typing([first.0: first.1], into: base), as: .ada)
            #expect(one.status == 303, "\(path) \(one.text)")
            let stale = portal.post(page, typing([second.0: second.1], into: base), as: .ada)
            #expect(stale.status == 412, "\(path)")
            #expect(stale.text.contains("Jemand hat das inzwischen geändert"), "\(path)")
            let stored = stale.text.matches(of: /Jetzt gespeichert:[^<]*<span class="prose">([^<]*)</).map {
                String($0.1)
            }
            // Both values where both have changed it, else what is stored now. A rule is one whole: all that differs has both.
            let isBoth = first.0 == second.0
            let isWhole = path.hasPrefix("/rules")
            #expect(
                isWhole ? stored.contains(first.1) : stored == (isBoth ? [first.1] : []), "\(path) \(stored)")
            #expect(isBoth || isWhole || stale.text.contains("value=\"\(first.1)\""), "\(path)")
            #expect(stale.text.contains("value=\"\(second.1)\""), "\(path)")
            #expect(portal.get(page, as: .ada).text.contains("value=\"\(first.1)\""), "\(path)")
        }
    }

    @Test func `FD-28 a text of several lines that nobody touched is no change in a stale form`() throws {
        let study = try shared()
        let path = "/studies/\(study)/edit"
        // Browsers end lines with two characters, whatever stands in the page.
        let browser = { (form: [(String, String)]) in
            form.map { ($0.0, $0.1.replacing("\n", with: "\r\n")) }
        }
        let lines = typing(["consent_text_de": "Erstens.\nZweitens."], into: fields(path, as: .lena))
        #expect(portal.post(path, browser(lines), as: .lena).status == 303)
        let adas = fields(path, as: .ada)
        #expect(adas.contains { $0 == ("consent_text_de", "Erstens.\nZweitens.") })
        let lenas = typing(["title_de": "Titel von Lena"], into: adas)
        #expect(portal.post(path, browser(lenas), as: .lena).status == 303)
        let stale = portal.post(path, browser(typing(["title_de": "Titel von Ada"], into: adas)), as: .ada)
        #expect(stale.status == 412)
        let told = stale.text.matches(of: /Jetzt gespeichert:[^<]*<span class="prose">([^<]*)</).map {
            String($0.1)
        }
        #expect(told == ["Titel von Lena"], "\(told)")
    }

    @Test func `a rule that has changed is not switched on by a page that shows the old one`() throws {
        let rule = portal.call(.post, "/rules", Self.rule, as: .ada).id
        let seen = portal.revision(on: "/rules/\(rule)", as: .ada)
        #expect(portal.change(.patch, "/rules/\(rule)", #"{"briefing": "Anders"}"#, as: .ada).status == 200)
        #expect(portal.post("/rules/\(rule)/switch", [("enabled", "true"), seen], as: .ada).status == 303)
        #expect(portal.call(.get, "/rules/\(rule)", as: .ada).attributes["enabled"] == .bool(false))
        #expect(portal.get("/rules/\(rule)", as: .ada).text.contains("inzwischen geändert"))
    }
}
