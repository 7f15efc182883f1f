import HTTP
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Scheduling
@testable import Wearables

/// What two sources tell of the same time counts once (FB-2).
@Suite struct CountedTimesTests {
    private let begin = Instant("2026-11-19T21:00:00Z") ?? .distantPast

    /// - Parameters:
    ///   - hours: since nine in the evening.
    ///   - minutes: what was slept of it as far as it is known; nil for all of the time.
    private func time(
        _ id: String, _ hours: ClosedRange<Double>, _ minutes: Double? = nil
    ) -> HealthRecordTime {
        let from = begin.adding(seconds: Int64(hours.lowerBound * 3_600))
        let until = begin.adding(seconds: Int64(hours.upperBound * 3_600))
        return HealthRecordTime(
            id: ID(id), startsAt: from, endsAt: until,
            minutes: minutes ?? (hours.upperBound - hours.lowerBound) * 60, knowsStages: minutes != nil)
    }

    private func counted(_ times: HealthRecordTime...) -> CountedTimes {
        CountedTimes(times.sorted { $0.startsAt < $1.startsAt }, .sleep, Zone("Europe/Vienna"))
    }

    @Test func `FB-2 of the same night from two sources the one whose stages are known counts`() {
        let night = counted(time("phone", 1...9), time("ring", 1.5...8.75, 400), time("hand", 0.5...9.5))
        #expect(night.counted == ["ring"])
        #expect(night.mean == 400)
    }

    @Test func `FB-2 the same record under two ids counts once, and the choice is always the same`() {
        let one = counted(time("a", 1...9), time("b", 1...9))
        let other = counted(time("b", 1...9), time("a", 1...9))
        #expect(one.mean == 480 && one.counted == other.counted && one.counted.count == 1)
    }

    @Test func `FB-2 a night in two parts and a nap are of one day, together`() {
        let day = counted(time("first", 1...4, 170), time("second", 5...9, 230), time("nap", 16...17, 50))
        #expect(day.counted.count == 3)
        #expect(day.minutes.values.map { $0 } == [450])
        // What spans both parts and knows no stages does not come on top.
        let spanned = counted(time("first", 1...4, 170), time("second", 5...9, 230), time("hand", 1...9))
        #expect(spanned.counted == ["first", "second"])
    }

    /// Watches write a night again and again as it grows, and never take a piece back.
    @Test func `RP-106 of a night told in growing pieces the whole counts, whatever was slept of each`() {
        let asleep = [(65.0, 60.0), (280, 270), (425, 425)]
        let pieces = asleep.map { length, minutes in time("\(length)", 0...length / 60, minutes) }
        for order in [pieces, pieces.reversed()] {
            #expect(CountedTimes(order, .sleep, Zone("Europe/Vienna")).mean == 425)
        }
        #expect(counted(time("piece", 1...2, 50), time("hand", 1...8)).mean == 420)
        #expect(counted(time("piece", 1...2, 50), time("ring", 1...8, 390)).mean == 390)
    }

    @Test func `FB-2 what lies beside the days in view may tell of the same time`() {
        // Ends before midnight; the ring's goes on until the next morning.
        let times = [time("phone", 0...1.5), time("ring", 0...9, 500)]
        let day = LocalDate("2026-11-19") ?? LocalDate(daysSince1970: 0)
        let first = CountedTimes(times, .sleep, Zone("Europe/Vienna"), on: day...day)
        #expect(first.minutes.isEmpty && first.overlapped == ["phone"])
        let next = day.adding(days: 1)
        #expect(CountedTimes(times, .sleep, Zone("Europe/Vienna"), on: next...next).mean == 500)
    }

    @Test func `FB-2 one that begins when the other ends does not overlap it`() {
        #expect(counted(time("a", 1...4), time("b", 4...8)).mean == 420)
    }

    @Test(arguments: ["sleeps", "activities"])
    func `FB-2 what is sent again with another fraction of a second is the same`(list: String) throws {
        let portal = try TestPortal()
        let path = "/my/\(list)/5a1c9a0e-98a5-4a9f-8d3e-0000000000f9"
        let send = { (begin: String, end: String) -> Response in
            let body =
                list == "sleeps"
                ? #"{"starts_at": "\#(begin)", "ends_at": "\#(end)", "origin": "measured"}"#
                : #"{"name": "Walk", "starts_at": "\#(begin)", "duration_seconds": 900}"#
            return portal.call(.put, path, body, as: .pia)
        }
        let first = send("2026-11-19T21:00:00.250Z", "2026-11-20T05:00:00.100Z")
        #expect(first.status == 201)
        for fraction in ["", ".250", ".9999"] {
            let again = send("2026-11-19T21:00:00\(fraction)Z", "2026-11-20T05:00:00\(fraction)Z")
            #expect(again.status == 200, "\(fraction) \(again.text)")
            #expect(again.headers["ETag"] == first.headers["ETag"])
        }
        // Another second is a change, and wants the state it was made with.
        #expect(send("2026-11-19T21:00:01Z", "2026-11-20T05:00:00Z").status == 428)
    }

    @Test func `FB-2 pages show a night that two sources told of once`() throws {
        let portal = try TestPortal()
        let night = """
            {"starts_at": "2026-11-19T21:00:00Z", "ends_at": "2026-11-20T05:00:00Z", "origin": "measured"}
            """
        for number in 1...2 {
            let path = "/my/sleeps/5a1c9a0e-98a5-4a9f-8d3e-0000000000f\(number)"
            #expect(portal.call(.put, path, night, as: .pia).status == 201)
        }
        #expect(portal.call(.put, "/my/measurement-sharing", #"{"sleep": true}"#, as: .pia).status == 200)
        let patient = portal.cast.therapies[.pia]?.text ?? ""
        let own = portal.get("/my/health?type=sleep", as: .pia).text
        #expect(own.contains("8 h 0 min am Tag, 1 von 7 Tagen"), "\(own)")
        #expect(own.contains("zählt nicht mit"))
        for page in ["/health?type=sleep", "/timeline?zoom=week"] {
            #expect(portal.get("/patients/\(patient)\(page)", as: .ada).text.contains("8 h 0 min am Tag"))
        }
    }
}
