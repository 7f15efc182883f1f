import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Identity
@testable import Intake
@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Therapies
@testable import Web

/// Refused sheets on the desks of therapists and of leads: in parts, and no more of an account than its limits.
@Suite struct HeldListTests {
    enum Desk: CaseIterable, Sendable { case therapy, study }

    let portal: TestPortal
    let study: ID<Study>
    let enrolment: ID<Enrolment>

    init() throws {
        portal = try TestPortal()
        try portal.publish("wellbeing-5")
        let studies = StudyDesk(portal: portal)
        let study = ID<Study>(studies.begin())
        _ = studies.add("wellbeing-5", to: study.text)
        #expect(studies.enrol(.nora, in: study.text).status == 201)
        self.study = study
        enrolment = try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run("DELETE FROM quarantined_sheets")
            let id: ID<Enrolment>? = try connection.value(
                "SELECT id FROM enrolments WHERE study_id = \(study)")
            return try #require(id)
        }
    }

    func path(_ desk: Desk) -> String {
        switch desk {
        case .therapy: "/patients/\(portal.cast.therapies[.pia] ?? "")/quarantine"
        case .study: "/studies/\(study)/quarantine"
        }
    }

    func decider(_ desk: Desk) -> Person { desk == .therapy ? .ada : .lena }

    func place(_ desk: Desk) -> QuarantineDesk {
        desk == .therapy ? .therapy(portal.cast.therapies[.pia] ?? "") : .study(study)
    }

    /// Puts a sheet on a desk.
    func lay(
        _ desk: Desk, of account: ID<Account>, at moment: Instant,
        _ sheet: (ID<QuarantinedRecord>) throws -> [UInt8]
    ) throws -> ID<QuarantinedRecord> {
        let id: ID<QuarantinedRecord> = portal.services.chance.id()
        let new = NewQuarantined(
            id: id, account: account, contribution: portal.services.chance.id(),
            owner: desk == .therapy
                ? .therapy(portal.cast.therapies[.pia] ?? "") : .study(enrolment: enrolment),
            reason: .clock, fingerprint: Array(id.text.utf8), sheet: try sheet(id), receivedAt: moment)
        try portal.services.records.writeUnaudited(.madeUp) { try QuarantineStore.insert(new, $0) }
        return id
    }

    func person(_ desk: Desk) -> Person { desk == .therapy ? .pia : .nora }
    func account(_ desk: Desk) -> ID<Account> { portal.cast.accounts[person(desk)] ?? "" }

    /// Puts sheets on a desk, which came, or were discarded, at three moments only.
    /// - Returns: their ids as listed.
    func fill(_ desk: Desk, _ number: Int, discarded isDiscarded: Bool = false) throws -> [String] {
        let account = account(desk)
        let found = try portal.services.records.read { try AccountStore.find(account, $0) }
        let key = try #require(found).key(portal.services.keys)
        let by = portal.cast.accounts[decider(desk)] ?? ""
        let laid = try (0..<number).map { number in
            let moment = portal.now.adding(seconds: -60 * Int64(1 + number % 3))
            let id = try lay(desk, of: account, at: moment) { id in
                key.seal(bytes: Array(#"{"answers": {"calm": 3}}"#.utf8), for: QuarantinePlace.sheet(id))
            }
            if isDiscarded {
                try portal.services.records.writeUnaudited(.madeUp) { [desk = place(desk)] connection in
                    try QuarantineStore.decide(.discarded, id, at: desk, by: by, now: moment, connection)
                }
            }
            return (id: id.text, at: moment)
        }
        return laid.sorted { ($1.at, $0.id) < ($0.at, $1.id) }.map(\.id)
    }

    /// The sheets that a page lets decide about in one way.
    func shown(_ page: String, _ action: String) -> [String] {
        page.matches(of: /quarantine\/([0-9a-f-]{36})\/(\w+)"/).filter { $0.2 == action }.map {
            String($0.1)
        }
    }

    func next(_ page: String) -> String? {
        page.firstMatch(of: /href="([^"]+)" rel="next"/).map { String($0.1).replacing("&amp;", with: "&") }
    }

    @Test(arguments: Desk.allCases)
    func `what waits is shown in parts of 50, each sheet once, also where many came at once`(_ desk: Desk)
        throws
    {
        let all = try fill(desk, 120)
        var parts: [[String]] = []
        var address: String? = path(desk)
        while let here = address, parts.count < 5 {
            let page = portal.get(here, as: decider(desk)).text
            parts.append(shown(page, "discard"))
            #expect(page.contains(#"rel="prev""#) == (parts.count > 1))
            address = next(page)
        }
        #expect(parts.map(\.count) == [50, 50, 20])
        #expect(parts.flatMap(\.self) == all)
    }

    @Test(arguments: Desk.allCases)
    func `a part begins behind the one before, also when sheets of both are decided in between`(_ desk: Desk)
        throws
    {
        let all = try fill(desk, 70)
        let second = try #require(next(portal.get(path(desk), as: decider(desk)).text))
        let discard = { (id: String) in
            portal.call(.post, "\(path(desk))/\(id)/discard", as: decider(desk)).status
        }
        #expect([all[3], all[49], all[50]].map(discard) == [204, 204, 204])
        #expect(shown(portal.get(second, as: decider(desk)).text, "discard") == Array(all[51...]))
        for id in all[51...] { #expect(discard(id) == 204) }
        // An empty part says nothing of those before it, and leads back to them.
        let page = portal.get(second, as: decider(desk)).text
        #expect(!page.contains("Es wird nichts zurückgehalten"))
        #expect(page.contains(#"href="\#(path(desk))" rel="prev""#))
    }

    @Test(arguments: Desk.allCases)
    func `the ten discarded last stand below the first part, and all of them on their own page`(_ desk: Desk)
        throws
    {
        let waiting = try fill(desk, 51)
        let all = try fill(desk, 60, discarded: true)
        let first = portal.get(path(desk), as: decider(desk)).text
        #expect(shown(first, "return") == Array(all[..<10]))
        #expect(shown(first, "discard") == Array(waiting[..<50]))
        let second = portal.get(try #require(next(first)), as: decider(desk)).text
        #expect(shown(second, "return").isEmpty && shown(second, "discard") == Array(waiting[50...]))
        let link = path(desk) + "?state=discarded"
        #expect(first.contains(#"href="\#(link)""#) && !second.contains(link))
        let discarded = portal.get(link, as: decider(desk)).text
        #expect(shown(discarded, "return") == Array(all[..<50]) && shown(discarded, "discard").isEmpty)
        #expect(discarded.contains(#"href="\#(path(desk))""#))
        let rest = portal.get(try #require(next(discarded)), as: decider(desk)).text
        #expect(shown(rest, "return") == Array(all[50...]) && next(rest) == nil)
        #expect(rest.contains(#"href="\#(link)" rel="prev""#))
    }

    @Test(arguments: Desk.allCases)
    func `ten discarded are all on the first page, none is said, another state is refused`(_ desk: Desk)
        throws
    {
        let link = path(desk) + "?state=discarded"
        #expect(portal.get(link, as: decider(desk)).text.contains("Es ist nichts verworfen"))
        #expect(shown(portal.get(path(desk), as: decider(desk)).text, "return").isEmpty)
        let all = try fill(desk, 10, discarded: true)
        let page = portal.get(path(desk), as: decider(desk)).text
        #expect(shown(page, "return") == all && !page.contains(link))
        #expect(page.contains("Es wird nichts zurückgehalten"))
        #expect(portal.get(path(desk) + "?state=lost", as: decider(desk)).status == 422)
    }

    @Test(arguments: Desk.allCases)
    func `calls give the part and the state that are asked for`(_ desk: Desk) throws {
        let waiting = try fill(desk, 120)
        let discarded = try fill(desk, 90, discarded: true)
        for (state, all) in [("waiting", waiting), ("discarded", discarded)] {
            var parts: [[String]] = []
            var address: String? = path(desk) + "?state=\(state)&limit=40"
            while let here = address, parts.count < 5 {
                let list = portal.call(.get, here, as: decider(desk))
                #expect(list.json["meta"]?["total"] == .number(Double(all.count)))
                parts.append(list.list.compactMap { $0["id"]?.string })
                address = list.json["meta"]?["next"]?.string.map { String($0.dropFirst("/api/v1".count)) }
            }
            #expect(parts.count == 3 && parts.flatMap(\.self) == all)
        }
        let read = try portal.services.records.read { [now = portal.now, desk = place(desk)] connection in
            try QuarantineStore.waiting(at: desk, after: nil, limit: 3, connection)
                + QuarantineStore.discarded(at: desk, now: now, after: nil, limit: 2, connection)
        }
        #expect(read.map(\.id.text) == Array(waiting.prefix(3) + discarded.prefix(2)))
    }
}
