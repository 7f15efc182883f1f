import Database
import Wire

/// Synchronises appointments with the portal.
extension LocalStore {
    /// The state of the portal, with nothing changed here.
    static func store(
        _ id: String, body: String, etag: String?, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO appointments (id, body, etag) VALUES (\(id), \(body), \(etag))
            ON CONFLICT (id) DO UPDATE SET body = excluded.body, etag = excluded.etag, sent = NULL,
                refused_with = NULL, refusal = NULL, in_conflict = 0, theirs = NULL, theirs_etag = NULL
            """)
    }

    /// Appointments to load one by one: new ones, and those changed elsewhere whose tag a change needs.
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
            // Changed here meanwhile: sending it will show the conflict.
            if try Self.isWaiting(.appointment, id, connection) { return }
            try Self.store(id, body: body, etag: appointment.etag, connection)
        }
    }

    /// An appointment that is only here and not waiting was deleted elsewhere.
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

    /// The request to send now; without a body it deletes. Noted before sending, in case the answer is lost.
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

    /// The portal has another state than the one a change is based on.
    /// - Parameters:
    ///   - theirs: nil when it is deleted there.
    /// - Returns: whether it can be sent again at once: the portal has a state that was sent from here, and only the
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

    /// The portal refuses it (a title too long, too many): it stays here until it is changed or deleted.
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
