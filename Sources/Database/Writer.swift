import Dispatch
import Foundation
import Locks

/// The only thread that writes. Waiting transactions run each in a savepoint, are committed together with one fsync,
/// and return only then; a failing one is rolled back alone.
final class Writer: Sendable {
    /// A transaction that waits for its turn.
    private struct Job: Sendable {
        let body: @Sendable (borrowing Connection) throws -> Void
        let finish: @Sendable ((any Error)?) -> Void
    }

    private struct Queue {
        var jobs: [Job] = []
        var wantsTidying = false
        var isClosed = false
    }

    private let session: any Session
    private let queue = Lock(Queue())
    private let wake = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    init(session: any Session) {
        self.session = session
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

    func tidy() {
        queue.withLock { $0.wantsTidying = true }
        wake.signal()
    }

    /// Finishes the waiting transactions, then ends the thread and closes the connection.
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
            let (jobs, wantsTidying, isClosed) = queue.withLock { queue in
                defer {
                    queue.jobs = []
                    queue.wantsTidying = false
                }
                return (queue.jobs, queue.wantsTidying, queue.isClosed)
            }
            if !jobs.isEmpty { commit(jobs) }
            // Not inside a transaction. Readers may prevent it: the next one will do it.
            if wantsTidying { session.tidy() }
            if isClosed { break }
        }
        session.close()
        ended.signal()
    }

    private func commit(_ jobs: [Job]) {
        var errors: [(any Error)?] = Array(repeating: nil, count: jobs.count)
        do {
            try session.beginWrite()
            for index in jobs.indices {
                errors[index] = runInSavepoint(jobs[index])
                // Disk full and I/O errors roll the whole transaction back: then every job failed.
                if !session.isInTransaction { throw errors[index] ?? DatabaseClosed() }
            }
            try session.run("COMMIT")
        } catch {
            if session.isInTransaction { try? session.script("ROLLBACK") }
            errors = errors.map { $0 ?? error }
        }
        for (job, error) in zip(jobs, errors) { job.finish(error) }
    }

    // Not inlined: the optimiser of Swift 6.3.1 aborts when it copies the noncopyable connection into its caller.
    @inline(never)
    private func runInSavepoint(_ job: Job) -> (any Error)? {
        do {
            try session.run("SAVEPOINT job")
            do {
                try job.body(Connection(session: session))
            } catch {
                if session.isInTransaction { try session.script("ROLLBACK TO job; RELEASE job") }
                return error
            }
            try session.run("RELEASE job")
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
