import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalClient
@testable import PortalTesting

/// The states of appointments, local × portal, with conflicts told and decided (IO-14).
@Suite struct AppointmentSyncTests {
    let portal: TestPortal
    let phone: Phone
    let other: Phone

    init() throws {
        portal = try TestPortal()
        phone = try Phone(portal)
        other = try Phone(portal)
    }

    func appointment(_ title: String, hours: Int64 = 48) -> Appointment {
        let start = Cast.now.adding(seconds: hours * 3600)
        return Appointment(
            title: title, startsAt: start, endsAt: start.adding(seconds: 3000), comment: nil)
    }

    func titles(_ phone: Phone) throws -> [String] { try phone.store.appointments().map(\.appointment.title) }

    func there() -> [String] {
        portal.call(.get, "/my/appointments", as: .pia).list.compactMap {
            $0["attributes"]?["title"]?.string
        }.sorted()
    }

    /// On both phones and the portal.
    func shared() async throws -> String {
        let id = try phone.store.keepAppointment(nil, appointment("Sitzung"))
        #expect(await phone.sync(.changed).outcome == .complete)
        #expect(await other.sync().outcome == .complete)
        return id
    }

    @Test func `made offline, it goes up; changed and deleted elsewhere, it follows`() async throws {
        phone.line.isDown = true
        let id = try phone.store.keepAppointment(nil, appointment("Sitzung"))
        #expect(await phone.sync(.changed).outcome != .complete)
        #expect(try phone.store.appointments().first?.isWaiting == true)
        phone.line.isDown = false
        await phone.sync()
        #expect(try there() == ["Sitzung"] && (phone.store.appointments().first?.isWaiting) == false)
        await other.sync()
        try other.store.keepAppointment(id, appointment("Telefonat"))
        await other.sync(.changed)
        await phone.sync()
        #expect(try titles(phone) == ["Telefonat"])
        try phone.store.deleteAppointment(id)
        await phone.sync(.changed)
        await other.sync()
        #expect(try titles(other).isEmpty && there().isEmpty)
    }

    @Test func `made and deleted offline, nobody hears of it`() async throws {
        let id = try phone.store.keepAppointment(nil, appointment("Sitzung"))
        try phone.store.deleteAppointment(id)
        #expect(try phone.store.waiting() == 0)
        await phone.sync()
        #expect(!phone.line.asked().contains { $0.contains(id) })
    }

    @Test func `changed on both phones, the second one is asked, and either choice holds`() async throws {
        for choice in [LocalStore.Choice.mine, .theirs] {
            let id = try await shared()
            try phone.store.keepAppointment(id, appointment("eins"))
            try other.store.keepAppointment(id, appointment("zwei"))
            await phone.sync(.changed)
            #expect(await other.sync(.changed).outcome == .complete)
            let conflict = try #require(try other.store.conflicts().first)
            #expect(conflict.mine?.title == "zwei" && conflict.theirs?.title == "eins")
            // Undecided: nothing is overwritten on either side.
            await other.sync()
            #expect(try there() == ["eins"] && (titles(other)) == ["zwei"])
            try other.store.resolve(id, choice)
            await other.sync(.changed)
            await phone.sync()
            let expected = choice == .mine ? ["zwei"] : ["eins"]
            #expect(try there() == expected && (titles(phone)) == expected && (titles(other)) == expected)
            #expect(try other.store.conflicts().isEmpty && other.store.waiting() == 0)
            try phone.store.deleteAppointment(id)
            await phone.sync(.changed)
            await other.sync()
        }
    }

    @Test func `deleted there and changed here, keeping it makes a new one`() async throws {
        let id = try await shared()
        try phone.store.deleteAppointment(id)
        try other.store.keepAppointment(id, appointment("doch"))
        await phone.sync(.changed)
        await other.sync(.changed)
        let conflict = try #require(try other.store.conflicts().first)
        #expect(conflict.theirs == nil && conflict.mine?.title == "doch")
        let kept = try #require(try other.store.resolve(id, .mine))
        #expect(kept != id)
        await other.sync(.changed)
        #expect(there() == ["doch"])
    }

    @Test func `deleted here and changed there is a conflict too`() async throws {
        for choice in [LocalStore.Choice.mine, .theirs] {
            let id = try await shared()
            try phone.store.keepAppointment(id, appointment("später", hours: 72))
            try other.store.deleteAppointment(id)
            await phone.sync(.changed)
            await other.sync(.changed)
            let conflict = try #require(try other.store.conflicts().first)
            #expect(conflict.mine == nil && conflict.theirs?.title == "später")
            try other.store.resolve(id, choice)
            await other.sync(.changed)
            let expected = choice == .mine ? [] : ["später"]
            #expect(try there() == expected && (titles(other)) == expected)
            if choice == .theirs { continue }
            await phone.sync()
        }
    }

    @Test func `deleted on both phones is no conflict`() async throws {
        let id = try await shared()
        for phone in [phone, other] { try phone.store.deleteAppointment(id) }
        await phone.sync(.changed)
        await other.sync(.changed)
        #expect(try other.store.conflicts().isEmpty && other.store.waiting() == 0 && there().isEmpty)
    }

    @Test func `an answer that was lost is no conflict, also when it was changed again meanwhile`()
        async throws
    {
        // New: the portal says 428, and has what was sent the time before.
        let id = try phone.store.keepAppointment(nil, appointment("eins"))
        phone.line.next(.answerLost)
        await phone.sync(.changed)
        try phone.store.keepAppointment(id, appointment("zwei"))
        #expect(await phone.sync().outcome == .complete)
        #expect(try there() == ["zwei"] && (phone.store.conflicts().isEmpty))
        // Changed: the portal says 412.
        try phone.store.keepAppointment(id, appointment("drei"))
        phone.line.next(.answerLost)
        await phone.sync(.changed)
        try phone.store.keepAppointment(id, appointment("vier"))
        #expect(await phone.sync().outcome == .complete)
        #expect(try there() == ["vier"] && (phone.store.conflicts().isEmpty))
        // Deleted: the portal says 204 again.
        try phone.store.deleteAppointment(id)
        phone.line.next(.answerLost)
        await phone.sync(.changed)
        #expect(await phone.sync().outcome == .complete)
        #expect(try there().isEmpty && (phone.store.waiting()) == 0)
    }

    @Test func `changed while it was on its way, it is sent again`() async throws {
        let id = try await shared()
        try phone.store.keepAppointment(id, appointment("eins"))
        let store = phone.store
        let once = Once()
        let second = appointment("zwei")
        phone.line.during { path in
            guard path.contains(id), once.isFirst else { return }
            _ = try? store.keepAppointment(id, second)
        }
        await phone.sync(.changed)
        #expect(try titles(phone) == ["zwei"] && phone.store.waiting() == 1)
        await phone.sync()
        #expect(try there() == ["zwei"] && (phone.store.waiting()) == 0)
    }

    @Test func `what the portal refuses stays here with the reason until it is changed`() async throws {
        #expect(throws: LocalProblem.endsBeforeStart) {
            let start = portal.now
            let wrong = Appointment(title: "x", startsAt: start, endsAt: start, comment: nil)
            try phone.store.keepAppointment(nil, wrong)
        }
        let id = try phone.store.keepAppointment(nil, appointment(String(repeating: "x", count: 5000)))
        #expect(await phone.sync(.changed).refused == 1)
        await phone.sync()
        let kept = try #require(try phone.store.appointments().first)
        #expect(kept.refusal?.status == 422 && !kept.isWaiting)
        try phone.store.keepAppointment(id, appointment("kurz"))
        await phone.sync(.changed)
        #expect(try there() == ["kurz"] && (phone.store.appointments().first?.refusal) == nil)
    }
}
