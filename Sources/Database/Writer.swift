import Dispatch
import Foundation
import Locks

/// The one thread that writes. Waiting transactions are run each in a savepoint, committed together with
/// one fsync, and answered only afterwards; one that fails is rolled back alone.
final class Writer: Sendable {
    /// A transaction that waits for its turn.
    private struct Job: Sendable {
        let body: @Sendable (borrowing Connection) throws -> Void
        let finish: @Sendable ((any Error)?) -> Void
    }

    private struct Queue {
        var jobs: [Job] = []
        var wantsCheckpoint = false
        var isClosed = false
    }

    private let handle: Handle
    private let queue = Lock(Queue())
    private let wake = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    init(handle: Handle) {
        self.handle = handle
        let thread = Thread { [self] in loop() }
        thread.name = "database writer"
        thread.start()
    }

    /// Runs the body in a transaction and returns once it is durable.
    /// - Throws: what the body threw, or `DatabaseError` when the commit failed; then nothing is changed.
    func perform<T: Sendable>(_ body: @escaping @Sendable (borrowing Connection) throws -> T) throws -> T {
        let outcome = Outcome<T>()
        let done = DispatchSemaphore(value: 0)
        let job = Job(
            body: { connection in outcome.set(.success(try body(connection))) },
            finish: { error in
                if let error { outcome.set(.failure(error)) }
                done.signal()
            })
        let accepted = queue.withLock { queue in
            if !queue.isClosed { queue.jobs.append(job) }
            return !queue.isClosed
        }
        guard accepted else { throw DatabaseClosed() }
        wake.signal()
        done.wait()
        return try outcome.get()
    }

    func truncateLog() {
        queue.withLock { $0.wantsCheckpoint = true }
        wake.signal()
    }

    /// Finishes what waits, then ends the thread and closes the connection.
    func close() {
        let first = queue.withLock { queue in
            defer { queue.isClosed = true }
            return !queue.isClosed
        }
        guard first else { return }
        wake.signal()
        ended.wait()
    }

    private func loop() {
        while true {
            wake.wait()
            let (jobs, wantsCheckpoint, isClosed) = queue.withLock { queue in
                defer { (queue.jobs, queue.wantsCheckpoint) = ([], false) }
                return (queue.jobs, queue.wantsCheckpoint, queue.isClosed)
            }
            if !jobs.isEmpty { commit(jobs) }
            // Not inside a transaction. Readers may keep it from being done: the next one will.
            if wantsCheckpoint { try? handle.script("PRAGMA wal_checkpoint(TRUNCATE)") }
            if isClosed { break }
        }
        handle.close()
        ended.signal()
    }

    private func commit(_ jobs: [Job]) {
        var errors: [(any Error)?] = Array(repeating: nil, count: jobs.count)
        do {
            try handle.run("BEGIN IMMEDIATE")
            for index in jobs.indices {
                errors[index] = runInSavepoint(jobs[index])
                // Disk full and I/O errors roll the whole transaction back: then nobody was served.
                if !handle.isInTransaction { throw errors[index] ?? DatabaseClosed() }
            }
            try handle.run("COMMIT")
        } catch {
            if handle.isInTransaction { try? handle.script("ROLLBACK") }
            errors = errors.map { $0 ?? error }
        }
        for (job, error) in zip(jobs, errors) { job.finish(error) }
    }

    // Not inlined: the optimiser of Swift 6.3.1 aborts when it copies the noncopyable connection into its caller.
    @inline(never)
    private func runInSavepoint(_ job: Job) -> (any Error)? {
        do {
            try handle.run("SAVEPOINT job")
            do {
                try job.body(Connection(handle: handle))
            } catch {
                if handle.isInTransaction { try handle.script("ROLLBACK TO job; RELEASE job") }
                return error
            }
            try handle.run("RELEASE job")
            return nil
        } catch {
            return error
        }
    }
}

/// Holds a transaction's result until its thread is woken.
private final class Outcome<T: Sendable>: Sendable {
    private let result = Lock<Result<T, any Error>>(.failure(DatabaseClosed()))

    func set(_ value: Result<T, any Error>) { result.withLock { $0 = value } }

    func get() throws -> T { try result.withLock { $0 }.get() }
}

/// Thrown to transactions that come after `close`.
public struct DatabaseClosed: Error {}
