import Database
import Foundation
import HTTP
import JSON
import Records
import Testing
import Wire

@testable import PortalTesting
@testable import Studies
@testable import Web

/// What proves that a study was left (ST-6).
@Suite struct ReceiptTests {
    let portal: TestPortal
    let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
    }

    private func begun(_ more: String = "", named name: String = "stress-26") -> String {
        let study = desk.begin(more, named: name)
        _ = desk.add("wellbeing-5", to: study)
        return study
    }

    private func leave(_ study: String, _ query: String = "") -> Response {
        portal.call(
            .delete, "/studies/\(study)/enrolment\(query)", as: .nora, ["Prefer": "return=representation"])
    }

    private func rows(_ sql: SQL) throws -> Int {
        try portal.services.records.read { connection in try connection.value(sql) ?? 0 }
    }

    @Test(arguments: [("", "kept"), ("?data=remove", "erased")])
    func `ST-6 leaving answers a number that proves it to all who have it, and names nobody`(
        query: String, answers: String
    ) throws {
        let study = begun()
        #expect(desk.enrol(.nora, in: study).status == 201)
        let codename = portal.call(.get, "/studies/\(study)/enrolment", as: .nora).attributes["codename"]?
            .string
        let left = leave(study, query)
        #expect(left.status == 200 && left.attributes["answers"]?.string == answers, "\(left.text)")
        let number = try #require(left.attributes["receipt"]?.string)
        #expect(number.wholeMatch(of: /[BCDFGHJKLMNPQRSTVWXZ]{30}/) != nil)
        let typed = number.lowercased().enumerated().map {
            $0.offset % 5 == 0 ? "-\($0.element)" : "\($0.element)"
        }.joined()
        for spelled in [number, typed.dropFirst().description] {
            let told = portal.call(.get, "/receipts/\(spelled)")
            #expect(told.status == 200 && told.attributes["answers"]?.string == answers, "\(told.text)")
            // The day alone: a moment would lead to the participation.
            #expect(told.attributes["left_at"]?.string == "\(portal.now.text.prefix(10))T11:00:00Z")
            #expect(try !told.text.contains(#require(codename)) && !told.text.contains("nora"))
        }
        // Phones from before there were receipts get what they know, with a header.
        let plain = portal.call(.delete, "/studies/\(study)/enrolment\(query)", as: .nora)
        #expect(plain.status == 204 && plain.headers["Receipt"] == number && plain.text.isEmpty)
        let own = portal.call(.get, "/studies/\(study)/enrolment", as: .nora).attributes
        #expect(own["state"]?.string == "left" && own["receipt"]?.string == number)
        // The same once more: a phone that did not hear the answer.
        let again = leave(study, query)
        #expect(again.status == 200 && again.attributes["receipt"]?.string == number, "\(again.text)")
        // The table alone shows no number and no account.
        #expect(try rows("SELECT count(*) FROM leaving_receipts") == 1)
        let stored = try portal.services.records.read { connection -> [UInt8]? in
            try connection.value("SELECT number FROM leaving_receipts")
        }
        #expect(try #require(stored) != Array(number.utf8))
    }

    @Test func `ST-6 answers that are removed later are told as erased by the same number`() throws {
        let study = begun()
        #expect(desk.enrol(.nora, in: study).status == 201)
        let first = leave(study)
        let number = try #require(first.attributes["receipt"]?.string)
        #expect(first.attributes["answers"]?.string == "kept")
        try portal.wait(awake: 1)
        let then = leave(study, "?data=remove")
        #expect(
            then.attributes["receipt"]?.string == number && then.attributes["answers"]?.string == "erased")
        #expect(then.attributes["left_at"] == first.attributes["left_at"])
    }

    @Test
    func `ST-6 a request that is withdrawn has no receipt, and one of a participation outlives the account`()
        throws
    {
        let asked = begun(#"{"access": "request"}"#)
        #expect(desk.enrol(.nora, in: asked).status == 202)
        #expect(portal.call(.delete, "/studies/\(asked)/enrolment", as: .nora).status == 204)
        #expect(try rows("SELECT count(*) FROM leaving_receipts") == 0)

        let study = begun(named: "andere")
        #expect(desk.enrol(.nora, in: study).status == 201)
        let left = leave(study)
        let number = try #require(left.attributes["receipt"]?.string)
        let password = #"{"password": "\#(Cast.password)"}"#
        #expect(portal.call(.delete, "/my/account", password, as: .nora).status == 204)
        #expect(try rows("SELECT count(*) FROM enrolment_receipts") == 0)
        // What was kept has gone with the account, and that is what the receipt says.
        #expect(portal.call(.get, "/receipts/\(number)").attributes["answers"]?.string == "erased")
        let other = String(number.reversed())
        for wrong in [other, "x", "\(number)B"] {
            #expect(portal.call(.get, "/receipts/\(wrong)").status == 404, "\(wrong)")
        }
    }

    @Test func `ST-6 the page after leaving has the receipt, and all who have its number find it`() throws {
        let study = begun()
        #expect(desk.enrol(.nora, in: study).status == 201)
        #expect(portal.get("/my/studies/\(study)/receipt", as: .nora).status == 404)
        let left = portal.post("/my/studies/\(study)/leaving", [("data", "keep")], as: .nora)
        #expect(left.headers["Location"] == "/my/studies/\(study)/receipt")
        let page = portal.get("/my/studies/\(study)/receipt", as: .nora).text
        let shown = try #require(page.firstMatch(of: /<strong class="digits">([A-Z-]+)<\/strong>/)).1
        #expect(shown.split(separator: "-").map(\.count) == [5, 5, 5, 5, 5, 5])
        #expect(
            page.contains("bleiben der Studie")
                && page.contains("/receipts/\(shown.replacing("-", with: ""))"))
        #expect(
            portal.get("/my/studies/\(study)/consents", as: .nora).text.contains(
                "/my/studies/\(study)/receipt"))
        // Another person's is not found.
        #expect(portal.get("/my/studies/\(study)/receipt", as: .pia).status == 404)
        let looked = portal.get("/receipts?number=\(shown.lowercased())", as: .nobody)
        #expect(looked.status == 303)
        let found = portal.get(looked.headers["Location"] ?? "", as: .nobody)
        #expect(found.status == 200 && found.text.contains(String(shown)))
        let wrong = portal.get("/receipts?number=abc", as: .nobody)
        #expect(
            wrong.status == 422 && wrong.text.contains("dreißig Buchstaben")
                && wrong.text.contains("value=\"abc\""))
    }

    @Test func `ST-6 who comes back and leaves with everything has two receipts, and both say erased`() throws
    {
        let study = begun()
        #expect(desk.enrol(.nora, in: study).status == 201)
        let first = try #require(leave(study).attributes["receipt"]?.string)
        try portal.wait(awake: 1)
        #expect(desk.enrol(.nora, in: study).status == 201)
        #expect(portal.get("/my/studies/\(study)/receipt", as: .nora).text.contains("/receipts/\(first)"))
        #expect(portal.call(.get, "/receipts/\(first)").attributes["answers"]?.string == "kept")
        try portal.wait(awake: 1)
        let second = try #require(leave(study, "?data=remove").attributes["receipt"]?.string)
        #expect(second != first)
        for number in [first, second] {
            #expect(portal.call(.get, "/receipts/\(number)").attributes["answers"]?.string == "erased")
        }
        let page = portal.get("/my/studies/\(study)/receipt", as: .nora).text
        let places = [second, first].map { page.range(of: "/receipts/\($0)")?.lowerBound }
        #expect(!places.contains(nil) && places.compactMap(\.self) == places.compactMap(\.self).sorted())
    }
}
