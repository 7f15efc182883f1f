import HTTP
import Testing
import Wire

@testable import Identity
@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Scheduling
@testable import Therapies
@testable import Wearables
@testable import Web

/// W6: measurements that are not shared leave no trace in anything that staff can look at.
@Suite struct UnsharedTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    /// Shows what was looked at, and offers a codename by lot.
    private static let changing: Set = ["/patients/:patient/audit-log", "/patients/new"]

    /// Every page and call that staff can look at, with Pia's things in its places; without what is drawn by lot each time.
    private func look(as person: Person) -> [(place: String, status: Int, text: String)] {
        let routes = Routes.all.list.filter {
            $0.method == .get && [.portal, .api].contains($0.surface)
                && !Self.changing.contains($0.pattern.description)
                // Says how large a database on a server is, which what is not shared fills, too.
                && !(portal.services.records.isShared && $0.pattern.description == "/admin/system")
        }
        return routes.map { route in
            let path = AccessMatrixTests.path(of: route, portal.cast)
            let answer =
                route.surface == .api
                ? portal.call(.get, String(path.dropFirst("/api/v1".count)), as: person)
                : portal.get(path, as: person)
            let text = answer.steady.replacing(/[A-Za-z0-9_\-]{20,}/, with: "…")
            return (path, answer.status, text)
        }
    }

    /// All eight types, a sleep, an activity, on each of the last days.
    private func measure() throws {
        let account = try #require(portal.cast.accounts[.pia])
        let services = portal.services
        let (now, zone) = (portal.now, Zone("Europe/Vienna"))
        let today = LocalTime(now, zone).date
        try services.records.writeUnaudited(.madeUp) { connection in
            let record = try #require(try AccountStore.find(account, connection))
            let key = try record.key(services.keys)
            for (ago, type) in (1...20).flatMap({ ago in MeasurementType.allCases.map { (ago, $0) } }) {
                let draft = DayDraft(
                    type: type, date: today.adding(days: -ago), source: .healthConnect, device: nil,
                    zone: DeviceZone(name: zone.identifier), completeUntil: now, samples: [Sample(0, 60, 77)],
                    total: 77)
                try MeasurementDays.take(draft, of: record, services.keys, at: now, connection)
            }
            for ago in Int64(1)...20 {
                let begin = now.adding(days: -ago)
                let sleep = Sleep(startsAt: begin, endsAt: begin.adding(seconds: 25_000), origin: "manual")
                try HealthRecordStore.save(
                    sleep, services.chance.id(), of: account, key, at: now, connection)
                let walk = Activity(name: "Kanariengang", startsAt: begin, durationSeconds: 777)
                try HealthRecordStore.save(
                    walk, services.chance.id(), of: account, key, at: now, connection)
            }
        }
    }

    @Test(arguments: [Person.ada, .ben, .lena, .uma])
    func `W6 share off: no page and no call of staff differs by a byte`(person: Person) throws {
        // Looking leaves its own traces: the second time they are there already.
        _ = look(as: person)
        let before = look(as: person)
        #expect(before.count { $0.status == 200 } > 20)
        try measure()
        for (old, new) in zip(before, look(as: person)) {
            #expect(old.status == new.status && old.text == new.text, "\(old.place) of \(person)")
        }
    }

    @Test func `W6 with everything shared the same comparison finds it`() throws {
        _ = look(as: .ada)
        let before = look(as: .ada)
        try measure()
        let all = MeasurementSharing.Measure.ordered.map { "\"\($0.rawValue)\": true" }.joined(separator: ",")
        #expect(portal.call(.put, "/my/measurement-sharing", "{\(all)}", as: .pia).status == 200)
        let changed = zip(before, look(as: .ada)).filter { $0.text != $1.text }.map(\.0.place)
        let patient = portal.cast.therapies[.pia]?.text ?? ""
        for page in ["", "/timeline", "/briefing", "/health"] {
            #expect(changed.contains("/patients/\(patient)\(page)"), "\(page) \(changed)")
        }
    }
}
