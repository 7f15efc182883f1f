import Database
public import Wire

/// An appointment as the phone knows it.
public struct LocalAppointment: Sendable {
    public let id: String
    public let appointment: Appointment
    /// Whether the portal still has to hear of the last change.
    public let isWaiting: Bool
    /// Why the portal will not take it as it is; nil after it was changed.
    public let refusal: Refusal?
}

/// Changed here and elsewhere: the person decides.
public struct AppointmentConflict: Sendable {
    public let id: String
    /// Nil when it was deleted here.
    public let mine: Appointment?
    /// Nil when it was deleted elsewhere.
    public let theirs: Appointment?
}

extension LocalStore {
    /// A line of the table.
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

    /// What is not deleted here, in order of time.
    public func appointments() throws -> [LocalAppointment] {
        let list = try read { connection in
            try connection.all(
                """
                SELECT id, body, EXISTS (SELECT 1 FROM outbox WHERE kind = 'appointment'
                    AND subject_id = appointments.id), refused_with, refusal
                FROM appointments WHERE body IS NOT NULL
                """
            ) { row in
                let (status, words): (Int?, String?) = (try row[3], try row[4])
                return LocalAppointment(
                    id: try row[0], appointment: try Self.value(Appointment.self, try row[1]),
                    isWaiting: try row[2],
                    refusal: status.map { Refusal(status: $0, message: words ?? "") })
            }
        }
        return list.sorted { ($0.appointment.startsAt, $0.id) < ($1.appointment.startsAt, $1.id) }
    }

    // MARK: What is done here

    /// Makes an appointment, or changes one.
    /// - Parameter id: nil for a new one.
    /// - Returns: its id.
    /// - Throws: `LocalProblem`.
    @discardableResult
    public func keepAppointment(_ id: String? = nil, _ appointment: Appointment) throws -> String {
        guard appointment.startsAt.seconds < appointment.endsAt.seconds else {
            throw LocalProblem.endsBeforeStart
        }
        let (body, name) = (try Self.text(appointment), id ?? NewID.make())
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
                // Never sent: nobody else has heard of it.
                try Self.forgetAppointment(id, connection)
            } else {
                try connection.run("UPDATE appointments SET body = NULL WHERE id = \(id)")
                try Self.enqueue(.appointment, id, connection)
            }
        }
    }

    private static func forgetAppointment(_ id: String, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM appointments WHERE id = \(id)")
        try dequeue(.appointment, id, connection)
    }

    // MARK: Conflicts

    public func conflicts() throws -> [AppointmentConflict] {
        try read { connection in
            try connection.all(
                "SELECT id, body, theirs FROM appointments WHERE in_conflict = 1 ORDER BY id"
            ) { row in
                let (mine, theirs): (String?, String?) = (try row[1], try row[2])
                return AppointmentConflict(
                    id: try row[0], mine: try mine.map { try Self.value(Appointment.self, $0) },
                    theirs: try theirs.map { try Self.value(Appointment.self, $0) })
            }
        }
    }

    public enum Choice: Sendable { case mine, theirs }

    /// Decides a conflict. What was deleted elsewhere and is kept here becomes a new appointment.
    /// - Returns: the id it has from now on; nil when it is deleted.
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
                // It may have changed again since: the lists are looked at anew.
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

    // MARK: What the portal says

    /// The state of the portal, with nothing changed here.
    private static func store(
        _ id: String, body: String, etag: String?, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO appointments (id, body, etag) VALUES (\(id), \(body), \(etag))
            ON CONFLICT (id) DO UPDATE SET body = excluded.body, etag = excluded.etag, sent = NULL,
                refused_with = NULL, refusal = NULL, in_conflict = 0, theirs = NULL, theirs_etag = NULL
            """)
    }

    /// What has to be loaded one by one, because it is new or was changed elsewhere and a change needs its tag.
    func changedAppointments(among list: [Item<Appointment>]) throws -> [String] {
        try read { connection in
            try list.filter { item in
                if try Self.isWaiting(.appointment, item.id, connection) { return false }
                let row = try Self.appointmentRow(item.id, connection)
                if row?.inConflict == true || row?.isRefused == true { return false }
                return try row?.body != Self.text(item.attributes)
            }.map(\.id)
        }
    }

    func take(_ id: String, _ appointment: Tagged<Appointment>) throws {
        let body = try Self.text(appointment.value)
        try write { connection in
            // Changed here meanwhile: sending it will find out.
            if try Self.isWaiting(.appointment, id, connection) { return }
            try Self.store(id, body: body, etag: appointment.etag, connection)
        }
    }

    /// What is only here and not waiting to be sent was deleted elsewhere.
    static func dropAppointments(
        notIn there: Set<String>, _ connection: borrowing Connection
    ) throws {
        let here: [String] = try connection.all(
            "SELECT id FROM appointments WHERE in_conflict = 0 AND refused_with IS NULL"
        ) { try $0[0] }
        for id in here where !there.contains(id) {
            if try !isWaiting(.appointment, id, connection) { try forgetAppointment(id, connection) }
        }
    }

    // MARK: Sending

    /// What to send now: nil as body deletes. Noted before it goes, to know it again if the answer is lost.
    func prepare(_ outgoing: Outgoing) throws -> AppointmentRow? {
        try write { connection in
            let row = try Self.appointmentRow(outgoing.subject, connection)
            guard let row, !row.inConflict else {
                try Self.settle(outgoing, connection)
                return nil
            }
            let before = try row.sent.map { try Self.value([String].self, $0) } ?? []
            let sent = try Self.text(before + (row.body.map { [$0] } ?? []))
            try connection.run("UPDATE appointments SET sent = \(sent) WHERE id = \(outgoing.subject)")
            return row
        }
    }

    func noteSent(_ outgoing: Outgoing, _ answer: Tagged<Appointment>) throws {
        try write { connection in
            try connection.run(
                "UPDATE appointments SET etag = \(answer.etag), sent = '[]' WHERE id = \(outgoing.subject)")
            try Self.settle(outgoing, connection)
        }
    }

    func noteDeleted(_ outgoing: Outgoing) throws {
        try write { try Self.forgetAppointment(outgoing.subject, $0) }
    }

    /// The portal has another state than the one that was seen here.
    /// - Parameters:
    ///   - theirs: nil when it is deleted there.
    /// - Returns: whether it can be sent again at once: the portal has something that was sent from here, and only the
    ///   answer was lost.
    func meet(_ outgoing: Outgoing, theirs: Tagged<Appointment>?) throws -> Bool {
        let text = try theirs.map { try Self.text($0.value) }
        return try write { connection in
            guard let row = try Self.appointmentRow(outgoing.subject, connection) else { return false }
            if text == nil && row.body == nil {
                try Self.forgetAppointment(outgoing.subject, connection)
                return false
            }
            let sent = try row.sent.map { try Self.value([String].self, $0) } ?? []
            if let text, sent.contains(text) || text == row.body {
                try connection.run(
                    "UPDATE appointments SET etag = \(theirs?.etag) WHERE id = \(outgoing.subject)")
                return true
            }
            try connection.run(
                """
                UPDATE appointments SET in_conflict = 1, theirs = \(text), theirs_etag = \(theirs?.etag)
                WHERE id = \(outgoing.subject)
                """)
            try Self.dequeue(.appointment, outgoing.subject, connection)
            return false
        }
    }

    /// The portal will not take it as it is (a title too long, too many): it stays here until it is changed or deleted.
    func refuseAppointment(_ outgoing: Outgoing, _ refusal: Refusal) throws {
        try write { connection in
            if try Self.settle(outgoing, connection) { return }
            try connection.run(
                """
                UPDATE appointments SET refused_with = \(refusal.status), refusal = \(refusal.message)
                WHERE id = \(outgoing.subject)
                """)
        }
    }
}
