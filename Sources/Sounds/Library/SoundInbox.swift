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
    private let data: String
    /// Seconds; measuring a long sound takes some.
    private static let patience = 600

    package init(_ settings: Settings) {
        folder = settings.soundsPath + "/inbox"
        data = settings.data
    }

    // MARK: The command

    /// Lays a copy of what a list names there, and waits for the server.
    /// - Throws: `SoundManifest.Failure` for a list that cannot be read, `StartError` where there is none, or no answer.
    package func hand(over source: String) throws -> SoundImport.Outcome {
        let list = try SoundImport.manifest(in: source)
        // What another user lays there the server can neither read nor take away.
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

    /// Takes what lies there.
    /// - Parameter isLeft: names of what is not looked at again.
    /// - Returns: the names of what was looked at; what could not be taken away is among them.
    package func take(_ services: Services, without isLeft: Set<String>) -> Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let new = names.filter { !$0.contains(".") && !isLeft.contains($0) }
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

    /// Nil where the server is about to end: then it is taken at its next start.
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

    /// Before a server takes anything: the place itself, without what commands that were killed have left half laid.
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

/// Looks once a second whether a command has laid sounds there.
package final class SoundInboxRound: Sendable {
    private let stopping = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    package init(_ services: Services) {
        let thread = Thread { [stopping, ended] in
            let inbox = SoundInbox(services.settings)
            inbox.prepare()
            var taken: Set<String> = []
            repeat {
                taken.formUnion(inbox.take(services, without: taken))
            } while stopping.wait(timeout: .now() + 1) == .timedOut
            ended.signal()
        }
        thread.name = "sound inbox"
        thread.start()
    }

    /// Waits for what is being taken, and not for long: what is not done then is taken at the next start.
    package func stop() {
        stopping.signal()
        _ = ended.wait(timeout: .now() + 5)
    }
}
