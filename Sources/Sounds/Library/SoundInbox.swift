import Database
import Dispatch
import Foundation
import Records
import SoundFiles
import Web

/// The folder where `sounds import` puts sounds for a running server. Only the server writes to the database: SQLite
/// 3.40 can lose the writes of one connection while another folds the log into the file.
package struct SoundInbox: Sendable {
    /// The server's answer. It lies beside the sounds, so that an interrupted command can read it, too.
    private struct Answer: Codable {
        var outcome = SoundImport.Outcome()
        var failure: String?
    }

    private let folder: String
    private let data: String
    /// Seconds; measuring a long sound takes some.
    private static let patience = 600

    package init(_ settings: Settings) {
        folder = settings.soundsPath + "/inbox"
        data = settings.data
    }

    // MARK: The command

    /// Puts a copy of the listed files there, and waits for the server.
    /// - Throws: `SoundManifest.Failure` for an unreadable list, `StartError` without one, or without an answer.
    package func hand(over source: String) throws -> SoundImport.Outcome {
        let list = try SoundImport.manifest(in: source)
        // The server could neither read nor remove another user's files.
        let owner = try FileManager.default.attributesOfItem(atPath: data)[.ownerAccountID] as? NSNumber
        guard owner?.uint32Value == geteuid() else {
            throw StartError(
                "run this as the user who owns \(data): the server could not take what it lays there")
        }
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

    /// Imports the sounds put there.
    /// - Parameter isLeft: names to skip.
    /// - Returns: the names of those processed, including any that could not be removed.
    package func take(_ services: Services, without isLeft: Set<String>) -> Set<String> {
        let new = waiting(without: isLeft)
        for name in new {
            let place = "\(folder)/\(name)"
            guard let answer = answer(of: place, services) else { return [] }
            do {
                try DurableFile.write(try JSONEncoder().encode(answer), to: place + ".answer")
                try FileManager.default.removeItem(atPath: place)
            } catch {
                tell(error, services)
            }
        }
        return Set(new)
    }

    func isWaiting(without isLeft: Set<String>) -> Bool { !waiting(without: isLeft).isEmpty }

    private func waiting(without isLeft: Set<String>) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { !$0.contains(".") && !isLeft.contains($0) }
    }

    /// Nil when the server is about to end: then its next start imports it.
    private func answer(of place: String, _ services: Services) -> Answer? {
        do {
            return Answer(outcome: try SoundImport(folder: place, services).run())
        } catch is DatabaseClosed {
            return nil
        } catch {
            tell(error, services)
            return Answer(failure: Log.detail(of: error))
        }
    }

    private func tell(_ error: any Error, _ services: Services) {
        let detail = [("detail", Log.detail(of: error))]
        services.log.line("error", "sounds not taken", detail, at: services.clock.now)
    }

    /// Called first: creates the folder, and removes remains of commands that were killed.
    package func prepare() {
        let files = FileManager.default
        try? files.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for name in (try? files.contentsOfDirectory(atPath: folder)) ?? [] where name.contains(".") {
            let path = "\(folder)/\(name)"
            let changed = (try? files.attributesOfItem(atPath: path))?[.modificationDate] as? Date
            if changed.map({ $0.timeIntervalSinceNow < -3600 }) ?? false {
                try? files.removeItem(atPath: path)
            }
        }
    }
}

/// Looks once a second for sounds put there by a command.
package final class SoundInboxRound: Sendable {
    private let stopping = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    package init(_ services: Services) {
        let thread = Thread { [stopping, ended] in
            let inbox = SoundInbox(services.settings)
            inbox.prepare()
            var taken: Set<String> = []
            repeat {
                if inbox.isWaiting(without: taken), services.leads {
                    taken.formUnion(inbox.take(services, without: taken))
                }
            } while stopping.wait(timeout: .now() + 1) == .timedOut
            ended.signal()
        }
        thread.name = "sound inbox"
        thread.start()
    }

    /// Waits briefly for a running import; an unfinished one is continued at the next start.
    package func stop() {
        stopping.signal()
        _ = ended.wait(timeout: .now() + 5)
    }
}
