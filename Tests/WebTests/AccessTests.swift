import HTTP
import Testing
import Wire
import Wording

@testable import Identity
@testable import Records
@testable import Web

/// What each rule lets pass that is proved by who asks alone.
@Suite struct AccessTests {
    private enum Asking: CaseIterable {
        case nobody, therapist, lead, admin, clinicLead, patient, registrant, halfway
    }

    private func actor(_ asking: Asking) throws -> Actor {
        switch asking {
        case .nobody: .nobody
        case .therapist: .person(try Faces.person(.staff, [.therapist]))
        case .lead: .person(try Faces.person(.staff, [.lead]))
        case .admin: .person(try Faces.person(.staff, [.admin]))
        case .clinicLead: .person(try Faces.person(.staff, [.clinicLead]))
        case .patient: .person(try Faces.person(.patient))
        case .registrant: .person(try Faces.person(.patient, by: .registration))
        case .halfway: .halfway(try Faces.person(.staff, [.admin], by: .halfway))
        }
    }

    /// The status of each who asks; 200 where they pass.
    private func statuses(_ access: Access<Member>) throws -> [Int] {
        guard case .byActor(let find) = access.admission else { return [] }
        return try Asking.allCases.map { asking in
            do {
                _ = try find(try actor(asking))
                return 200
            } catch let problem as Problem { return problem.status }
        }
    }

    @Test(
        arguments: [
            // signed out, therapist, lead, admin, clinic lead, patient, registering, halfway
            (.staff, [401, 200, 200, 200, 200, 403, 403, 401]),
            (.therapist, [401, 200, 403, 403, 403, 403, 403, 401]),
            (.lead, [401, 403, 200, 403, 403, 403, 403, 401]),
            (.admin, [401, 403, 403, 200, 403, 403, 403, 401]),
            (.clinicLead, [401, 403, 403, 403, 200, 403, 403, 401]),
            (.author, [401, 200, 200, 403, 403, 403, 403, 401]),
            (.team, [401, 403, 200, 200, 403, 403, 403, 401]),
            (.account, [401, 200, 200, 200, 200, 200, 403, 401]),
            (.patient, [401, 403, 403, 403, 403, 200, 403, 401]),
            (.registrant, [401, 403, 403, 403, 403, 200, 200, 401]),
            (.halfway, [401, 401, 401, 401, 401, 401, 401, 200]),
        ] as [(AccessRule, [Int])])
    func `each rule lets its own pass`(_ rule: AccessRule, _ expected: [Int]) throws {
        let all: [Access<Member>] = [
            .staff, .therapist, .lead, .admin, .clinicLead, .author, .team, .account, .patient, .registrant,
            .halfway,
        ]
        let access = try #require(all.first { $0.rule == rule })
        #expect(try statuses(access) == expected)
    }

    @Test func `anyone passes`() throws {
        guard case .byActor(let find) = Access<Anyone>.anyone.admission else {
            Issue.record("anyone is looked up")
            return
        }
        for asking in Asking.allCases { _ = try find(try actor(asking)) }
    }

    @Test func `a password that was changed meanwhile makes it another proof`() throws {
        let access = Access<Member>.staff
        guard case .byActor(let find) = access.admission else {
            Issue.record("staff is not looked up")
            return
        }
        let before = try find(.person(try Faces.person(.staff)))
        let after = try find(.person(try Faces.person(.staff, epoch: 1)))
        #expect(access.isUnchanged(before, before) && !access.isUnchanged(before, after))
    }

    @Test func `somebody halfway in is no member, somebody registering neither`() throws {
        let half = try actor(.halfway)
        #expect(half.signedIn == nil && half.member == nil && half.anybody != nil)
        let registrant = try actor(.registrant)
        #expect(registrant.signedIn != nil && registrant.member == nil)
        #expect(try actor(.patient).member != nil && actor(.nobody).anybody == nil)
    }
}

@Suite struct SurfaceTests {
    @Test(
        arguments: [
            ([], .portal), (["api", "v1", "x"], .api), (["api", "docs"], .portal), (["my", "api"], .portal),
            (["api"], .api),
        ] as [([String], Surface)])
    func `calls are below /api, but for what documents them`(_ path: [String], _ surface: Surface) {
        #expect(Surface(path) == surface)
    }

    private func policy(_ surroundings: Surroundings, isPublic: Bool = false, isSecure: Bool = false)
        -> Headers
    {
        var response = Response(status: 200, type: "text/html", [])
        SecurityHeaders.add(to: &response, surroundings, isPublic: isPublic, isSecure: isSecure)
        return response.headers
    }

    @Test func `what browsers must not do follows from where a page stands`() {
        #expect(Surroundings(.portal, ["q", "x"]) == .link && Surroundings(.api, ["q"]) == .api)
        #expect(
            Surroundings(.portal, ["my"]) == .participant && Surroundings(.portal, ["listen"]) == .participant
        )
        #expect(
            policy(.link)["Referrer-Policy"] == "no-referrer"
                && policy(.portal)["Referrer-Policy"] == "same-origin")
        #expect(policy(.api)["Content-Security-Policy"] == nil)
        #expect(policy(.portal)["Content-Security-Policy"] == SecurityHeaders.policy)
        #expect(
            policy(.participant)["Content-Security-Policy"]?.contains("trusted-types intersession") == true)
        #expect(policy(.portal)["Strict-Transport-Security"] == nil)
        #expect(policy(.portal, isSecure: true)["Strict-Transport-Security"] != nil)
    }

    @Test func `nothing is kept on the way but what anybody may read over the API`() {
        #expect(policy(.api, isPublic: true)["Cache-Control"] == "private, no-cache")
        #expect(policy(.api)["Cache-Control"] == "no-store")
        #expect(policy(.portal, isPublic: true)["Cache-Control"] == "no-store")
    }
}
