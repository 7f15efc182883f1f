import Dispatch
import Glibc
import Locks

/// One database: a single writer thread and a small pool of readers.
///
/// SQLite allows one writer at a time anyway. Competing writers would wait in the busy handler (measured: up to 1.8
/// s); one thread that commits all waiting transactions together needs one fsync for many. On PostgreSQL the writers of
/// several programs take turns, a group of transactions at a time.
public final class OpenDatabase: Sendable {
    private let writer: Writer
    private let readers: Lock<[any Session]>
    private let free: DispatchSemaphore
    private let readerCount: Int
    /// Whether several programs can serve from it.
    public let isShared: Bool

    /// Opens the database; a file is made where there is none.
    /// - Parameter lock: what others may do meanwhile.
    /// - Throws: `DatabaseError` when it cannot be opened or is no database.
    public init(_ place: DatabasePlace, readers count: Int = 4, _ lock: ProgramLock = .none) throws {
        writer = Writer(session: try place.open(.writer(lock)))
        if case .server = place { isShared = true } else { isShared = false }
        readers = Lock(try (0..<count).map { _ in try place.open(.reader) })
        free = DispatchSemaphore(value: count)
        readerCount = count
    }

    /// Runs the body on one snapshot of the database. Must not be nested: the pool is finite.
    /// - Parameter goesOn: called once a reader is free, and repeatedly while rows come; what it throws ends the
    ///   read.
    public func read<T>(
        while goesOn: (() throws -> Void)? = nil, _ body: (borrowing Connection) throws -> T
    ) throws -> T {
        // Four nested reads at once would block each other for ever; tests run with assertions.
        assert(!Nesting.isReading, "a read inside a read")
        free.wait()
        guard let session = readers.withLock({ $0.popLast() }) else {
            free.signal()
            throw DatabaseClosed()
        }
        assert(Nesting.note(true))
        defer {
            assert(Nesting.note(false))
            readers.withLock { $0.append(session) }
            free.signal()
        }
        try goesOn?()
        session.goesOn = goesOn
        defer { session.goesOn = nil }
        try session.beginRead()
        do {
            let result = try body(Connection(session: session))
            try session.run("COMMIT")
            return result
        } catch {
            if session.isInTransaction { try? session.script("ROLLBACK") }
            throw error
        }
    }

    /// Runs the body as one transaction on the writer thread and returns once it is durable on disk.
    /// - Throws: what the body threw, after rolling back what it did; `DatabaseError` when the commit failed.
    @discardableResult
    public func write<T: Sendable>(
        _ body: @escaping @Sendable (borrowing Connection) throws -> T
    ) throws -> T {
        try writer.perform(body)
    }

    /// Whether this program is the one that does what one of several does for all. It is until it ends or loses its connection; then another
    /// one takes over.
    public func leads() throws -> Bool { try !isShared || write { try $0.session.leads() } }

    /// Tells the other programs on this database something; see `DatabaseNews`.
    public func tell(_ news: String) throws {
        if isShared { try write { try $0.tell(news) } }
    }

    /// Makes what was erased unreadable in the engine's own files, at the writer's turn.
    public func tidy() { writer.tidy() }

    /// Waits for running reads and waiting writes, then closes every session.
    public func close() {
        for _ in 0..<readerCount { free.wait() }
        readers.withLock { sessions in
            sessions.forEach { $0.close() }
            sessions = []
        }
        // The writer closes last: SQLite folds the write-ahead log back when the last connection goes.
        writer.close()
        for _ in 0..<readerCount { free.signal() }
    }
}

/// Whether this thread is inside a read; used in assertions only.
private enum Nesting {
    private static let mark: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    static var isReading: Bool { pthread_getspecific(mark) != nil }

    /// - Returns: true, for use in an assertion.
    static func note(_ isReading: Bool) -> Bool {
        pthread_setspecific(mark, isReading ? UnsafeRawPointer(bitPattern: 1) : nil)
        return true
    }
}
