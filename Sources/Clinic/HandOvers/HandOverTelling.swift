import Accounts
import Database
import HTTP
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Hand-overs as told to both therapists: lines on Today, the new therapist's list, and having read it (PR-31).
package enum HandOverTelling {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/handed-over", .caseloadOwner, show)
        routes.page(.post, "/hand-overs/:handover/read", .therapist, readPage)
        routes.call(
            .get, "/hand-overs", .therapist,
            .many("Hand-overs given or taken that the caller has not read", HandOverTold.self), index)
        routes.call(
            .post, "/hand-overs/:handover/read", .therapist,
            .nothing("Say that a hand-over was read: it is not told on Today any more"), read)
    }

    // MARK: Having read it

    @Sendable static func readPage(_ c: Context<Member>) throws -> Reply {
        try noteRead(c)
        return .seeOther("/", flash: Message("handover.read"))
    }

    @Sendable static func read(_ c: Context<Member>) throws -> Reply {
        try noteRead(c)
        return .response(.noContent)
    }

    private static func noteRead(_ c: Context<Member>) throws {
        let id: ID<ToldHandOver> = try c.id("handover")
        let account = c.proof.account.id
        try c.write(.handOverRead, about: account, object: id) { [now = c.now] connection in
            guard try ToldHandOverStore.noteRead(id, by: account, at: now, connection) else {
                throw Problem.notFound
            }
        }
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let reader = c.proof.account.id
        let list = try c.read { connection in
            let all = try ToldHandOverStore.unread(by: reader, connection)
            let (part, next) = paging.part(of: all) { Position($0.told.handedAt, $0.told.id) }
            let items = try part.map { told, codename in
                Item(
                    id: told.id,
                    HandOverTold(
                        codename: codename, patientID: told.to == reader ? told.therapyID.text : nil,
                        from: try TherapistStore.name(of: told.from, c.keys, connection),
                        to: try TherapistStore.name(of: told.to, c.keys, connection),
                        handedAt: told.handedAt, tookAlias: told.tookAlias,
                        stoppedReactions: told.stoppedReactions))
            }
            return Many(items, total: all.count, next: next)
        }
        return try .data(list)
    }

    // MARK: The list of the new therapist

    package struct Show: Page {
        package static let template = "patients/handed-over"
        package static let section: NavigationItem? = .patients
        struct Step: Encodable, Sendable {
            let title: String
            let text: String
            let path: String
            let label: String
        }
        let id: ID<Therapy>
        let codename: String
        let lead: String
        let handover: ID<ToldHandOver>
        let steps: [Step]

        static let example = Show(
            id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480",
            lead: "Dr. Ada Lindner, 20.11.2026", handover: "7d8e2c44-52b0-4a4c-8a5e-7d3d1f0a9b42",
            steps: [Step(title: "Plan", text: "–", path: "/patients", label: "Plan")])
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let therapy = c.proof.patient
        let page = try c.read { connection -> Show? in
            guard
                let told = try ToldHandOverStore.last(of: therapy.id, to: c.proof.therapist.id, connection)
            else { return nil }
            let from = try TherapistStore.name(of: told.from, c.keys, connection)
            return Show(
                id: therapy.id, codename: therapy.codename,
                lead: c.texts["handover.list_lead", ["name": from, "day": c.dates.day(told.handedAt)]],
                handover: told.id, steps: try steps(told, c, connection))
        }
        // A therapy that was never handed over has no list.
        guard let page else { return .seeOther(therapy.path) }
        return .page(page)
    }

    private static func steps(
        _ told: ToldHandOver, _ c: Context<Caseload>, _ connection: borrowing Connection
    ) throws -> [Show.Step] {
        let therapy = c.proof.patient
        let texts = c.texts
        let hasAlias = try therapy.alias(c.keys) != nil
        let hasContact = try EmergencyContactStore.find(in: therapy.id, connection) != nil
        let sessions = try SessionStore.list(of: therapy, c.dates.zone, now: c.now, connection)
        let next = sessions.next(after: c.now)
        return [
            Show.Step(
                title: texts["patients.alias"],
                text: texts[
                    hasAlias
                        ? "handover.list_alias_there"
                        : told.tookAlias ? "handover.list_alias_none" : "handover.list_alias_kept"],
                path: therapy.path, label: texts["handover.list_open"]),
            Show.Step(
                title: texts["handover.list_contact"],
                text: texts[hasContact ? "handover.list_contact_text" : "emergency.none"],
                path: "\(therapy.path)/emergency-contact", label: texts["handover.list_open"]),
            Show.Step(
                title: texts["handover.list_protocol"],
                text: texts["handover.list_protocol_text"],
                path: "\(therapy.path)/deliveries", label: texts["handover.list_plan"]),
            Show.Step(
                title: texts["handover.list_reactions"],
                text: texts.count("handover.list_stopped", told.stoppedReactions), path: "/rules",
                label: texts["handover.list_rules"]),
            Show.Step(
                title: texts["handover.list_next"],
                text: next.map { c.dates.dayAndTime($0.session.startsAt) }
                    ?? texts["handover.list_next_none"],
                path: "\(therapy.path)/appointments", label: texts["handover.list_appointments"]),
        ]
    }
}
