import Database
import Dispatch
import Files
import Foundation
import Records
import SoundFiles
import Web

/// Where `sounds import` lays a folder for a running server to take. The server alone writes to the database: SQLite 3.40 can lose
/// what one connection writes while another one folds the log into the file.
package struct SoundInbox: Sendable {
    /// What the server answers. It lies beside what was laid there, so that a command that was interrupted hears it, too.
    private struct Answer: Codable {
        var outcome = SoundImport.Outcome()
        var failure: String?
    }

    private let folder: String
    /// Seconds; measuring a long sound takes some.
    private static let patience = 600

    package init(_ settings: Settings) { folder = settings.soundsPath + "/inbox" }

    // MARK: The command

    /// Lays a copy of what a list names there, and waits for the server.
    /// - Throws: `SoundManifest.Failure` for a list that cannot be read, `StartError` where there is none, or no answer.
    package func hand(over source: String) throws -> SoundImport.Outcome {
        let list = try SoundImport.manifest(in: source)
        let files = FileManager.default
        let place = "\(folder)/\(UUID().uuidString)"
        let partial = place + ".partial"
        try files.createDirectory(
            atPath: partial, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? files.removeItem(atPath: partial) }
        let named = list.sounds.flatMap { [$0.file, $0.picture].compactMap(\.self) } + [SoundManifest.file]
        for name in Set(named) where files.fileExists(atPath: "\(source)/\(name)") {
            try files.copyItem(atPath: "\(source)/\(name)", toPath: "\(partial)/\(name)")
        }
        try DurableFile.move(partial, to: place)
        return try answer(to: place)
    }

    private func answer(to place: String) throws -> SoundImport.Outcome {
        for _ in 0..<(Self.patience * 5) {
            if let data = FileManager.default.contents(atPath: place + ".answer") {
                try? FileManager.default.removeItem(atPath: place + ".answer")
                let answer = try JSONDecoder().decode(Answer.self, from: data)
                if let failure = answer.failure { throw StartError(failure) }
                return answer.outcome
            }
            usleep(200_000)
        }
        throw StartError("the server has not answered; it takes the sounds that lie in \(place) when it can")
    }

    // MARK: The server

    /// Takes everything that lies there, each once.
    package func take(_ services: Services) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where !name.contains(".") {
            let place = "\(folder)/\(name)"
            var answer = Answer()
            do {
                answer.outcome = try SoundImport(folder: place, services).run()
            } catch {
                answer.failure = Log.detail(of: error)
                services.log.line(
                    "error", "sounds not taken", [("detail", Log.detail(of: error))], at: services.clock.now)
            }
            if let data = try? JSONEncoder().encode(answer) {
                try? DurableFile.write(data, to: place + ".answer")
            }
            try? FileManager.default.removeItem(atPath: place)
        }
    }

    /// Before a server takes anything: what a command that was killed left half laid, and answers that nobody fetched.
    package func clearHalfLaid() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.contains(".") {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }
}

/// Looks once a second whether a command has laid sounds there.
package final class SoundInboxRound: Sendable {
    private let stopping = DispatchSemaphore(value: 0)

    package init(_ services: Services) {
        let thread = Thread { [stopping] in
            let inbox = SoundInbox(services.settings)
            inbox.clearHalfLaid()
            repeat { inbox.take(services) } while stopping.wait(timeout: .now() + 1) == .timedOut
        }
        thread.name = "sound inbox"
        thread.start()
    }

    package func stop() { stopping.signal() }
}
