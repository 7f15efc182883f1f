import CPostgreSQL

extension DatabaseError {
    /// - Parameter isLost: whether the connection went with it.
    init(postgreSQL result: OpaquePointer?, isLost: Bool, _ statement: String) {
        func field(_ code: Int) -> String? {
            PQresultErrorField(result, Int32(code)).map { String(cString: $0) }
        }
        let state = field(intersession_pg_state) ?? ""
        let kind: Kind = isLost ? .storage : Self.kind(of: state)
        // The server's own sentences may quote values; only those about the statement itself do not.
        var message = state.hasPrefix("42") ? field(intersession_pg_message) ?? "" : ""
        if kind == .constraint {
            let table = field(intersession_pg_table) ?? ""
            let columns = Self.columns(in: field(intersession_pg_detail) ?? "").map { "\(table).\($0)" }
            message = "\(field(intersession_pg_constraint) ?? "") \(columns.joined(separator: ", "))"
        }
        self.init(kind, code: "PostgreSQL \(isLost ? "lost" : state)", message: message, statement: statement)
    }

    /// - Parameter state: SQLSTATE (appendix A of PostgreSQL's documentation).
    private static func kind(of state: String) -> Kind {
        // A connection, resources, an intervention of the operator, the system below, a deadlock or a conflict of snapshots; a
        // server that only reads; a lock that did not come.
        let passing = ["08", "53", "57", "58", "40"]
        if passing.contains(String(state.prefix(2))) || ["25006", "55P03"].contains(state) {
            return .storage
        }
        return state.hasPrefix("23") ? .constraint : .defect
    }

    /// The columns of a unique key, which the server names before the values: `Key (a, b)=(…)`, in any language.
    private static func columns(in detail: String) -> [Substring] {
        guard let found = detail.firstMatch(of: /\(([^()]*)\)=\(/) else { return [] }
        return found.1.split(separator: ", ")
    }
}
