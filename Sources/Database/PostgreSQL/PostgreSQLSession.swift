import CPostgreSQL
import Glibc

/// A connection to PostgreSQL, which is made anew where it was lost, and its prepared statements.
///
/// `@unchecked Sendable` is safe because a session is used by one thread at a time.
final class PostgreSQLSession: Session, @unchecked Sendable {
    private let address: String
    let role: SessionRole
    private(set) var connection: OpaquePointer?
    /// The names of prepared statements, by their text for SQLite.
    private var prepared: [String: String] = [:]
    private var preparedCount = 0
    private static let statementLimit = 300
    private(set) var changes = 0
    var goesOn: (() throws -> Void)?
    private var rows = 0
    private static let rowsBetween = 256
    /// The cursors that are open, one within the other.
    private var streams = 0
    private static let rowsOfPart = 1000
    /// Whether the server has warned during the last statement.
    private var isWarned = false

    /// The oldest server this is tried with.
    private static let oldestVersion = 150_000
    /// The one lock for which all programs that write to this database wait, a group of transactions at a time: so the
    /// audit log has one order, and what a write has proved nothing changes before its commit.
    static let writerLock = 7_464_001
    /// For that lock.
    static let longestWait = "20s"
    /// Whether this session has the lock of the program that does what one does for all; goes with the connection.
    var isLeading = false

    /// - Throws: `DatabaseError` when the server cannot be reached, or its database does not fit.
    init(_ address: String, role: SessionRole) throws {
        self.address = address
        self.role = role
        try connect()
    }

    func close() {
        letGo()
        PQfinish(connection)
        connection = nil
        prepared = [:]
        isLeading = false
    }

    // MARK: Connecting

    /// What is not in the address. Dead networks are noticed in seconds: a person waits for the answer.
    private static let usual = [
        ("connect_timeout", "5"), ("tcp_user_timeout", "10000"), ("keepalives_idle", "10"),
        ("keepalives_interval", "5"), ("keepalives_count", "3"), ("target_session_attrs", "read-write"),
        ("application_name", "intersession"),
    ]

    private func connect() throws {
        close()
        let parts = Self.usual + [("dbname", address), ("client_encoding", "UTF8")]
        let keywords = parts.map { strdup($0.0) }
        let values = parts.map { strdup($0.1) }
        defer { (keywords + values).forEach { free($0) } }
        let opened = PQconnectdbParams(
            keywords.map { UnsafePointer<CChar>($0) } + [nil],
            values.map { UnsafePointer<CChar>($0) } + [nil], 1)
        connection = opened
        guard let opened, PQstatus(opened) == CONNECTION_OK else {
            defer { close() }
            throw DatabaseError(
                .storage, code: "PostgreSQL", message: "cannot be reached", statement: "")
        }
        PQsetNoticeReceiver(
            opened,
            { session, notice in
                guard let session else { return }
                Unmanaged<PostgreSQLSession>.fromOpaque(session).takeUnretainedValue().note(notice)
            }, Unmanaged.passUnretained(self).toOpaque())
        do {
            try checkServer()
            // Every statement is written for its way through an index. By PostgreSQL's own value, which is for turning disks, it would
            // read whole tables from some hundred thousand rows on. Workers of its own and compiled expressions take longer to begin than
            // any of them takes (D6: 114 ms before the first of 12 rows).
            try script("SET random_page_cost = 1.1; SET max_parallel_workers_per_gather = 0; SET jit = off")
            // A program that hangs must not shut out the others for ever.
            if case .writer(let lock) = role {
                try script(
                    """
                    SET idle_in_transaction_session_timeout = '60s'; SET lock_timeout = '\(Self.longestWait)';
                    SET statement_timeout = 0
                    """)
                try take(lock)
            }
        } catch {
            close()
            throw error
        }
    }

    /// With another collation lists would be in another order than on SQLite, and indexes useless for prefixes.
    private func checkServer() throws {
        guard PQserverVersion(connection) >= Self.oldestVersion else {
            let found = PQparameterStatus(connection, "server_version").map { String(cString: $0) } ?? ""
            throw refusal("the server is \(found), and 15 or newer is needed")
        }
        let found = try Connection(session: self).first(
            """
            SELECT pg_encoding_to_char(encoding) AS encoding, datcollate AS collation, datctype AS kinds
            FROM pg_database WHERE datname = current_database()
            """
        ) { row in (try row["encoding"] as String, try row["collation"] as String) }
        guard let found, found.0 == "UTF8", ["C", "POSIX"].contains(found.1) else {
            throw refusal(
                "the database needs ENCODING 'UTF8' and LC_COLLATE 'C'; make it from TEMPLATE template0")
        }
    }

    func refusal(_ message: String, _ kind: DatabaseError.Kind = .defect) -> DatabaseError {
        DatabaseError(kind, code: "PostgreSQL", message: message, statement: "")
    }

    // MARK: Transactions

    var isInTransaction: Bool {
        let status = PQtransactionStatus(connection)
        return status == PQTRANS_INTRANS || status == PQTRANS_INERROR
    }

    func beginRead() throws { try begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") }

    func beginWrite() throws {
        try begin("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
        try run("SELECT pg_advisory_xact_lock(\(Self.writerLock))")
    }

    /// The first word of a transaction: where the connection was lost meanwhile, nothing is lost with it.
    private func begin(_ statement: SQL) throws {
        if connection == nil || PQstatus(connection) != CONNECTION_OK { try connect() }
        do {
            try run(statement)
        } catch {
            guard PQstatus(connection) != CONNECTION_OK else { throw error }
            try connect()
            try run(statement)
        }
    }

    /// What was erased leaves the files of PostgreSQL with its own `VACUUM`.
    func tidy() {}

    // MARK: Statements

    func script(_ text: String) throws {
        let result = PQexec(connection, text)
        defer { PQclear(result) }
        try check(result, text)
    }

    func each(_ sql: SQL, _ body: (borrowing Row) throws -> Bool) throws {
        let result = PostgreSQLResult(try execute(sql), sql.text)
        for row in 0..<result.count {
            result.row = row
            rows &+= 1
            if rows % Self.rowsBetween == 0 { try goesOn?() }
            if try !body(Row(source: result)) { break }
        }
    }

    /// By a cursor, a part at a time.
    func stream(_ sql: SQL, _ body: (borrowing Row) throws -> Bool) throws {
        streams += 1
        defer { streams -= 1 }
        let name = "rows\(streams)"
        // Its text differs from that of the query, so it is prepared by itself.
        try run(SQL(text: "DECLARE \(name) NO SCROLL CURSOR FOR " + sql.text, values: sql.values))
        // After a failed statement the transaction is over, and the cursor with it.
        defer { try? script("CLOSE \(name)") }
        var wantsMore = true
        var count = Self.rowsOfPart
        while wantsMore, count == Self.rowsOfPart {
            count = 0
            try each(SQL(text: "FETCH \(Self.rowsOfPart) FROM \(name)")) { row in
                count += 1
                wantsMore = try body(row)
                return wantsMore
            }
        }
    }

    private func note(_ notice: OpaquePointer?) {
        let severity = PQresultErrorField(notice, Int32(intersession_pg_severity))
        if severity.map({ String(cString: $0) }) == "WARNING" { isWarned = true }
    }

    private func execute(_ sql: SQL) throws -> OpaquePointer? {
        isWarned = false
        let name = try prepare(sql.text)
        let values = try sql.values.map { try PostgreSQLValue($0, sql.text) }
        let result = values.withPointers { pointers, lengths, formats in
            PQexecPrepared(connection, name, Int32(values.count), pointers, lengths, formats, 1)
        }
        do {
            try check(result, sql.text)
            // The wait for the standby was given up: a fail-over would lose what is called committed here.
            if isWarned, sql.text == "COMMIT" { throw refusal("committed without its standby", .storage) }
        } catch {
            PQclear(result)
            throw error
        }
        changes = Int(String(cString: PQcmdTuples(result))) ?? 0
        return result
    }

    private func prepare(_ text: String) throws -> String {
        if let name = prepared[text] { return name }
        if prepared.count >= Self.statementLimit {
            try script("DEALLOCATE ALL")
            prepared = [:]
        }
        preparedCount += 1
        let name = "s\(preparedCount)"
        let result = PQprepare(connection, name, PostgreSQLSchema.statement(text), 0, nil)
        defer { PQclear(result) }
        try check(result, text)
        prepared[text] = name
        return name
    }

    private func check(_ result: OpaquePointer?, _ statement: String) throws {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return
        default:
            throw DatabaseError(postgreSQL: result, isLost: PQstatus(connection) != CONNECTION_OK, statement)
        }
    }
}
