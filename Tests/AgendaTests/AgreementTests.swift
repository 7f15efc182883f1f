import Database
import HTTP
import JSON
import Records
import Testing
import Web
import Wire

@testable import PortalTesting
@testable import Push

/// Everything that says what is asked of, given to and awaited by an account says the same (decision 33).
@Suite struct AgreementTests {
    @Test(arguments: 0..<8)
    func `all readers agree on what is asked, given and awaited, whatever came before`(_ part: UInt64) throws
    {
        for number in 0..<5 as Range<UInt64> { try Self.check(seed: 35_000 + part * 100 + number) }
    }

    /// What is in the queue after a round of a history, by account and kind.
    /// - Parameter writes: that come before the one before which Pia erases the account.
    /// - Returns: nil where there are fewer of them.
    private func queue(seed: UInt64, erasingAfter writes: Int?) throws -> [String]? {
        var history = try AskedHistory(seed: seed)
        defer { history.end() }
        try history.goOn()
        let portal = history.portal
        for person in history.people { Readers.preparePlans(of: person, portal) }
        let lost = portal.cast.accounts[.pia]?.text
        let body = #"{"password": "\#(Cast.password)"}"#
        if let writes {
            let (_, isErased) = try portal.interleaving(
                after: writes,
                { #expect(portal.call(.delete, "/my/account", body, as: .pia).status == 204) },
                { try Readers.call(portal) })
            if !isErased { return nil }
        }
        let queue = try Readers.call(portal).after
        #expect(!portal.logged.contains { $0.contains("push plan failed") }, "\(portal.logged.suffix(9))")
        #expect(writes == nil || !queue.contains { $0.account == lost })
        return queue.filter { $0.account != lost }.map { "\($0.account) \($0.kind) \($0.isAccepted)" }
            .sorted()
    }

    /// Of the first Pia alone has prompts to come, of the second others are called of something.
    @Test(arguments: [36_006, 36_011] as [UInt64])
    func `an account erased before any write of a round is called of nothing, and others as ever`(
        _ seed: UInt64
    ) throws {
        let others = try queue(seed: seed, erasingAfter: nil)
        #expect(others?.isEmpty == (seed == 36_006))
        var writes = 0
        while let queue = try queue(seed: seed, erasingAfter: writes) {
            #expect(queue == others, "before write \(writes)")
            writes += 1
        }
        #expect(writes > 1)
    }

    /// Three people at four moments.
    static func check(seed: UInt64) throws {
        var history = try AskedHistory(seed: seed)
        defer { history.end() }
        let began = history.portal.now
        for step in 0..<4 {
            if step > 0 { try history.goOn() }
            for person in history.people { Readers.preparePlans(of: person, history.portal) }
            // Between its plan and what is sent by it.
            let gone = step > 0 ? history.perhapsErase() : nil
            let called = try Readers.call(history.portal)
            let lost = gone.flatMap { history.portal.cast.accounts[$0]?.text }
            #expect(!called.after.contains { $0.account == lost }, "seed \(seed), step \(step)")
            for person in history.people {
                let readers = try Readers(person, history.portal, since: began, called)
                let faults = try readers.faults(lookingAt: history.number(6))
                #expect(
                    faults.isEmpty, "seed \(seed), step \(step), \(person) at \(history.portal.now.text)")
            }
        }
    }
}

/// The same over more histories.
@Suite struct AgreementSlowTests {
    @Test(arguments: 0..<24) func `all readers agree, over many histories`(_ part: UInt64) throws {
        for number in 0..<10 as Range<UInt64> { try AgreementTests.check(seed: 75_000 + part * 100 + number) }
    }
}

/// What each reader says of one person at one moment.
struct Readers {
    struct Asked {
        let id: String
        let from: Instant
        let due: Instant
    }
    struct Told {
        let kind: String
        let subject: String
        let at: Instant
    }
    struct Message: Equatable {
        let account: String
        let kind: String
        let subject: String
        let due: Instant
        let expires: Instant
        let isAccepted: Bool
    }
    /// The queue before and after a sender went through it.
    struct Called {
        let before: [Message]
        let after: [Message]

        var taken: [Message] {
            after.filter { now in
                now.isAccepted
                    && !before.contains {
                        $0.isAccepted && $0.subject == now.subject && $0.account == now.account
                    }
            }
        }
    }

    let portal: TestPortal
    let person: Person
    let began: Instant
    let now: Instant
    let account: String
    let called: Called
    let asked: [Asked]
    let overview: JSON
    let settings: JSON
    let told: [Told]
    /// Until when what is told of is complete.
    let end: Instant
    let kept: [Asked]
    /// Of the therapies alone: what a questionnaire is asked by, and whether it was told of, opened, answered or withdrawn.
    let stored: [String: (isDaily: Bool, isOver: Bool)]

    static func preparePlans(of person: Person, _ portal: TestPortal) {
        // Dailies are planned by whatever asks first.
        #expect(portal.call(.get, "/my/assignments", as: person).status == 200)
    }

    /// A server that has just been started sends what is due.
    static func call(_ portal: TestPortal) throws -> Called {
        let before = try messages(portal)
        var round = try #require(PushRound(portal.services))
        for _ in 0..<200 where try round.go(takes: true) {}
        return Called(before: before, after: try messages(portal))
    }

    private static func messages(_ portal: TestPortal) throws -> [Message] {
        try portal.services.records.read { connection in
            try connection.all(
                """
                SELECT account_id, kind, subject, due_at, expires_at, accepted_at FROM push_messages
                JOIN push_subscriptions ON push_subscriptions.id = subscription_id
                """
            ) { row in
                let accepted: Instant? = try row[5]
                return Message(
                    account: try row[0], kind: try row[1], subject: try row[2], due: try row[3],
                    expires: try row[4], isAccepted: accepted != nil)
            }
        }
    }

    init(_ person: Person, _ portal: TestPortal, since began: Instant, _ called: Called) throws {
        self.portal = portal
        self.person = person
        self.began = began
        self.called = called
        now = portal.now
        let account = portal.cast.accounts[person]?.text ?? ""
        self.account = account
        let list = portal.call(.get, "/my/assignments?limit=200", as: person).list
        asked = list.map { one in
            Asked(
                id: one["id"]?.string ?? "", from: Self.time(one["attributes"]?["available_from"]),
                due: Self.time(one["attributes"]?["due_at"]))
        }
        overview = portal.call(.get, "/my/overview", as: person).attributes
        settings = portal.call(.get, "/my/notification-settings", as: person).attributes
        told = portal.call(.get, "/my/notifications?limit=64", as: person).list.compactMap {
            $0["attributes"]
        }.map { one in
            Told(
                kind: one["kind"]?.string ?? "", subject: one["subject_id"]?.string ?? "",
                at: Self.time(one["fires_at"]))
        }
        end = told.count == 64 ? told.map(\.at).max() ?? .distantFuture : .distantFuture
        let plan = try JSON.parse(
            portal.get("/my/offline/plan", as: person, ["Accept": "application/json"]).bytes)
        kept = (plan["entries"]?.array ?? []).compactMap { entry in
            guard let id = entry["target"]?["assignment"]?.string else { return nil }
            return Asked(
                id: id, from: Instant(milliseconds: Int64(entry["from"]?.number ?? 0)),
                due: Instant(milliseconds: Int64(entry["due"]?.number ?? 0)))
        }
        stored = try portal.services.records.read { connection in
            let rows = try connection.all(
                """
                SELECT assignments.id, source, withdrawn_at, contributions.id FROM assignments
                JOIN therapies ON therapies.id = assignments.therapy_id
                LEFT JOIN contributions ON contributions.assignment_id = assignments.id
                WHERE therapies.account_id = \(account)
                """
            ) { row -> (String, (isDaily: Bool, isOver: Bool)) in
                let source: String = try row[1]
                let withdrawn: Instant? = try row[2]
                let sheet: String? = try row[3]
                return (try row[0], (source == "daily", withdrawn != nil || sheet != nil))
            }
            return Dictionary(uniqueKeysWithValues: rows)
        }
    }

    private static func time(_ json: JSON?) -> Instant { Instant(json?.string ?? "") ?? .distantPast }

    private func isOn(_ kind: String) -> Bool { settings[kind] == .bool(true) }
    private var open: [Asked] { asked.filter { $0.from <= now } }
    private func told(_ kind: String) -> [Told] { told.filter { $0.kind == kind } }

    /// Every sentence in which two of them do not agree.
    func faults(lookingAt few: Int) throws -> [String] {
        var faults: [String] = []
        func check(_ isTrue: Bool, _ sentence: @autoclosure () -> String) {
            if !isTrue { faults.append(sentence()) }
        }
        checkLists(check)
        checkTold(check)
        checkGiven(check)
        checkQueue(check)
        checkForms(few, check)
        return faults
    }

    private typealias Check = (Bool, @autoclosure () -> String) -> Void

    private func checkLists(_ check: Check) {
        let count = overview["open_questionnaires"]?.number ?? -1
        check(Int(count) == open.count, "the overview counts \(count), the list \(open.count)")
        let page = portal.get("/my", as: person).text
        let shown = Set(page.matches(of: /\/my\/assignments\/([0-9a-f-]{36})"/).map { String($0.1) })
        check(shown == Set(open.map(\.id)), "the page shows \(shown), the list \(open.map(\.id))")
        let until = now.adding(days: 14)
        let listed = Set(asked.filter { $0.from <= until }.map(\.id))
        let keeps = Set(kept.map(\.id))
        check(listed.isSubset(of: keeps), "not kept for later: \(listed.subtracting(keeps))")
        for one in kept where !listed.contains(one.id) {
            check(one.from > now, "kept, and neither listed nor coming: \(one)")
        }
    }

    private func checkTold(_ check: Check) {
        let questionnaires = told("questionnaire")
        check(isOn("questionnaires") || questionnaires.isEmpty, "told of questionnaires, though it is off")
        check(isOn("interventions") || told("intervention").isEmpty, "told of exercises, though it is off")
        check(isOn("appointments") || told("appointment").isEmpty, "told of appointments, though it is off")
        guard isOn("questionnaires") else { return }
        let ofTherapy = questionnaires.filter { stored[$0.subject] != nil }
        for one in ofTherapy {
            let isListed = asked.contains { $0.id == one.subject && $0.from == one.at }
            let isComing = kept.contains { $0.id == one.subject && $0.from == one.at && one.at > now }
            check(isListed || isComing, "told of, and not asked: \(one)")
        }
        // Of studies each moment that is still to come, and baselines that are open.
        let ofStudies = questionnaires.filter { stored[$0.subject] == nil }
        let coming = ofStudies.filter { $0.at > now }.map(\.at.milliseconds).sorted()
        let prompts = kept.filter { stored[$0.id] == nil && $0.from > now && $0.from < end }
        let expected = prompts.map(\.from.milliseconds).sorted()
        check(
            coming.filter { $0 < end.milliseconds } == expected,
            "told of prompts at \(coming), kept \(expected)")
        for one in ofStudies where one.at <= now {
            check(open.contains { $0.from == one.at }, "told of as open, and not listed: \(one)")
        }
        for one in asked where one.from > now && one.from < end && one.from < now.adding(days: 14) {
            guard stored[one.id] != nil else { continue }
            let isTold = ofTherapy.contains { $0.subject == one.id }
            check(isTold || isKnown(one.id), "coming, and not told of: \(one)")
        }
    }

    private func checkGiven(_ check: Check) {
        let given = overview["new_interventions"]?.number ?? -1
        if isOn("interventions") {
            check(told("intervention").count == Int(given), "the overview counts \(given) exercises")
        }
        guard isOn("appointments") else { return }
        let next = Self.time(overview["next_appointment"])
        if next > now {
            check(
                told("appointment").map(\.at).min() == next.adding(seconds: -3600), "not told of \(next.text)"
            )
        } else {
            let due = overview["appointments_due"]?.number ?? -1
            check(told("appointment").count <= Int(due), "told of more appointments than \(due)")
        }
    }

    /// Whether a device has told of it or opened it already.
    private func isKnown(_ id: String) -> Bool {
        let isKnown = try? portal.services.records.read { connection in
            try connection.exists(
                """
                SELECT 1 FROM assignments WHERE id = \(id) AND (notified_at IS NOT NULL OR opened_at IS NOT NULL)
                """)
        }
        return isKnown ?? false
    }

    private func checkQueue(_ check: Check) {
        let own = called.after.filter { $0.account == account }
        // What is still to come, as it stands in the queue.
        let soon = now.adding(days: PushPlanner.daysAhead)
        let accepted = Set(own.filter(\.isAccepted).map(\.subject))
        let planned = Set(
            own.filter { $0.kind == "prompt" && !$0.isAccepted && $0.due > now && $0.due < soon }.map(
                \.subject))
        let coming = kept.filter {
            stored[$0.id] == nil && $0.from > now && $0.from < soon && $0.from >= began
        }
        let expected = isOn("questionnaires") ? Set(coming.map(\.id)).subtracting(accepted) : []
        check(planned == expected, "in the queue \(planned), kept \(expected)")
        // What has opened since the device is called, and was told of by none that tells the time itself.
        for one in open where stored[one.id] != nil && one.from >= began && one.due > now {
            guard isOn("questionnaires"), !isKnown(one.id) else { continue }
            check(own.contains { $0.kind == "assignment" && $0.subject == one.id }, "never called of: \(one)")
        }
        // What was sent just now is asked, given or awaited just now.
        for message in called.taken where message.account == account {
            switch message.kind {
            case "assignment", "prompt":
                check(open.contains { $0.id == message.subject }, "called of, and not open: \(message)")
                check(isOn("questionnaires"), "called of questionnaires, though it is off")
            case "change":
                let isGiven = told("intervention").contains { $0.subject == message.subject }
                let isAwaited = told("appointment").contains {
                    $0.at.adding(seconds: 3600) == message.expires
                }
                check(isGiven || isAwaited, "called of, and neither given nor awaited: \(message)")
            default: check(false, "called of \(message)")
            }
        }
    }

    private func checkForms(_ few: Int, _ check: Check) {
        let ids = Set(asked.map(\.id)).union(kept.map(\.id)).union(stored.keys).sorted()
        for index in 0..<min(4, ids.count) {
            let id = ids[(few * 7 + index * 5) % ids.count]
            let isAsked = open.contains { $0.id == id }
            let isForm = portal.get("/my/assignments/\(id)", as: person).text.contains("name=\"part\"")
            check(
                isForm == isAsked, "\(id) is \(isForm ? "" : "not ")a form, and \(isAsked ? "" : "not ")asked"
            )
            let found = portal.call(.get, "/my/assignments/\(id)", as: person).status
            if asked.contains(where: { $0.id == id }) { check(found == 200, "\(id) answers \(found)") }
            if stored[id]?.isOver == true { check(found == 404, "\(id) is over and answers \(found)") }
        }
    }
}
