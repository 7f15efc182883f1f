import Database
import Foundation
import HTTP
import JSON
import Records
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Rules
@testable import Therapies
@testable import Web

/// PR-27: an answer that has to be seen is one thing, with its reasons, earlier answers and what to do.
@Suite struct RiskTests {
    let portal: TestPortal
    let days: TodayTests
    init() throws {
        portal = try TestPortal()
        days = TodayTests(portal: portal)
    }

    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }
    var file: String { "/patients/\(pia)" }
    func entry(_ person: Person = .ada) -> [JSON] {
        portal.call(.get, "/today", as: person).attributes["risk_answers"]?.array ?? []
    }
    func seen(_ id: String) -> String { "\(file)/contributions/\(id)/seen" }

    private static let clause =
        #"{"kind": "answer", "questionnaire_key": "weariness", "item": "weary", "comparison": "at_least", "value": 2, "times": 1, "of": 1}"#

    /// A sheet of yesterday, and one of now that a reaction fires on.
    private func answer() throws -> String {
        try days.publish()
        days.react(Self.clause)
        try days.send(0, 1)
        try portal.wait(awake: 1)
        return try days.send(2, 2)
    }

    private func cover(_ access: String) {
        let cover = """
            {"colleague_email": "ben@example.org", "patients": ["\(pia)"], "from": "2026-11-20",
             "until": "2026-11-29", "access": "\(access)"}
            """
        let made = portal.call(.post, "/covers", cover, as: .ada)
        #expect(made.status == 201, "\(made.text)")
    }

    @Test func `PR-27 question, answer, earlier answers, reasons and steps stand in one entry`() throws {
        let id = try answer()
        let found = try #require(entry().first)
        #expect(entry().count == 1)
        #expect(found["contribution_id"] == .string(id) && found["patient_id"] == .string(pia.text))
        #expect(found["question_key"] == .string("weary"))
        #expect(found["question"] == .string("Ganz ohne Hoffnung") && found["answer"] == .string("oft (2)"))
        #expect(found["earlier"]?.array?.compactMap { $0["answer"]?.string } == ["nie (0)"])
        #expect(found["reasons"]?.array?.count == 1)
        #expect(found["acknowledged_at"] == .null && found["unseen_since"]?.string != nil)
        let page = portal.get("/", as: .ada).text
        #expect(page.matches(of: /<article class="risk risk--new"/).count == 1)
        for words in [
            "oft (2)", "davor: nie (0)", "Auslöser: ab „oft“", "Achtung", "Anrufen", "144", "alle 2 Einträge",
        ] {
            #expect(page.contains(words), "\(words)")
        }
        // The call comes first and says where its number is, then what the reaction's author advises; what led to it comes after
        // the buttons, so that these are in sight on a phone.
        let begin = try #require(
            page.range(of: "Heute noch anrufen. Die Nummer steht in den Unterlagen der Praxis.")
        ).lowerBound
        let order = [#"<a href="tel:144">144</a>"#, "<li>Anrufen</li>", "risk__tools", "risk__also"].map {
            page.range(of: $0, range: begin..<page.endIndex)?.lowerBound
        }
        #expect(!order.contains(nil) && order.compactMap(\.self) == order.compactMap(\.self).sorted())
        // The alert is a reason of the entry, not a second danger.
        #expect(!page.contains("/acknowledgement") && page.matches(of: /navigation__count">1</).count >= 1)
        #expect(portal.call(.get, "/alerts", as: .ada).list.count == 1)
        let alerts = portal.get("/alerts", as: .ada).text
        #expect(alerts.contains("risk--new") && !alerts.contains("rows__entry alert"))
    }

    @Test(arguments: [true, false])
    func `PR-27 either call settles all of it, and the second of two changes nothing`(isByAlert: Bool) throws
    {
        let id = try answer()
        let alert = try #require(portal.call(.get, "/alerts", as: .ada).list.first?["id"]?.string)
        let acknowledge = "/alerts/\(alert)/acknowledge"
        let first = isByAlert ? acknowledge : seen(id)
        let second = isByAlert ? seen(id) : acknowledge
        #expect(portal.call(.post, first, #"{"comment": "Angerufen"}"#, as: .ada).status == 200)
        let later = portal.call(.post, second, #"{"comment": "Doch nicht"}"#, as: .ada)
        #expect(later.status == 200 && later.attributes["comment"] == .string("Angerufen"), "\(later.text)")
        #expect(later.attributes["acknowledged_at"]?.string == portal.now.text)
        #expect(
            try portal.changes().filter { $0 == "contribution.seen" || $0 == "alert.acknowledged" }.count == 1
        )
        let settled = try #require(entry().first)
        #expect(settled["acknowledged_by"] == .string("Ada Lindner"))
        #expect(portal.get("/", as: .ada).text.contains("Angerufen"))
        portal.wait(seconds: 601)
        #expect(entry().isEmpty)
    }

    @Test func `PR-27 it can be taken back for ten minutes, with its alerts, by the same account`() throws {
        let id = try answer()
        cover("read")
        let answer = portal.call(.post, seen(id), #"{"comment": "Angerufen"}"#, as: .ada)
        let undo = try #require(answer.headers["Undo"])
        #expect(portal.call(.post, seen(id) + "/return", as: .ben).status == 409)
        #expect(portal.call(.post, undo, as: .ada).status == 204)
        #expect(entry().first?["acknowledged_at"] == .null)
        #expect(portal.call(.get, "/alerts?acknowledged=false", as: .ada).list.count == 1)
        #expect(portal.call(.post, seen(id), as: .ada).attributes["comment"] == .null)
        portal.wait(seconds: 601)
        #expect(portal.call(.post, seen(id) + "/return", as: .ada).status == 409)
    }

    @Test(arguments: ["read", "act"])
    func `PR-27 a cover of either kind settles it, supervision does not`(access: String) throws {
        let id = try answer()
        let member = #"{"email": "ben@example.org", "role": "supervisor", "shares_words": false}"#
        let added = portal.call(.post, file + "/members", member, as: .ada)
        #expect(added.status == 201 && entry(.ben).isEmpty)
        #expect(portal.call(.post, seen(id), as: .ben).status == 404)
        cover(access)
        #expect(entry(.ben).count == 1 && portal.get("/", as: .ben).text.contains("in Vertretung"))
        #expect(portal.post(seen(id), [("back", "/"), ("comment", "Ich war es")], as: .ben).status == 303)
        #expect(entry().first?["acknowledged_by"] == .string("Ben Steiner"))
    }

    @Test func `PR-27 its age is told, louder after one and three days`() throws {
        _ = try answer()
        for (days, tone, words) in [
            (1, "late", "seit 1 Tag ungesehen"), (3, "overdue", "seit 3 Tagen ungesehen"),
        ] {
            try portal.wait(awake: Int64(tone == "late" ? days : 2))
            let page = portal.get("/", as: .ada).text
            #expect(page.contains("risk--\(tone)") && page.contains(words), "\(days)")
        }
    }

    @Test func `PR-27 a word that is too long is shown again with its error, and nothing is settled`() throws
    {
        let id = try answer()
        let long = String(repeating: "x", count: 501)
        let answer = portal.post(seen(id), [("back", "/"), ("comment", long)], as: .ada)
        #expect(answer.status == 422 && answer.text.contains(long))
        #expect(portal.call(.post, seen(id), #"{"comment": "\#(long)"}"#, as: .ada).status == 422)
        #expect(entry().first?["acknowledged_at"] == .null)
    }

    @Test func `PR-27 a reaction that watches what has to be seen anyway, or is watched already, is told so`()
        throws
    {
        try days.publish()
        days.react(Self.clause)
        let id = try #require(portal.call(.get, "/rules", as: .ada).list.first?["id"]?.string)
        let page = portal.get("/rules/\(id)", as: .ada).text
        #expect(page.contains("ohnehin gesehen werden") && !page.contains("beobachtet auch die Reaktion"))
        days.react(Self.clause)
        #expect(portal.get("/rules/\(id)", as: .ada).text.contains("beobachtet auch die Reaktion „Achtung“"))
    }
}

/// PR-28: it does not wait for ever.
@Suite struct UnseenMailTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }

    /// The mails that a round sends.
    private func sent() throws -> [String] {
        let before = try portal.mails().count
        try UnseenMail.send(portal.services, now: portal.now)
        portal.services.postman.run(from: portal.services.origin, at: portal.now)
        return Array(try portal.mails().dropFirst(before))
    }

    /// Their recipients.
    private func round() throws -> [String] {
        try sent().map { mail in
            let line = try #require(mail.split(separator: "\r\n").first { $0.hasPrefix("To: ") })
            return line.dropFirst(4).trimmingCharacters(in: .init(charactersIn: "<> "))
        }
    }

    private func answer() throws {
        let days = TodayTests(portal: portal)
        try days.publish()
        try days.send(2)
    }

    private func hours(_ value: String) -> Response {
        let settings = portal.call(.get, "/settings", as: .uma)
        return portal.call(
            .put, "/settings", #"{"unseen_mail_hours": \#(value)}"#, as: .uma,
            ["If-Match": settings.headers["ETag"] ?? ""])
    }

    @Test func `PR-28 a new installation begins with 24 hours, null ends mails, what is left out stays`()
        throws
    {
        #expect(portal.call(.get, "/settings", as: .uma).attributes["unseen_mail_hours"] == .number(24))
        #expect(hours("3").attributes["unseen_mail_hours"] == .number(3))
        let settings = portal.call(.get, "/settings", as: .uma)
        let named = portal.call(
            .put, "/settings", #"{"name": "Haus"}"#, as: .uma, ["If-Match": settings.headers["ETag"] ?? ""])
        #expect(named.attributes["unseen_mail_hours"] == .number(3))
        #expect(hours("null").attributes["unseen_mail_hours"] == .null)
        for wrong in ["0", "169", "1.5", #""x""#] {
            let refused = hours(wrong)
            #expect(refused.status == 422 && refused.wrongFields == ["unseen_mail_hours"], "\(wrong)")
        }
        try answer()
        try portal.wait(awake: 9)
        #expect(try round().isEmpty)
    }

    @Test func `PR-28 the therapist after the hours, second therapists after twice as many, once a day each`()
        throws
    {
        let member = #"{"email": "ben@example.org", "role": "therapist", "shares_words": false}"#
        #expect(portal.call(.post, "/patients/\(pia)/members", member, as: .ada).status == 201)
        try answer()
        portal.wait(seconds: 24 * 3600 - 60)
        #expect(try round().isEmpty)
        portal.wait(seconds: 61)
        #expect(try round() == ["ada@example.org"])
        #expect(try round().isEmpty)
        portal.wait(seconds: 24 * 3600)
        #expect(try round().sorted() == ["ada@example.org", "ben@example.org"])
        let mail = try #require(portal.mails().last)
        for word in ["C000001", "weariness", "Hoffnung", "/patients/"] {
            #expect(!mail.contains(word), "\(word)")
        }
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run("UPDATE contributions SET seen_at = \(portal.now) WHERE must_be_seen = 1")
        }
        portal.wait(seconds: 48 * 3600)
        #expect(try round().isEmpty)
    }

    @Test func `PR-28 during an absence the cover is told at once, supervision never`() throws {
        let member = #"{"email": "ben@example.org", "role": "supervisor", "shares_words": false}"#
        let added = portal.call(.post, "/patients/\(pia)/members", member, as: .ada)
        try answer()
        #expect(try round().isEmpty)
        try portal.wait(awake: 3)
        #expect(try round() == ["ada@example.org"])
        #expect(portal.call(.delete, "/patients/\(pia)/members/\(added.id)", as: .ada).status == 204)
        let cover = """
            {"colleague_email": "ben@example.org", "patients": "all", "from": "2026-11-23", "until": "2026-11-29",
             "access": "read"}
            """
        #expect(portal.call(.post, "/covers", cover, as: .ada).status == 201)
        #expect(try round() == ["ben@example.org"])
    }
}
