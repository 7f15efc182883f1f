import CPostgreSQL
import Glibc

/// Several programs on one database: who may be there, which of them leads, and what they tell each other.
extension PostgreSQLSession {
    /// The lock of the programs that serve, together, or of the one that changes the whole, alone.
    private static let programLock = 7_464_003
    /// The lock of the program that does what one of several does for all.
    private static let leaderLock = 7_464_004
    private static let channel = "intersession"

    /// For as long as the session lasts. The server has to notice soon where the network to the last one is gone.
    func take(_ lock: ProgramLock) throws {
        if lock == .none { return }
        try script(
            "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3")
        let (kind, reason) =
            lock == .shared
            ? ("_shared", "a command of intersession is at work on this database")
            : ("", "another intersession is running on this database")
        do {
            // The server lets go of a lock a moment after the program that had it has ended.
            try script("SET lock_timeout = '2s'; SELECT pg_advisory_lock\(kind)(\(Self.programLock))")
            try script("SET lock_timeout = '\(Self.longestWait)'")
        } catch let error as DatabaseError where error.code.hasSuffix(Self.didNotCome) {
            throw refusal(reason, .storage)
        }
    }

    /// SQLSTATE of a lock that was waited for in vain.
    private static let didNotCome = "55P03"

    /// Before the connection ends, so that others need not wait until the server notices that it has.
    func letGo() {
        guard case .writer(let lock) = role, lock != .none, PQstatus(connection) == CONNECTION_OK else {
            return
        }
        _ = try? script("SELECT pg_advisory_unlock_all()")
    }

    private static var exclusive: SQL { "SELECT pg_try_advisory_lock(\(programLock))" }

    private func isTrue(_ question: SQL) throws -> Bool {
        let answer: Bool? = try Connection(session: self).value(question)
        return answer == true
    }

    func leads() throws -> Bool {
        if !isLeading { isLeading = try isTrue("SELECT pg_try_advisory_lock(\(Self.leaderLock))") }
        return isLeading
    }

    func alone(_ body: () throws -> Void) throws {
        guard try isTrue(Self.exclusive) else { throw MigrationError.othersServe }
        defer { _ = try? isTrue("SELECT pg_advisory_unlock(\(Self.programLock))") }
        try body()
    }

    // MARK: News

    func tell(_ news: String) throws { try run("SELECT pg_notify(\(Self.channel), \(news))") }

    func listen() throws { try script("LISTEN \(Self.channel)") }

    /// What was told since the last call, also by this program; waits for it.
    /// - Parameter bell: a descriptor that ends the waiting once it can be read.
    /// - Throws: `DatabaseError` where the connection is lost.
    func heard(waiting milliseconds: Int32, or bell: Int32) throws -> [String] {
        let socket = PQsocket(connection)
        guard socket >= 0 else { throw lost }
        var places = [socket, bell].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        if poll(&places, 2, milliseconds) > 0, places[0].revents != 0 {
            guard PQconsumeInput(connection) == 1 else { throw lost }
        }
        var news: [String] = []
        while let found = PQnotifies(connection) {
            news.append(String(cString: found.pointee.extra))
            PQfreemem(found)
        }
        return news
    }

    private var lost: DatabaseError { refusal("the connection is lost", .storage) }
}
