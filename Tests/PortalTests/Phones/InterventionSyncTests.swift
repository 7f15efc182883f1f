import Foundation
import HTTP
import JSON
import Synchronization
import Testing
import Wire

@testable import PortalClient
@testable import PortalTesting
@testable import Records
@testable import Therapies

/// The states of interventions, local × portal: seen and submitted travel up, texts and deletions down (IO-13).
@Suite struct InterventionSyncTests {
    let portal: TestPortal
    let phone: Phone

    init() throws {
        portal = try TestPortal()
        phone = try Phone(portal)
    }

    var id: String { portal.cast.intervention }
    var therapy: ID<Therapy> { portal.cast.therapies[.pia]! }

    func there() -> (opened: String?, completed: String?) {
        let item = portal.call(.get, "/my/interventions", as: .pia).list.first { $0["id"]?.string == id }
        return (
            item?["attributes"]?["opened_at"]?.string, item?["attributes"]?["completed_at"]?.string
        )
    }

    @Test func `a text that was changed comes down, one that was taken back goes`() async throws {
        await phone.sync()
        #expect(try phone.store.interventions().map(\.text) == ["Achten Sie auf den Weg."])
        let path = "/patients/\(therapy)/interventions/\(id)"
        #expect(portal.call(.patch, path, #"{"text": "Gehen Sie langsam."}"#, as: .ada).status == 200)
        await phone.sync()
        #expect(try phone.store.interventions().map(\.text) == ["Gehen Sie langsam."])
        #expect(portal.call(.delete, path, as: .ada).status == 204)
        await phone.sync()
        #expect(try phone.store.interventions().isEmpty)
    }

    @Test func `opened and completed go up, what was written and ticked never`() async throws {
        await phone.sync()
        phone.line.isDown = true
        try phone.store.openIntervention(id, at: portal.now)
        portal.wait(seconds: 600)
        try phone.store.completeIntervention(id, answer: "Ein Hund.", isDone: true, at: portal.now)
        await phone.sync(.changed)
        #expect(there() == (nil, nil))
        phone.line.isDown = false
        #expect(await phone.sync().sent == 1)
        #expect(there() == (portal.now.adding(seconds: -600).text, portal.now.text))
        let kept = try #require(try phone.store.interventions().first)
        #expect(kept.answer == "Ein Hund." && kept.isDone == true)
        let export = portal.call(.get, "/my/export", as: .pia).text
        #expect(!export.contains("Ein Hund") && !portal.logged.joined().contains("Ein Hund"))
        // Nothing more to say.
        #expect(await phone.sync().unchanged == 1)
    }

    @Test func `of two phones the first one's opening stands, and the other's end goes up after it`()
        async throws
    {
        let other = try Phone(portal)
        await phone.sync()
        await other.sync()
        try phone.store.completeIntervention(id, isDone: true, at: portal.now)
        portal.wait(seconds: 900)
        try other.store.openIntervention(id, at: portal.now)
        #expect(await other.sync(.changed).sent == 1)
        #expect(await phone.sync(.changed).sent == 1)
        // It was finished before it was opened there: the end cannot lie before the opening that stands.
        #expect(there() == (portal.now.text, portal.now.text))
        await other.sync()
        for phone in [phone, other] {
            let kept = try #require(try phone.store.interventions().first)
            #expect(kept.openedAt == portal.now && kept.completedAt == portal.now)
            #expect(try phone.store.waiting() == 0)
        }
    }

    @Test
    func `one that was taken back while somebody wrote in it stays on the phone, and is told to nobody`()
        async throws
    {
        await phone.sync()
        try phone.store.completeIntervention(id, answer: "Ein Baum.", at: portal.now)
        #expect(
            portal.call(.delete, "/patients/\(therapy)/interventions/\(id)", as: .ada).status == 204)
        let summary = await phone.sync(.changed)
        #expect(summary.outcome == .complete && summary.refused == 1)
        let kept = try #require(try phone.store.interventions().first)
        #expect(kept.isGone && kept.answer == "Ein Baum.")
        #expect(try phone.store.waiting() == 0)
    }

    // MARK: The vault

    @Test func `what was written moves to another phone through the vault, which the portal cannot read`()
        async throws
    {
        let other = try Phone(portal)
        await phone.sync()
        await other.sync()
        try phone.store.writeNote(VaultNote(answer: "Ein Hund.", isDone: nil, changedAt: portal.now), of: id)
        try await SealedVault.exchange(phone.store, phone.client, password: "Fenster Apfel Wolke")
        let sealed = portal.call(.get, "/my/vault", as: .pia).attributes["ciphertext"]?.string ?? ""
        let bytes = try #require(Data(base64Encoded: sealed))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("Hund"))
        await #expect(throws: VaultClosed()) {
            try await SealedVault.exchange(other.store, other.client, password: "ein anderes Wort")
        }
        try await SealedVault.exchange(other.store, other.client, password: "Fenster Apfel Wolke")
        #expect(try other.store.interventions().first?.answer == "Ein Hund.")
        // The later word stands, wherever it was written.
        portal.wait(seconds: 5)
        try other.store.writeNote(
            VaultNote(answer: "Zwei Hunde.", isDone: true, changedAt: portal.now), of: id)
        try await SealedVault.exchange(other.store, other.client, password: "Fenster Apfel Wolke")
        try await SealedVault.exchange(phone.store, phone.client, password: "Fenster Apfel Wolke")
        #expect(try phone.store.interventions().first?.answer == "Zwei Hunde.")
        #expect(try phone.store.interventions().first?.isDone == true)
    }

    @Test func `a vault that another phone changed meanwhile is brought together, not overwritten`()
        async throws
    {
        await phone.sync()
        let first = VaultNote(answer: "eins", isDone: nil, changedAt: portal.now)
        try phone.store.writeNote(first, of: id)
        // Between the reading and the writing of the first phone the second one puts its own.
        let done = Once()
        let sealed = try SealedVault.close(
            [
                "00000000-0000-4000-8000-000000000001": VaultNote(
                    answer: "zwei", isDone: nil, changedAt: portal.now)
            ],
            password: "Fenster")
        phone.line.during { [portal] path in
            guard path.hasSuffix("/my/vault"), done.isFirst else { return }
            let body = "{\"ciphertext\": \"\(sealed.base64EncodedString())\", \"revision\": 0}"
            _ = portal.call(.put, "/my/vault", body, as: .pia)
        }
        try await SealedVault.exchange(phone.store, phone.client, password: "Fenster")
        let vault = portal.call(.get, "/my/vault", as: .pia).attributes
        let bytes = try #require(Data(base64Encoded: vault["ciphertext"]?.string ?? ""))
        let notes = try SealedVault.open(bytes, password: "Fenster")
        #expect(Set(notes.values.compactMap(\.answer)) == ["eins", "zwei"])
        #expect(vault["revision"]?.number == 2)
    }

    @Test func `changed bytes open no vault`() throws {
        let note = VaultNote(answer: "eins", isDone: nil, changedAt: portal.now)
        var sealed = try SealedVault.close([id: note], password: "Fenster")
        #expect(try SealedVault.open(sealed, password: "Fenster") == [id: note])
        sealed[sealed.count - 1] ^= 1
        #expect(throws: VaultClosed()) { try SealedVault.open(sealed, password: "Fenster") }
        #expect(throws: VaultClosed()) { try SealedVault.open(Data([1, 2, 3]), password: "Fenster") }
    }
}

/// True the first time it is asked.
final class Once: Sendable {
    private let wasAsked = Mutex(false)

    var isFirst: Bool {
        wasAsked.withLock { wasAsked in
            defer { wasAsked = true }
            return !wasAsked
        }
    }
}
