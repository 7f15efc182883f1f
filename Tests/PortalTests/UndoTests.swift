import HTTP
import JSON
import Records
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Web

/// PR-15: what is taken back, deleted, discarded or switched off is undone by the way that its answer names.
@Suite struct UndoTests {
    private let portal: TestPortal

    init() throws { portal = try TestPortal() }

    private var pia: String { "/patients/\(portal.cast.therapies[.pia]?.text ?? "")" }

    private func way(_ response: Response) throws -> String { try #require(response.headers["Undo"]) }

    private func made(_ path: String, _ json: String) -> String {
        portal.call(.post, path, json, as: .ada).id
    }

    private func ids(_ path: String) -> [String] {
        portal.call(.get, path, as: .ada).list.compactMap { $0["id"]?.string }
    }

    @Test func `PR-15 every way back leads to a call that tells the same revision`() throws {
        let undos = Routes.all.list.compactMap { $0.call?.undo }
        #expect(undos.count >= 11)
        for undo in undos {
            let back = try #require(
                Routes.all.list.first {
                    $0.method == .post && $0.pattern.description == "/api/v1" + undo.path
                }, "\(undo.path)")
            #expect(back.call?.revision != nil, "\(undo.path)")
            #expect(
                Routes.all.list.contains {
                    $0.method == .get && $0.pattern.description == "/api/v1" + undo.shown
                }, "\(undo.shown)")
        }
    }

    @Test func `PR-15 a withdrawn assignment comes back once`() throws {
        let path = "\(pia)/assignments/\(portal.cast.assignment)"
        let before = ids("\(pia)/assignments")
        let way = try way(portal.call(.delete, path, as: .ada))
        #expect(ids("\(pia)/assignments") != before)
        #expect(portal.call(.post, way, as: .ada).status == 204)
        #expect(ids("\(pia)/assignments") == before)
        let again = portal.call(.post, way, as: .ada)
        #expect(again.status == 410 && again.json["code"]?.string == "undone")
        // Withdrawing what is withdrawn does nothing, and offers nothing.
        _ = portal.call(.delete, path, as: .ada)
        #expect(portal.call(.delete, path, as: .ada).headers["Undo"] == nil)
    }

    @Test func `PR-15 an intervention, a pause, a holiday, a battery, a text and a call come back`() throws {
        let things = [
            ("\(pia)/interventions", portal.cast.intervention), ("\(pia)/pauses", portal.cast.pause),
            ("/pauses", made("/pauses", WriteSamples.pause)),
            ("/batteries", made("/batteries", WriteSamples.battery)),
            ("/interventions", made("/interventions", WriteSamples.ownText)),
            ("/rules", made("/rules", WriteSamples.rule)),
            ("\(pia)/phone-contacts", made("\(pia)/phone-contacts", WriteSamples.phone)),
        ]
        for (list, id) in things {
            let before = portal.call(.get, list, as: .ada).list
            let way = try way(portal.call(.delete, "\(list)/\(id)", as: .ada))
            if list != "\(pia)/interventions" { #expect(!ids(list).contains(id), "\(list)") }
            #expect(portal.call(.post, way, as: .ben).status == 404, "\(list)")
            #expect([200, 204].contains(portal.call(.post, way, as: .ada).status), "\(list)")
            #expect(portal.call(.get, list, as: .ada).list == before, "\(list)")
            #expect(portal.call(.post, way, as: .ada).status == 410, "\(list)")
        }
    }

    @Test func `PR-15 a reaction that was switched off is on again, and what is switched on offers nothing`()
        throws
    {
        let rule = "/rules/\(made("/rules", WriteSamples.rule))"
        let on = portal.change(.patch, rule, #"{"enabled": true}"#, as: .ada)
        #expect(on.status == 200 && on.headers["Undo"] == nil)
        let off = portal.change(.patch, rule, #"{"enabled": false}"#, as: .ada)
        let back = portal.call(.post, try way(off), as: .ada)
        #expect(back.status == 200 && back.attributes["enabled"] == .bool(true))
    }

    @Test func `PR-15 what somebody has changed since is not undone: 412 with the present state`() throws {
        let rule = "/rules/\(made("/rules", WriteSamples.rule))"
        _ = portal.change(.patch, rule, #"{"enabled": true}"#, as: .ada)
        let way = try way(portal.change(.patch, rule, #"{"enabled": false}"#, as: .ada))
        let other = WriteSamples.rule.replacing("Still", with: "Lange still")
        #expect(portal.change(.patch, rule, other, as: .ada).status == 200)
        let refused = portal.call(.post, way, as: .ada)
        #expect(refused.status == 412 && refused.json["code"]?.string == "stale")
        let present = refused.json["data"]?["attributes"]
        #expect(present?["name"] == .string("Lange still") && present?["enabled"] == .bool(false))
        // Of a list the thing itself.
        let pauses = "\(pia)/pauses"
        let gone = try self.way(portal.call(.delete, "\(pauses)/\(portal.cast.pause)", as: .ada))
        _ = portal.call(.post, "\(pauses)/\(portal.cast.pause)/return", as: .ada)
        let stale = portal.call(.post, gone, as: .ada)
        #expect(stale.status == 412 && stale.json["data"]?["id"]?.string == portal.cast.pause)
    }

    @Test func `PR-15 after ten minutes, and for what was never handed out, there is no way back`() throws {
        let path = "\(pia)/pauses/\(portal.cast.pause)"
        let way = try way(portal.call(.delete, path, as: .ada))
        let changed = way.dropLast() + (way.last == "A" ? "B" : "A")
        #expect(portal.call(.post, String(changed), as: .ada).status == 404)
        #expect(portal.call(.post, "/undo/x", as: .ada).status == 404)
        portal.wait(seconds: 601)
        let late = portal.call(.post, way, as: .ada)
        #expect(late.status == 410 && late.json["code"]?.string == "undo_too_late")
        #expect(!ids("\(pia)/pauses").contains(portal.cast.pause))
    }

    @Test func `PR-15 pages offer a button beside the line, which works once`() throws {
        let forms = [
            ("\(pia)/assignments/\(portal.cast.assignment)/withdrawal", [(String, String)]()),
            ("\(pia)/interventions/\(portal.cast.intervention)/withdrawal", []),
            ("\(pia)/pauses/\(portal.cast.pause)/removal", []),
            ("\(pia)/dailies", [("dailies", "false")]),
        ]
        for (action, form) in forms {
            let done = portal.post(action, form, as: .ada)
            let html = portal.get(done.headers["Location"] ?? "/", as: .ada).text
            let way = try #require(
                try /action="(\/undo\/[^"]+)"/.firstMatch(in: html).map { String($0.1) }, "\(action)")
            let back = portal.post(way, as: .ada)
            #expect(back.status == 303 && back.headers["Location"] == done.headers["Location"], "\(action)")
            #expect(
                portal.get(back.headers["Location"] ?? "/", as: .ada).text.contains("Rückgängig gemacht."))
            _ = portal.post(way, as: .ada)
            let told = portal.get(done.headers["Location"] ?? "/", as: .ada).text
            #expect(told.contains("Das ist schon rückgängig gemacht."), "\(action)")
        }
        #expect(ids("\(pia)/assignments").contains(portal.cast.assignment))
    }
}
