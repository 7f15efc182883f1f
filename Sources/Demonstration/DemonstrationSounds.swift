import Foundation
import Identity
import Records
import SoundFiles
import Sounds
import Therapies
import Web
import Wire

/// The starter set of sounds, shortened, and evenings of listening.
struct DemonstrationSounds {
    let services: Services
    let dice: SeededRandom
    let now: Instant

    /// Short ones are made and measured quickly.
    private static let seconds = 4

    /// Adds nothing where there are sounds already.
    func write() throws {
        let isThere = try services.records.read { try !SoundStore.all($0).isEmpty }
        if isThere { return }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "starter-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try StarterSounds(seed: 1, seconds: Self.seconds).write(to: folder.path)
        _ = try SoundImport(folder: folder.path, services).run()
        try listen()
    }

    /// Listeners, their evenings in the last three weeks, and whether it is shared with the therapist.
    private static let listeners = [
        (email: "pia@example.org", evenings: 14, shares: true),
        (email: "tom@example.org", evenings: 6, shares: false),
        (email: "nina@example.org", evenings: 17, shares: true),
    ]

    private func listen() throws {
        let accounts = try services.records.read { connection in
            try Self.listeners.map { listener in
                try AccountStore.find(lookup: services.keys.lookup(email: listener.email), connection)
            }
        }
        try services.records.writeUnaudited(.madeUp) { connection in
            let sounds = try SoundStore.offered(connection)
            for (listener, account) in zip(Self.listeners, accounts) {
                guard let account, !sounds.isEmpty else { continue }
                for evening in 0..<listener.evenings {
                    let record = session(evening, of: sounds)
                    try ListeningStore.insert(record, of: account.id, connection)
                }
                guard listener.shares else { continue }
                var sharing = try OwnSharingStore.find(of: account.id, connection)
                sharing.shared.updateValue(nil, forKey: .listening)
                try OwnSharingStore.set(sharing, of: account.id, connection)
            }
        }
    }

    private func session(_ evening: Int, of sounds: [SoundRecord]) -> ListeningRecord {
        let sound = sounds[dice.number(0...min(3, sounds.count - 1))]
        let minutes = [2, 5, 10][dice.number(0...2)]
        let isRated = dice.number(0...4) > 0
        return ListeningRecord(
            id: dice.chance.id(), sound: sound,
            startedAt: now.adding(days: -Int64(evening) - 1).adding(seconds: Int64(dice.number(0...7_200))),
            seconds: Double(minutes * 60), loopMinutes: minutes,
            rating: isRated ? dice.number(2...5) : nil,
            ratingState: isRated ? "rated" : "declined", receivedAt: now)
    }
}
