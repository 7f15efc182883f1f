import Accounts
import Dispatch
import Foundation
public import HTTP
import Identity
import Protocols
import Push
import Records
import Responses
import Rules
import Sounds
import Studies
import Synchronization
import WearableLinks
import Web
import Wire

/// The running portal: services, pipeline and server together.
public final class App: Sendable {
    private let services: Services
    private let server: Server
    private let housekeeping: Housekeeping
    private let mailRound: MailRound
    private let pushSender: PushSender
    private let linkPuller: LinkPuller
    private let soundInbox: SoundInboxRound
    /// Where it listens: `http://127.0.0.1:8080`.
    public let address: String

    /// Opens the data folder, migrates, and listens.
    /// - Throws: a clear word for the operator when something does not fit.
    public init(_ settings: Settings, _ serverSettings: ServerSettings) throws {
        var settings = settings
        let isLoopback = serverSettings.address.hasPrefix("127.") || serverSettings.address == "::1"
        settings.servesLocally = isLoopback && settings.publicURL == nil
        services = try Services(settings, clock: settings.clockFile.map(Clock.file) ?? .system)
        try StartUp.settle(services)
        server = try Server(serverSettings, application: Pipeline(services))
        let scheme = serverSettings.tls == nil ? "http" : "https"
        let host =
            serverSettings.address.contains(":") ? "[\(serverSettings.address)]" : serverSettings.address
        address = "\(scheme)://\(host):\(server.port)"
        services.listens(on: address)
        housekeeping = Housekeeping(services)
        services.log.line("info", "listening", [("address", address)], at: services.clock.now)
        mailRound = MailRound(services)
        pushSender = PushSender(services)
        linkPuller = LinkPuller(services)
        soundInbox = SoundInboxRound(services)
        if settings.relay == nil {
            services.log.line("info", "mail goes to files in outbox", at: services.clock.now)
        }
    }

    /// Finishes the requests under way, then closes the database.
    public func stop() {
        services.readiness.stop()
        server.stop()
        housekeeping.stop()
        mailRound.stop()
        pushSender.stop()
        linkPuller.stop()
        soundInbox.stop()
        services.close()
    }
}

/// What is settled before the first request.
enum StartUp {
    static func settle(_ services: Services) throws {
        services.backups.clearHalfMade()
        try EarlierContributions.decide(services.records)
        try Erasure.repeatAll(services)
        try EarlierTicks.ask(services)
        try endWithoutFactor(services)
        try cleanPictures(services)
    }

    /// Where a second factor is required, whatever staff opened without one ends: it was opened when none was asked for.
    static func endWithoutFactor(_ services: Services) throws {
        guard services.settings.secondFactor == .required else { return }
        let ended = try services.records.writeUnaudited(.installation) {
            try CredentialStore.endWithoutFactor($0)
        }
        guard ended > 0 else { return }
        let facts = [("ended", String(ended))]
        services.log.line("warning", "signed in without a second factor", facts, at: services.clock.now)
    }

    /// Pictures from before they were cleaned when they came. One that would not be taken today is left as it is.
    static func cleanPictures(_ services: Services) throws {
        for (study, old) in try services.records.read({ try StudyStore.pictures($0) }) {
            guard let new = try? StudyPicture(old.bytes), new != old else { continue }
            try services.records.writeUnaudited(.installation) {
                try StudyStore.set(new, of: study, instead: old, $0)
            }
        }
    }
}

/// Sends mails as they come, and every minute what could not be sent before.
final class MailRound: Sendable {
    private let services: Services
    private let isStopped = Atomic(false)

    init(_ services: Services) {
        self.services = services
        let thread = Thread { [self] in
            while !isStopped.load(ordering: .relaxed) {
                services.postman.run(from: services.origin, at: services.clock.now)
                services.postman.wait(seconds: 60)
            }
        }
        thread.name = "mails"
        thread.start()
    }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
        services.postman.stop()
    }
}

/// Removes what has run out, at the start and once an hour of the clock.
package final class Housekeeping: Sendable {
    private let stopping = DispatchSemaphore(value: 0)

    init(_ services: Services) {
        let thread = Thread { [stopping] in
            // In a simulation an hour takes less than a second.
            let pause = services.settings.clockFile == nil ? 60 : 0.1
            var last = Instant.distantPast
            repeat {
                let now = services.clock.now
                // Of what lies ready for ten minutes, the last one is not an hour long.
                services.exports.sweep(now: now)
                // What fails is in the log within a minute, whether anybody asks or not.
                _ = HealthReport(services)
                // A clock that was set back does not keep the house waiting for the time it lost.
                guard now >= last.adding(seconds: 3600) || now < last else { continue }
                last = now
                Self.run(services)
                services.backups.tick(at: services.clock.now)
            } while stopping.wait(timeout: .now() + pause) == .timedOut
        }
        thread.name = "housekeeping"
        thread.start()
    }

    package func stop() { stopping.signal() }

    static func run(_ services: Services) {
        let now = services.clock.now
        // On its own: a mail that is due does not wait for the rest to work.
        defer { RuleMail.trySending(services, now: now) }
        do {
            try AuditAnchor.set(services.records, services.settings)
            try services.records.writeUnaudited(.expired) { [features = services.features] connection in
                for feature in features { try feature.removeExpired(now, connection) }
            }
            // What has run out is gone from the file too, as after an erasure, and does not stand in its log.
            services.records.truncateLog()
            let began = DispatchTime.now().uptimeNanoseconds
            let planned = try DailyPlanning.run(services)
            if planned > 0 {
                let milliseconds = (DispatchTime.now().uptimeNanoseconds - began) / 1_000_000
                let facts = [("therapies", String(planned)), ("milliseconds", String(milliseconds))]
                services.log.line("info", "dailies planned", facts, at: now)
            }
            try DeliveryPlanner.run(services)
            try ProtocolPlanner.run(services)
            let rules = DispatchTime.now().uptimeNanoseconds
            let (looked, fired) = try RuleRun.tick(services)
            if looked > 0 {
                let milliseconds = (DispatchTime.now().uptimeNanoseconds - rules) / 1_000_000
                let facts = [
                    ("therapies", String(looked)), ("fired", String(fired)),
                    ("milliseconds", String(milliseconds)),
                ]
                services.log.line("info", "rules looked at the clock", facts, at: now)
            }
        } catch {
            services.log.line(
                "error", "housekeeping failed", [("detail", Log.detail(of: error))], at: now)
        }
    }
}
