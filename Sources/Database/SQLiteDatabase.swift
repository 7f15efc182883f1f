import Dispatch
import Glibc
import Locks

/// One database file: a single writer thread and a small pool of readers.
///
/// SQLite allows one writer at a time anyway. Competing writers would wait in the busy handler (measured:
/// up to 1.8 s); one thread that commits for all waiting transactions costs one fsync for many.
public final class SQLiteDatabase: Sendable {
    private let writer: Writer
    private let readers: Lock<[Handle]>
    private let free: DispatchSemaphore
    private let readerCount: Int

    /// Opens or makes the file.
    /// - Throws: `DatabaseError` when it cannot be opened or is no database.
    public init(path: String, readers count: Int = 4) throws {
        writer = Writer(handle: try Handle(path: path, role: .writer))
        readers = Lock(try (0..<count).map { _ in try Handle(path: path, role: .reader) })
        free = DispatchSemaphore(value: count)
        readerCount = count
    }

    /// Runs the body on one snapshot of the database. Do not call it from inside itself: the pool is finite.
    /// - Parameter goesOn: asked once there is a reader for it, and again and again while rows come; what it throws ends
    ///   the read.
    public func read<T>(
        while goesOn: (() throws -> Void)? = nil, _ body: (borrowing Connection) throws -> T
    ) throws -> T {
        // Four of these at once would wait for each other for good; tests run with assertions.
        assert(!Nesting.isReading, "a read inside a read")
        free.wait()
        guard let handle = readers.withLock({ $0.popLast() }) else {
            free.signal()
            throw DatabaseClosed()
        }
        assert(Nesting.note(true))
        defer {
            assert(Nesting.note(false))
            readers.withLock { $0.append(handle) }
            free.signal()
        }
        try goesOn?()
        handle.goesOn = goesOn
        defer { handle.goesOn = nil }
        try handle.run("BEGIN")
        do {
            let result = try body(Connection(handle: handle))
            try handle.run("COMMIT")
            return result
        } catch {
            if handle.isInTransaction { try? handle.script("ROLLBACK") }
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

    /// Folds the write-ahead log into the file and empties it, once the writer comes to it; what readers still look at
    /// waits for the next time.
    public func truncateLog() { writer.truncateLog() }

    /// The statements that make the schema, by kind and name.
    public func schema() throws -> [String] {
        try read { connection in
            try connection.all("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name") {
                row in
                try row[0]
            }
        }
    }

    /// Waits for running reads and waiting writes, then closes the file.
    public func close() {
        for _ in 0..<readerCount { free.wait() }
        readers.withLock { handles in
            handles.forEach { $0.close() }
            handles = []
        }
        // The writer closes last: SQLite folds the write-ahead log back when the last connection goes.
        writer.close()
        for _ in 0..<readerCount { free.signal() }
    }
}

/// Whether this thread is inside a read. Only looked at where assertions are.
private enum Nesting {
    private static let mark: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    static var isReading: Bool { pthread_getspecific(mark) != nil }

    /// - Returns: true, to stand in an assertion.
    static func note(_ isReading: Bool) -> Bool {
        pthread_setspecific(mark, isReading ? UnsafeRawPointer(bitPattern: 1) : nil)
        return true
    }
}
