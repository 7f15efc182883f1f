import Foundation
import HTTP
import JSON
import Scheduling
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Therapies
@testable import Web

/// ST-4: every allocated participant is in exactly one number of one group, whatever happens to them.
@Suite struct FlowHistoryTests {
    /// What a history says of one participant.
    private struct Participant {
        struct Stay {
            var hasLeft = false
            var isTold = true
            var isErased = false

            var standing: Int { isErased ? 3 : !isTold ? 2 : hasLeft ? 1 : 0 }
        }

        var arm: String?
        var stays: [Stay] = []
        var hasRefused = false
        var isGone = false

        /// Nil for one who was never allocated.
        var standing: Int? { arm == nil ? nil : isGone ? 4 : stays.map(\.standing).min() }
        var takesPart: Bool { !isGone && stays.last.map { !$0.hasLeft } ?? false }
    }

    private static let people: [Person] = [.pia, .nora, .quinn]

    @Test func `ST-4 the numbers of each group add up to its places over any history`() throws {
        var reached: Set<Int> = []
        for seed in 0..<12 as Range<UInt64> {
            let history = try History(seed)
            for _ in 0..<14 {
                try history.step()
                reached.formUnion(history.participants.values.compactMap(\.standing))
            }
        }
        #expect(reached == [0, 1, 2, 3, 4])
    }

    @Test func `the arms among the first places of a sequence are those of the places`() {
        for (allocation, size) in [(TrialDesign.Allocation.alternating, 2), (.randomised, 6)] {
            let groups = TrialDesign(
                allocation: allocation, arms: [.full, .noInterventions, .noApp], size: size, sampleSize: 90,
                outcomes: [])
            for taken in 0...40 {
                let counted = groups.arms(in: taken, of: "site/Ulm", seed: 7)
                for arm in groups.arms.map(\.key) {
                    let places = (0..<taken).count { groups.arm(at: $0, of: "site/Ulm", seed: 7) == arm }
                    #expect(counted[arm] == places, "\(allocation), \(taken)")
                }
            }
        }
    }

    private final class History {
        private let portal: TestPortal
        private let desk: StudyDesk
        private let study: String
        private var chance: SplitMix64
        private var papers = 0
        private var log: [String] = []
        private(set) var participants: [String: Participant] = [:]

        init(_ seed: UInt64) throws {
            portal = try TestPortal()
            desk = StudyDesk(portal: portal)
            study = desk.begin()
            chance = SplitMix64(seed)
            try portal.publish("wellbeing-5")
            _ = desk.add("wellbeing-5", to: study)
            let allocation = seed % 2 == 0 ? "randomised" : "alternating"
            let groups = """
                {"allocation": "\(allocation)", "arms": ["full", "no_interventions", "no_app"], "size": 3, "sample_size": 40,
                 "sites": [{"name": "Ulm", "email": "ada@example.org"}], "outcomes": [
                    {"is_primary": true, "questionnaire_key": "wellbeing-5", "scale": "wellbeing", "day": 28}]}
                """
            let set = portal.change(.put, "/studies/\(study)/groups", groups, as: .lena)
            #expect(set.status == 200, "\(set.text)")
        }

        func step() throws {
            let number = chance.number(below: 8)
            if number < 2 {
                try paper(erases: number == 1)
            } else {
                let person = FlowHistoryTests.people[chance.number(below: FlowHistoryTests.people.count)]
                try happen(number, to: person)
            }
            // Short enough for the lead to stay signed in.
            portal.wait(seconds: Int64(1 + chance.number(below: 90)))
            try check()
        }

        private func paper(erases: Bool) throws {
            let known = participants.filter { $0.key.hasPrefix("S") && !$0.value.isGone }.keys.sorted()
            if erases, let codename = known.first {
                let path = "/studies/\(study)/participants/\(codename)"
                expect(portal.call(.delete, path, as: .lena), 204, "erase \(codename)")
                participants[codename]?.isGone = true
                return
            }
            papers += 1
            let site = papers % 2 == 0 ? #", "site": "Ulm""# : ""
            let body = #"{"consented_on": "\#(portal.now.text.prefix(10))", "consent_version": 1\#(site)}"#
            let taken = portal.call(.post, "/studies/\(study)/participants", body, as: .lena)
            expect(taken, 201, "paper")
            let codename = taken.attributes["codename"]?.string ?? ""
            participants[codename] = Participant(arm: taken.attributes["arm"]?.string, stays: [.init()])
        }

        private func happen(_ number: Int, to person: Person) throws {
            var one = participants[person.rawValue] ?? Participant()
            if one.isGone { return }
            let enrolment = "/studies/\(study)/enrolment"
            switch number {
            case 2, 3:
                if one.takesPart { return }
                let enrolled = desk.enrol(person, in: study)
                expect(enrolled, 201, "enrol \(person)")
                let arm = enrolled.attributes["arm"]?.string
                // A returned participant stays in the group.
                #expect(one.arm == nil || one.arm == arm, "\(log)")
                one.arm = arm
                one.stays.append(.init())
            case 4:
                if !one.takesPart { return }
                expect(portal.call(.delete, enrolment + "?data=keep", as: person), 204, "leave \(person)")
                one.stays[one.stays.count - 1].hasLeft = true
            case 5:
                if one.stays.isEmpty { return }
                expect(portal.call(.delete, enrolment + "?data=remove", as: person), 204, "remove \(person)")
                for index in one.stays.indices {
                    one.stays[index].hasLeft = true
                    one.stays[index].isErased = true
                }
            case 6:
                one.hasRefused.toggle()
                let choice = #"{"research_consent": \#(!one.hasRefused)}"#
                expect(portal.call(.put, "/my/privacy", choice, as: person), 200, "\(choice) \(person)")
                for index in one.stays.indices {
                    // A yes is one again only to what they still take part in.
                    if one.hasRefused { one.stays[index].isTold = false }
                    if !one.hasRefused, !one.stays[index].hasLeft { one.stays[index].isTold = true }
                }
            default:
                if chance.number(below: 3) > 0 || one.stays.isEmpty { return }
                let account = #"{"password": "\#(Cast.password)"}"#
                expect(portal.call(.delete, "/my/account", account, as: person), 204, "erase \(person)")
                one.isGone = true
            }
            participants[person.rawValue] = one
        }

        private func expect(_ response: Response, _ status: Int, _ what: String) {
            log.append(what)
            #expect(response.status == status, "\(log): \(response.text)")
        }

        /// The numbers are those of the history, group by group, and their sum is that of the places.
        private func check() throws {
            let (allocated, flows) = try portal.services.records.read { [study] connection in
                let stored = try #require(try GroupStore.find(ID(study), connection))
                return (stored.allocated, try GroupFlowStore.flows(of: ID(study), stored, connection))
            }
            for (arm, flow) in flows {
                let own = participants.values.filter { $0.arm == arm.rawValue }.compactMap(\.standing)
                let expected = (0...4).map { number in own.count { $0 == number } }
                #expect(flow.parts.map(\.count) == expected, "\(arm): \(log)")
            }
            #expect(flows.reduce(0) { $0 + $1.flow.total } == allocated, "\(log)")
        }
    }
}
