import Database
import Foundation
import Testing
import Wire

@testable import Demonstration
@testable import Identity
@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Research
@testable import Studies
@testable import Therapies
@testable import Web

/// FD-57: what the demonstration shows to a visitor, whichever day it is made on.
@Suite struct DemonstrationSlowTests {
    /// The demonstration in an empty folder.
    private func seeded(_ time: String, zone: String) throws -> Services {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "demonstration-\(UUID().uuidString)")
        let now = try #require(Instant(time))
        var settings = Cast.settings(folder.path)
        settings.timezone = zone
        let services = try Services(
            settings, clock: Clock { now }, gate: Cast.gate, resources: Cast.resources, log: .silent)
        _ = try DemonstrationClinic.seed(services, participants: 0, days: 1)
        return services
    }

    @Test(arguments: [("2026-11-24T08:00:00Z", "UTC"), ("2027-03-29T22:30:00Z", "Europe/Vienna")])
    func `FD-57 three groups have values, and the login on the door has lived`(time: String, zone: String)
        throws
    {
        let services = try seeded(time, zone: zone)
        defer {
            services.close()
            try? FileManager.default.removeItem(atPath: services.settings.data)
        }
        // It may be served with another zone than it was made with.
        #expect(services.clinic.now.record.crisis?.map(\.number) == ["112", "144", "142"])
        #expect(services.crisisNumbers.count == 3)
        #expect(services.clinic.now.record.name == "Praxis Lindner")
        let lookup = services.keys.lookup(email: "nina@example.org")
        let comparisons = try services.records.read { connection in
            let study = try #require(try StudyStore.find(name: "zwischenzeit", connection))
            let design = try #require(try GroupStore.find(study.id, connection)).groups
            let people = try EnrolmentStore.all(in: study.id, connection)
            return try GroupComparison.all(design, in: study.id, of: people, connection)
        }
        #expect(comparisons.count == 3)
        for comparison in comparisons {
            #expect(comparison.arms.count == 3)
            for arm in comparison.arms {
                #expect(arm.begins.count >= 3, "\(comparison.outcome) \(arm.arm)")
            }
        }
        let nina = try #require(
            try services.records.read { try AccountStore.find(lookup: lookup, $0) }
        ).id
        let heard = "FROM listening_sessions WHERE account_id = \(nina)" as SQL
        #expect(try count(heard, services) == 17)
        #expect(
            try count("FROM measurement_days WHERE account_id = \(nina) AND type = 'steps'", services) == 35)
        let kept = "FROM health_records WHERE account_id = \(nina)" as SQL
        #expect(try count("\(sql: kept) AND kind = 'sleep'", services) >= 30)
        #expect(try count("\(sql: kept) AND kind = 'activity'", services) >= 5)
        let given =
            "FROM interventions JOIN therapies ON therapies.id = therapy_id WHERE account_id = \(nina)" as SQL
        #expect(try count(given, services) > 90)
        #expect(try count("\(sql: given) AND opened_at IS NULL", services) <= 2)
        #expect(try count("\(sql: given) AND completed_at IS NULL", services) < 15)
        // PR-27: reactions to an answer that has to be seen belong to it.
        let loose = """
            FROM alerts JOIN rule_firings ON rule_firings.id = alerts.firing_id
            JOIN contributions ON contributions.therapy_id = rule_firings.therapy_id AND must_be_seen = 1
                AND received_at = rule_firings.at
            WHERE rule_firings.contribution_id IS
            """ as SQL
        #expect(try count("\(sql: loose) NULL", services) == 0)
        #expect(try count("\(sql: loose) NOT NULL", services) > 0)
        let men = DemonstrationPatient.all.filter { $0.gender == .male && $0.email != nil }.map(\.codename)
        let told: [String] = try services.records.read { connection in
            try connection.all("SELECT codename FROM therapies WHERE gender = 'male'") { row in try row[0] }
        }
        #expect(Set(told) == Set(men) && men.count == 4)
        for patient in DemonstrationPatient.all {
            guard let alias = patient.alias else { continue }
            #expect(alias.hasPrefix(patient.gender == .male ? "Herr " : "Frau "), "\(patient.codename)")
        }
    }

    private func count(_ rows: SQL, _ services: Services) throws -> Int {
        try services.records.read { try $0.count("SELECT count(*) \(sql: rows)") }
    }
}
