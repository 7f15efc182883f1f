import Dispatch
import Foundation
import Locks
import Records
import Synchronization
import Web
import Wire

/// Exports that are being made, one at a time, and those that wait to be fetched: once, within ten minutes of the server's
/// clock, by whoever asked for them, and not after somebody in them was erased or withdrew. In memory, like the key of
/// their files: after a restart they are asked for again.
package final class ExportJobs: Part {
    enum State: Sendable {
        case running(done: Int, all: Int)
        case ready(path: String, codenames: [String])
        case failed
        /// It was fetched, or is over.
        case gone
        /// Somebody in it was erased or has withdrawn since it was made.
        case withdrawn
    }

    struct Job: Sendable {
        let study: ID<Study>
        let lead: ID<Account>
        let format: StudyExport.Format
        var state: State
        var until: Instant
    }

    static let lifeSeconds: Int64 = 600
    let folder: ExportFolder
    /// Those that are gone are remembered for an hour, so that a second try is told so.
    private static let memorySeconds: Int64 = 3600

    private let jobs = Lock<[ID<Job>: Job]>([:])
    private let turn = DispatchSemaphore(value: 1)
    private let isClosing = Atomic<Bool>(false)
    private let group = DispatchGroup()

    private struct Closing: Error {}

    /// - Parameter path: of the folder the files lie in; what another run left there goes.
    init(path: String) {
        folder = ExportFolder(path)
        folder.empty()
    }

    /// Whether nobody else writes an export; `leave` has to follow.
    func enter() -> Bool { turn.wait(timeout: .now()) == .success }

    func leave() { turn.signal() }

    /// Makes an export beside the requests.
    /// - Parameter write: makes the file.
    /// - Returns: false while another one is being made.
    func begin(
        _ id: ID<Job>, _ job: Job, path: String, clock: Clock, log: Log, records: Records,
        _ write: @escaping @Sendable (_ progress: StudyExport.Progress) throws -> ExportManifest
    ) -> Bool {
        guard enter() else { return false }
        sweep(now: clock.now)
        jobs.withLock { $0[id] = job }
        DispatchQueue.global(qos: .utility).async(group: group) { [self] in
            var end = State.failed
            do {
                let manifest = try write { done, all in
                    if isClosing.load(ordering: .relaxed) { throw Closing() }
                    note(id, .running(done: done, all: all), until: clock.now)
                }
                end = .ready(path: path, codenames: manifest.codenames)
            } catch {
                try? FileManager.default.removeItem(atPath: path)
                log.line("error", "export failed", [("detail", Log.detail(of: error))], at: clock.now)
            }
            note(id, end, until: clock.now)
            // Somebody may have withdrawn after they were read.
            removeWithdrawn(records)
            leave()
        }
        return true
    }

    private func note(_ id: ID<Job>, _ state: State, until now: Instant) {
        jobs.withLock { jobs in
            jobs[id]?.state = state
            jobs[id]?.until = now.adding(seconds: Self.lifeSeconds)
        }
    }

    /// One that a lead asked for; nil for somebody else's as for none.
    func find(_ id: ID<Job>, study: ID<Study>, lead: ID<Account>, now: Instant) -> Job? {
        sweep(now: now)
        return jobs.withLock { jobs in jobs[id].flatMap { $0.study == study && $0.lead == lead ? $0 : nil } }
    }

    /// Takes a file that is ready; whoever comes second gets nil.
    func take(_ id: ID<Job>) -> (path: String, codenames: [String])? {
        jobs.withLock { jobs in
            guard case .ready(let path, let codenames)? = jobs[id]?.state else { return nil }
            jobs[id]?.state = .gone
            return (path, codenames)
        }
    }

    /// Removes the files that hold somebody who was erased or has withdrawn since they were made. When nobody can tell,
    /// all of them go.
    func removeWithdrawn(_ records: Records) {
        let waiting = jobs.withLock { jobs in
            jobs.compactMap { id, job -> (id: ID<Job>, study: ID<Study>, codenames: [String])? in
                guard case .ready(_, let codenames) = job.state else { return nil }
                return (id, job.study, codenames)
            }
        }
        for job in waiting {
            let told = try? records.read { try EnrolmentStore.consenting(in: job.study, $0) }
            if Set(job.codenames).isSubset(of: (told ?? []).map(\.codename)), told != nil { continue }
            guard let taken = take(job.id) else { continue }
            try? FileManager.default.removeItem(atPath: taken.path)
            jobs.withLock { $0[job.id]?.state = .withdrawn }
        }
    }

    package func consentEnded(_ records: Records) { removeWithdrawn(records) }

    /// Removes what nobody has fetched in time.
    package func sweep(now: Instant) {
        jobs.withLock { jobs in
            for (id, job) in jobs where job.until <= now {
                if case .ready(let path, _) = job.state { try? FileManager.default.removeItem(atPath: path) }
                if case .running = job.state { continue }
                jobs[id]?.state = .gone
            }
            jobs = jobs.filter { $0.value.until.adding(seconds: Self.memorySeconds) > now }
        }
    }

    /// Waits until none is being made.
    func wait() { group.wait() }

    /// Stops what is being made, and waits for it.
    package func close() {
        isClosing.store(true, ordering: .relaxed)
        group.wait()
    }
}
