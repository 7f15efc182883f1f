import Accounts
import Contributions
import Delivery
import Dispatch
import Foundation
public import HTTP
import Identity
import Pictures
import Protocols
import Push
import Records
import Research
import Rules
import Scheduling
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
    /// The address it listens on: `http://127.0.0.1:8080`.
    public let address: String

    /// Opens the data folder, migrates, and listens.
    /// - Throws: a message for the operator when something does not fit.
    public init(_ settings: Settings, _ serverSettings: ServerSettings) throws {
        var settings = settings
        let isLoopback = serverSettings.address.hasPrefix("127.") || serverSettings.address == "::1"
        var serverSettings = serverSettings
        serverSettings.publicURL = settings.publicURL
        settings.servesLocally = isLoopback && settings.publicURL == nil
        services = try Services(settings, clock: settings.clockFile.map(Clock.file) ?? .system)
        try Installation.checkFolder(services.records, settings, new: services.chance.uuid())
        try StartUp.settle(services)
        server = try Server(serverSettings, application: Pipeline(services))
        let scheme = serverSettings.tls == nil ? "http" : "https"
        let host =
            serverSettings.address.contains(":") ? "[\(serverSettings.address)]" : serverSettings.address
        address = "\(scheme)://\(host):\(server.port)"
        services.listens(on: address)
        housekeeping = Housekeeping(services)
        services.log.line("info", "listening", [("address", address)], at: services.clock.now)
        services.log.line(
            ZoneData.machine.isWhole ? "info" : "warning", "time zones", [("data", ZoneData.machine.summary)],
            at: services.clock.now)
        mailRound = MailRound(services)
        pushSender = PushSender(services)
        linkPuller = LinkPuller(services)
        soundInbox = SoundInboxRound(services)
        if settings.relay == nil {
            services.log.line("info", "mail goes to files in outbox", at: services.clock.now)
        }
    }

    /// Finishes running requests, then closes the database.
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

/// Steps before the first request.
enum StartUp {
    static func settle(_ services: Services) throws {
        // One of several leaves it to the first hour of the one that leads.
        if !services.records.isShared { services.backups.clearHalfMade() }
        try DrawingVersions.begin(services.records, at: services.clock.now)
        try services.part(PushSignal.self).adopt(services.records)
        try EarlierContributions.decide(services.records)
        try Erasure.repeatAll(services)
        try EarlierTicks.ask(services)
        try services.renewZones()
        try ZoneMoves.settle(services)
        try endWithoutFactor(services)
        try cleanPictures(services)
    }

    /// Where a second factor is required, ends sessions of staff without one: they began when none was required.
    static func endWithoutFactor(_ services: Services) throws {
        guard services.settings.secondFactor == .required else { return }
        let ended = try services.records.writeUnaudited(.installation) {
            try CredentialStore.endWithoutFactor($0)
        }
        guard ended > 0 else { return }
        let facts = [("ended", String(ended))]
        services.log.line("warning", "signed in without a second factor", facts, at: services.clock.now)
    }

    /// Pictures from before they were drawn anew when they came: once, since drawing loses a little each time. One that would not
    /// be taken today is left as it is. Where no child can be started, the next start tries again.
    static func cleanPictures(_ services: Services) throws {
        if try services.records.read({ try InstallationStore.hasDrawnPictures($0) }) { return }
        for (study, old) in try services.records.read({ try StudyStore.pictures($0) }) {
            let new: StudyPicture
            do {
                new = try StudyPicture(old.bytes)
            } catch {
                if error != .unavailable { continue }
                return services.log.line("warning", "pictures not drawn anew", [], at: services.clock.now)
            }
            if new == old || !new.fits { continue }
            try services.records.writeUnaudited(.installation) {
                try StudyStore.set(new, of: study, instead: old, $0)
            }
        }
        try services.records.writeUnaudited(.installation) { try InstallationStore.markPicturesDrawn($0) }
    }
}

/// Sends mails as they come, and every minute retries those that failed.
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

/// Removes expired data, at the start and once an hour of the clock.
package final class Housekeeping: Sendable {
    private let stopping = DispatchSemaphore(value: 0)

    init(_ services: Services) {
        let thread = Thread { [stopping] in
            // In a simulation an hour takes less than a second.
            let pause = services.settings.clockFile == nil ? 60 : 0.1
            var last = Instant.distantPast
            repeat {
                let now = services.clock.now
                // Exports lie ready for ten minutes, so an hour would be too long.
                services.exports.sweep(now: now)
                // A failing part is in the log within a minute, even if the page is not opened.
                _ = HealthReport(services)
                // After the clock was set back, housekeeping does not wait for the lost time.
                guard now >= last.adding(seconds: 3600) || now < last, services.leads else { continue }
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
        // Independent of the rest: a due mail does not wait for it.
        defer {
            RuleMail.trySending(services, now: now)
            UnseenMail.trySending(services, now: now)
        }
        do {
            try AuditAnchor.set(services.records, services.settings)
            try services.records.writeUnaudited(.expired) { [features = services.features] connection in
                for feature in features { try feature.removeExpired(now, connection) }
            }
            // Expired data must also disappear from the file and its log, as after an erasure.
            services.records.tidy()
            let began = DispatchTime.now().uptimeNanoseconds
            let planned = try DailyPlanning.run(services)
            if planned > 0 {
                let milliseconds = (DispatchTime.now().uptimeNanoseconds - began) / 1_000_000
                let facts = [("therapies", String(planned)), ("milliseconds", String(milliseconds))]
                services.log.line("info", "dailies planned", facts, at: now)
            }
            try DeliveryPlanner.run(services)
            try GroupClock.run(services)
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
