import Database
public import Wire

/// An appointment on the phone.
public struct LocalAppointment: Sendable {
    public let id: String
    public let appointment: Appointment
    /// Whether the last change was not sent yet.
    public let isWaiting: Bool
    /// Why the portal refuses it; nil again after a change.
    public let refusal: Refusal?
}

/// Changed here and elsewhere: the person must decide.
public struct AppointmentConflict: Sendable {
    public let id: String
    /// Nil when it was deleted here.
    public let mine: Appointment?
    /// Nil when it was deleted elsewhere.
    public let theirs: Appointment?
}

extension LocalStore {
    struct AppointmentRow: Sendable {
        let body: String?
        let etag: String?
        let sent: String?
        let inConflict: Bool
        let theirs: String?
        let theirsETag: String?
        let isRefused: Bool
    }

    static func appointmentRow(
        _ id: String, _ connection: borrowing Connection
    ) throws -> AppointmentRow? {
        try connection.first(
            """
            SELECT body, etag, sent, in_conflict, theirs, theirs_etag, refused_with IS NOT NULL
            FROM appointments WHERE id = \(id)
            """
        ) { row in
            AppointmentRow(
                body: try row[0], etag: try row[1], sent: try row[2], inConflict: try row[3],
                theirs: try row[4], theirsETag: try row[5], isRefused: try row[6])
        }
    }

    /// Those not deleted here, in order of time.
    public func appointments() throws -> [LocalAppointment] {
        let list = try read { connection in
            try connection.all(
                """
                SELECT id, body, EXISTS (SELECT 1 FROM outbox WHERE kind = 'appointment'
                    AND subject_id = appointments.id), refused_with, refusal
                FROM appointments WHERE body IS NOT NULL
                """
            ) { row in
                let status: Int? = try row[3]
                let words: String? = try row[4]
                return LocalAppointment(
                    id: try row[0], appointment: try Self.value(Appointment.self, try row[1]),
                    isWaiting: try row[2],
                    refusal: status.map { Refusal(status: $0, message: words ?? "") })
            }
        }
        return list.sorted { ($0.appointment.startsAt, $0.id) < ($1.appointment.startsAt, $1.id) }
    }

    // MARK: Changes

    /// Makes an appointment, or changes one.
    /// - Parameter id: nil for a new one.
    /// - Returns: its id.
    /// - Throws: `LocalProblem`.
    @discardableResult
    public func keepAppointment(_ id: String? = nil, _ appointment: Appointment) throws -> String {
        guard appointment.startsAt.seconds < appointment.endsAt.seconds else {
            throw LocalProblem.endsBeforeStart
        }
        let body = try Self.text(appointment)
        let name = id ?? NewID.make()
        return try write { connection in
            if id == nil {
                try connection.run("INSERT INTO appointments (id, body) VALUES (\(name), \(body))")
            } else {
                let changed = try connection.run(
                    """
                    UPDATE appointments SET body = \(body), refused_with = NULL, refusal = NULL
                    WHERE id = \(name) AND body IS NOT NULL
                    """)
                if changed == 0 { throw LocalProblem.unknown }
            }
            try Self.enqueue(.appointment, name, connection)
            return name
        }
    }

    /// - Throws: `LocalProblem.unknown`.
    public func deleteAppointment(_ id: String) throws {
        try write { connection in
            guard let row = try Self.appointmentRow(id, connection), row.body != nil else {
                throw LocalProblem.unknown
            }
            if row.etag == nil && row.sent == nil {
                // Never sent: no other device knows it.
                try Self.forgetAppointment(id, connection)
            } else {
                try connection.run("UPDATE appointments SET body = NULL WHERE id = \(id)")
                try Self.enqueue(.appointment, id, connection)
            }
        }
    }

    static func forgetAppointment(_ id: String, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM appointments WHERE id = \(id)")
        try dequeue(.appointment, id, connection)
    }

    // MARK: Conflicts

    public func conflicts() throws -> [AppointmentConflict] {
        try read { connection in
            try connection.all(
                "SELECT id, body, theirs FROM appointments WHERE in_conflict = 1 ORDER BY id"
            ) { row in
                let mine: String? = try row[1]
                let theirs: String? = try row[2]
                return AppointmentConflict(
                    id: try row[0], mine: try mine.map { try Self.value(Appointment.self, $0) },
                    theirs: try theirs.map { try Self.value(Appointment.self, $0) })
            }
        }
    }

    public enum Choice: Sendable { case mine, theirs }

    /// Decides a conflict. An appointment deleted elsewhere and kept here becomes a new one.
    /// - Returns: its id from now on; nil when it is deleted.
    /// - Throws: `LocalProblem.unknown`.
    @discardableResult
    public func resolve(_ id: String, _ choice: Choice) throws -> String? {
        let newID = NewID.make()
        return try write { connection in
            guard let row = try Self.appointmentRow(id, connection), row.inConflict else {
                throw LocalProblem.unknown
            }
            switch (choice, row.theirs) {
            case (.theirs, nil):
                try Self.forgetAppointment(id, connection)
                return nil
            case (.theirs, let theirs?):
                // It may have changed again since: the lists are read again.
                try Self.forgetParts(of: "/my/appointments", connection)
                try Self.store(id, body: theirs, etag: row.theirsETag, connection)
                return id
            case (.mine, nil):
                try Self.forgetAppointment(id, connection)
                guard let body = row.body else { return nil }
                try connection.run("INSERT INTO appointments (id, body) VALUES (\(newID), \(body))")
                try Self.enqueue(.appointment, newID, connection)
                return newID
            case (.mine, _):
                try connection.run(
                    """
                    UPDATE appointments SET etag = theirs_etag, sent = NULL, in_conflict = 0, theirs = NULL,
                        theirs_etag = NULL WHERE id = \(id)
                    """)
                try Self.enqueue(.appointment, id, connection)
                return row.body == nil ? nil : id
            }
        }
    }
}
