import Accounts
import Appointments
import Database
import Delivery
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire

/// What people have planned keeps its local time when newer zone data count: it is moved once, when they were first read
/// (RP-19). Appointments are of the patient's zone, sessions that a therapist noted and covers of the clinic's; absences are
/// days.
enum ZoneMoves {
    /// The same local time by other data.
    private struct Shift: Sendable {
        let before: Zone
        let after: Zone

        init(_ zone: String, from before: ZoneData, to after: ZoneData) {
            self.before = Zone(zone, in: before)
            self.after = Zone(zone, in: after)
        }

        func moved(_ moment: Instant) -> Instant {
            let local = before.offset(at: moment)
            let guess = moment.adding(seconds: local - after.offset(at: moment))
            return moment.adding(seconds: local - after.offset(at: guess))
        }

        /// Nil where both stay.
        func moved(_ start: Instant, _ end: Instant) -> (start: Instant, end: Instant)? {
            let times = (start: moved(start), end: moved(end))
            return times == (start, end) || times.end <= times.start ? nil : times
        }
    }

    static func settle(_ services: Services) throws {
        let kept = try services.records.read { try ZoneHistoryStore.all($0) }
        guard let newest = kept.last, kept.contains(where: { !$0.isSettled }) else { return }
        let now = services.clock.now
        let moved = try services.records.write(
            .zonesChanged, by: nil, about: nil, object: newest.version, at: now
        ) { connection in
            // Another portal may have been faster, or have kept newer ones.
            let kept = try ZoneHistoryStore.all(connection)
            guard kept.contains(where: { !$0.isSettled }) else { return 0 }
            let moves = Moves(
                before: ZoneHistory.data(of: kept.filter(\.isSettled)), after: ZoneHistory.data(of: kept),
                services: services, now: now)
            let moved = try moves.appointments(connection) + moves.sessions(connection)
            try moves.covers(connection)
            try ZoneHistoryStore.settle(moved: moved, at: now, connection)
            return moved
        }
        let facts = [("version", newest.version), ("appointments", String(moved))]
        services.log.line("info", "newer time zones count", facts, at: now)
    }

    private struct Moves: Sendable {
        let before: ZoneData
        let after: ZoneData
        let services: Services
        let now: Instant

        private func shift(_ zone: String) -> Shift { Shift(zone, from: before, to: after) }

        /// Those of patients, in their own zones.
        /// - Returns: how many.
        func appointments(_ connection: borrowing Connection) throws -> Int {
            var told: [ID<Account>: AccountRecord] = [:]
            var count = 0
            for coming in try AppointmentStore.coming(after: now, connection) {
                guard let account = try AccountStore.find(coming.accountID, connection) else { continue }
                guard let times = shift(account.timezone).moved(coming.startsAt, coming.endsAt) else {
                    continue
                }
                try AppointmentStore.move(coming, from: times.start, until: times.end, at: now, connection)
                try SessionStore.reconcile(
                    appointment: coming.id, from: times.start, until: times.end, newID: services.chance.id(),
                    in: coming.therapyID, at: now, connection)
                try note(
                    .appointmentKept, of: coming.therapyID, object: coming.id.text, connection)
                told[account.id] = account
                count += 1
            }
            for account in told.values { try tell(account, account.timezone, connection) }
            return count
        }

        /// Those that therapists have noted, in the clinic's zone.
        /// - Returns: how many.
        func sessions(_ connection: borrowing Connection) throws -> Int {
            let clinic = shift(services.timezone)
            var therapies: Set<ID<Therapy>> = []
            var count = 0
            for (therapy, session) in try SessionStore.noted(after: now, connection) {
                guard let times = clinic.moved(session.startsAt, session.endsAt) else { continue }
                try SessionStore.shift(
                    session.id, from: times.start, until: times.end, in: therapy, at: now, connection)
                try note(.sessionMoved, of: therapy, object: session.id.text, connection)
                therapies.insert(therapy)
                count += 1
            }
            for therapy in therapies {
                guard let id = try TherapyStore.find(therapy, connection)?.accountID,
                    let account = try AccountStore.find(id, connection)
                else { continue }
                try tell(account, services.timezone, connection)
            }
            return count
        }

        /// They are told by their days.
        func covers(_ connection: borrowing Connection) throws {
            let clinic = shift(services.timezone)
            for cover in try SharingStore.covers(after: now, connection) {
                guard let times = clinic.moved(cover.startsAt, cover.endsAt) else { continue }
                try SharingStore.move(cover.id, from: times.start, until: times.end, connection)
            }
        }

        private func note(
            _ action: AuditAction, of therapy: ID<Therapy>, object: String,
            _ connection: borrowing Connection
        ) throws {
            try services.records.note(action, about: therapy, object: object, at: now, connection)
            try DeliveryPlanner.reconcile(therapy, services, now: now, connection)
        }

        private func tell(
            _ account: AccountRecord, _ zone: String, _ connection: borrowing Connection
        ) throws {
            let words = services.sentence("system.clock_change", ["zone": zone])
            let notice = try NewNotice(
                .clockChange, words, to: account.key(services.keys), id: services.chance.id(), from: now)
            try NoticeStore.insert(notice, at: now, connection)
        }
    }
}

extension AuditAction {
    /// What people have planned was moved to its local times by newer zone data; the object is their version.
    static let zonesChanged = AuditAction(name: "installation.zones_changed")
}
