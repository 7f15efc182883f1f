#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A value that one thread at a time uses, for brief access by every request.
///
/// `Synchronization.Mutex` is fair on Linux: it wakes the thread that has waited longest and gives it the lock
/// (`FUTEX_LOCK_PI`), so that every later one waits for a switch of threads. With sixteen clients on two cores half
/// of the processor went there. This one goes to any running thread (a POSIX mutex that spins a little first), which
/// is enough where it is held for less than a microsecond.
public final class Lock<Value>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    public init(_ value: sending Value) {
        self.value = value
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs the body while no other thread can. Must not be nested.
    public func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
