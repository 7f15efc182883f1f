import Dispatch
import Foundation
import Locks
import Records
import Secrets
import Studies
import Synchronization
import Web
import Wire

/// Exports in progress, one at a time, and finished ones that wait to be fetched: once, within ten minutes of the
/// server's clock, by the lead who asked for them, and not after a participant in them was erased or withdrew. Remembered
/// for minutes, like the key of their files: of several portals each can be asked for what another one made.
package final class ExportJobs: Part {
    struct Job: Remembered {
        enum State: Codable, Sendable {
            case running(done: Int, all: Int)
            case ready(basis: ExportBasis)
            case failed
            /// It was fetched, or has expired.
            case gone
            /// A participant in it was erased or has withdrawn since it was made.
            case withdrawn
        }

        let study: ID<Study>
        let lead: ID<Account>
        let format: StudyExport.Format
        /// Nil in jobs of before there were masked files.
        private let masked: Bool?
        let file: ExportFile
        fileprivate var state = State.running(done: 0, all: 0)
        /// Until when the state counts.
        fileprivate var ends: Instant

        init(
            study: ID<Study>, lead: ID<Account>, format: StudyExport.Format, isMasked: Bool = false,
            file: ExportFile, at now: Instant
        ) {
            masked = isMasked
            self.study = study
            self.lead = lead
            self.format = format
            self.file = file
            ends = now.adding(seconds: ExportJobs.lifeSeconds)
        }

        var isMasked: Bool { masked ?? false }

        /// Those without a file are remembered, so that a second try gets the reason.
        var until: Instant { ends.adding(seconds: ExportJobs.memorySeconds) }

        func state(at now: Instant) -> State {
            switch state {
            case _ where now < ends: state
            case .ready: .gone
            // Its portal has ended.
            case .running: .failed
            case .failed, .gone, .withdrawn: state
            }
        }

        fileprivate mutating func set(_ new: State, at now: Instant) {
            state = new
            ends = now.adding(seconds: ExportJobs.lifeSeconds)
        }
    }

    /// A file that was made here and waits.
    private struct Waiting {
        let study: ID<Study>
        let basis: ExportBasis
        let path: String
        let until: Instant
    }

    static let lifeSeconds: Int64 = 600
    private static let memorySeconds: Int64 = 3600
    /// No file of a portal that was killed gets older, by the clock of the disk.
    private static let oldest: TimeInterval = 7200
    /// Between two notes of the progress, in nanoseconds.
    private static let notePause: UInt64 = 1_000_000_000

    private let folder: String
    private let memory: ShortMemory
    private let isShared: Bool
    private let waiting = Lock<[ID<Job>: Waiting]>([:])
    private let turn = DispatchSemaphore(value: 1)
    private let isClosing = Atomic<Bool>(false)
    private let group = DispatchGroup()

    private struct Closing: Error {}

    /// - Parameters:
    ///   - path: of the folder for the files.
    ///   - isShared: whether other portals have files there; else those that are left from another run are removed.
    init(path: String, _ memory: ShortMemory, isShared: Bool) {
        folder = path
        self.memory = memory
        self.isShared = isShared
        if !isShared { try? FileManager.default.removeItem(atPath: path) }
    }

    /// - Throws: when the folder cannot be made.
    func newFile(_ id: ID<Job>) throws -> ExportFile {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return ExportFile(path: "\(folder)/\(id)")
    }

    /// Reserves the writing of an export; `leave` must follow.
    func enter() -> Bool { turn.wait(timeout: .now()) == .success }

    func leave() { turn.signal() }

    private static func name(_ id: ID<Job>) -> String { "export \(id)" }

    /// Makes an export in the background.
    /// - Parameter write: makes the file.
    /// - Returns: false while another one is being made.
    func begin(
        _ id: ID<Job>, _ job: Job, clock: Clock, log: Log, records: Records,
        _ write: @escaping @Sendable (_ progress: StudyExport.Progress) throws -> ExportManifest
    ) throws -> Bool {
        guard enter() else { return false }
        sweep(now: clock.now)
        do {
            try memory.change(Self.name(id), now: clock.now) { $0 = job }
        } catch {
            leave()
            throw error
        }
        DispatchQueue.global(qos: .utility).async(group: group) { [self] in
            make(id, job, clock: clock, log: log, write)
            // A participant may have withdrawn after the data was read.
            removeWithdrawn(records)
            leave()
        }
        return true
    }

    private func make(
        _ id: ID<Job>, _ job: Job, clock: Clock, log: Log,
        _ write: (_ progress: StudyExport.Progress) throws -> ExportManifest
    ) {
        do {
            let noted = Atomic<UInt64>(0)
            let manifest = try write { done, all in
                if isClosing.load(ordering: .relaxed) { throw Closing() }
                let tick = DispatchTime.now().uptimeNanoseconds
                guard tick - noted.load(ordering: .relaxed) > Self.notePause else { return }
                noted.store(tick, ordering: .relaxed)
                try note(id, .running(done: done, all: all), at: clock.now)
            }
            try note(id, .ready(basis: manifest.basis), at: clock.now)
            let file = Waiting(
                study: job.study, basis: manifest.basis, path: job.file.path,
                until: clock.now.adding(seconds: Self.lifeSeconds))
            waiting.withLock { $0[id] = file }
        } catch {
            try? FileManager.default.removeItem(atPath: job.file.path)
            log.line("error", "export failed", [("detail", Log.detail(of: error))], at: clock.now)
            try? note(id, .failed, at: clock.now)
        }
    }

    private func note(_ id: ID<Job>, _ state: Job.State, at now: Instant) throws {
        try memory.change(Self.name(id), now: now) { (job: inout Job?) in job?.set(state, at: now) }
    }

    /// An export requested by a lead; nil for another's as for none.
    func find(_ id: ID<Job>, study: ID<Study>, lead: ID<Account>, now: Instant) throws -> Job? {
        sweep(now: now)
        let job = try memory.read(Self.name(id), as: Job.self, now: now)
        return job.flatMap { $0.study == study && $0.lead == lead ? $0 : nil }
    }

    /// Takes a finished file; a second call gets nil, also in another portal.
    func take(_ id: ID<Job>, now: Instant) throws -> (file: ExportFile, basis: ExportBasis)? {
        defer { waiting.withLock { $0[id] = nil } }
        return try memory.change(Self.name(id), now: now) { (job: inout Job?) in
            guard let found = job, case .ready(let basis) = found.state(at: now) else { return nil }
            job?.set(.gone, at: now)
            return (found.file, basis)
        }
    }

    /// Removes the files with data of participants who were erased or have withdrawn since they were made. When that
    /// cannot be found out, all of them go.
    private func removeWithdrawn(_ records: Records) {
        for (id, file) in waiting.withLock({ $0 }) {
            let holds = try? records.read { try file.basis.holds(in: file.study, $0) }
            if holds == true { continue }
            try? FileManager.default.removeItem(atPath: file.path)
            waiting.withLock { $0[id] = nil }
            try? note(id, .withdrawn, at: file.until.adding(seconds: -Self.lifeSeconds))
        }
    }

    package func hear(_ news: News, _ records: Records) {
        if news == .consentEnded { removeWithdrawn(records) }
    }

    /// Removes files that were not fetched in time.
    package func sweep(now: Instant) {
        let over = waiting.withLock { waiting in
            let over = waiting.filter { $0.value.until <= now }
            for id in over.keys { waiting[id] = nil }
            return over.values
        }
        for file in over { try? FileManager.default.removeItem(atPath: file.path) }
        if isShared { sweepForgotten() }
    }

    /// Files of portals that were killed. Nothing can open them any more, since their key is forgotten by then.
    private func sweepForgotten() {
        let files = FileManager.default
        for name in (try? files.contentsOfDirectory(atPath: folder)) ?? [] {
            let path = "\(folder)/\(name)"
            let changed = (try? files.attributesOfItem(atPath: path))?[.modificationDate] as? Date
            guard let changed, changed.timeIntervalSinceNow < -Self.oldest else { continue }
            try? files.removeItem(atPath: path)
        }
    }

    /// Waits until none is in progress.
    func wait() { group.wait() }

    /// Stops the one in progress, and waits for it.
    package func close() {
        isClosing.store(true, ordering: .relaxed)
        group.wait()
    }
}
