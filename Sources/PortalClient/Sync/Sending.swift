import Foundation
import Wire

// Sends waiting changes in their order. A fault of one does not hold up the others.
extension SyncRun {
    mutating func sendAll() async throws {
        let all = try store.outgoing(at: now)
        // An event goes before what was filled in about it.
        for outgoing in all.filter({ $0.kind == .event }) + all.filter({ $0.kind != .event }) {
            do {
                switch outgoing.kind {
                case .sheet: try await sheet(outgoing)
                case .draft: try await draft(outgoing)
                case .assignment: try await assignment(outgoing)
                case .intervention: try await intervention(outgoing)
                case .appointment: try await appointment(outgoing)
                case .listening: try await record(outgoing, .listening)
                case .match: try await record(outgoing, .match)
                case .day: try await record(outgoing, .day)
                case .value: continue
                case .sleep: try await record(outgoing, .sleep)
                case .activity: try await record(outgoing, .activity)
                case .event: try await record(outgoing, .event)
                }
            } catch ClientError.refused(let refusal) where refusal.status == 500 {
                try postpone(outgoing, because: refusal)
            }
        }
        try await values(all.filter { $0.kind == .value })
    }

    /// After a fault of the portal with one thing.
    mutating func postpone(_ outgoing: Outgoing, because refusal: Refusal) throws {
        let delay = BackOff.delay(after: outgoing.tries + 1, chance: chance())
        try store.postpone(outgoing, until: now.adding(seconds: Int64(delay.rounded(.up))))
        fault = SyncEngine.Stop(ClientError.refused(refusal))
    }

    /// Whether the portal refused for good, and not because the person must sign in or it is busy.
    func isFinal(_ error: any Error) -> Refusal? {
        guard let refusal = (error as? ClientError)?.refusal, refusal.isFinal else { return nil }
        return refusal
    }

    private mutating func sheet(_ outgoing: Outgoing) async throws {
        guard let waiting = try store.sheet(outgoing.subject) else {
            try store.write { try LocalStore.settle(outgoing, $0) }
            return
        }
        // What is about something that has not come, or was refused, is not understood there yet.
        if let event = waiting.sheet.eventID, try store.isHeld(by: event) { return }
        do {
            let taken = try await client.sendSheet(waiting.id, waiting.sheet)
            try store.acknowledge(outgoing, taken, about: waiting.sheet.eventID)
            summary.sent += 1
        } catch {
            guard let refusal = isFinal(error) else { throw error }
            try store.refuse(outgoing, refusal)
            summary.refused += 1
        }
    }

    private mutating func record(_ outgoing: Outgoing, _ kind: LocalRecord.Kind) async throws {
        guard let body = try store.waitingRecord(outgoing.subject) else {
            try store.write { try LocalStore.settle(outgoing, $0) }
            return
        }
        do {
            try await put(kind.path(outgoing.subject), body)
            try store.acknowledgeRecord(outgoing)
            summary.sent += 1
        } catch  where kind == .day && error.status == 409 {
            // Another phone knows the day until later: the waiting state is outdated.
            try store.acknowledgeRecord(outgoing)
        } catch  where [.sleep, .activity].contains(kind) && error.status == 410 {
            // Deleted elsewhere, for good.
            try store.acknowledgeRecord(outgoing)
        } catch {
            guard let refusal = isFinal(error) else { throw error }
            try store.refuseRecord(outgoing, refusal)
            summary.refused += 1
        }
    }

    private func put(_ path: String, _ body: Data) async throws(ClientError) {
        do {
            try await client.send("PUT", path, body: body)
        } catch  where error.status == 428 {
            // It exists already: this device's version replaces any state.
            try await client.send("PUT", path, headers: ["If-Match": "*"], body: body)
        }
    }

    private mutating func draft(_ outgoing: Outgoing) async throws {
        let id = outgoing.subject
        for _ in 0..<3 {
            guard let draft = try store.read({ try LocalStore.draft(of: id, $0) }) else { break }
            do {
                let kept = try await client.putDraft(
                    of: id, draft.answers, takenBack: Set(draft.base.keys), seen: draft.etag)
                try store.noteDraftSent(outgoing, draft.answers, etag: kept.etag)
                summary.sent += 1
                return
            } catch  where [412, 428].contains(error.status) {
                try await takeTheirDraft(id)
            } catch {
                // Answered or withdrawn meanwhile: the draft has no purpose any more.
                guard isFinal(error) != nil else { throw error }
                break
            }
        }
        try store.write { try LocalStore.settle(outgoing, $0) }
    }

    private func takeTheirDraft(_ id: String) async throws {
        guard let theirs = try await found({ try await client.draft(of: id) }) else {
            return try store.noteDraftGone(id)
        }
        try store.takeDraft(theirs.value.answers.dictionary, etag: theirs.etag, of: id)
    }

    private mutating func assignment(_ outgoing: Outgoing) async throws {
        if let opened = try store.assignment(outgoing.subject)?.openedAt {
            do {
                _ = try await client.reportAssignment(outgoing.subject, opened: opened)
                summary.sent += 1
            } catch {
                // Another device was first, or it is gone: the portal's state wins.
                guard isFinal(error) != nil else { throw error }
            }
        }
        try store.write { try LocalStore.settle(outgoing, $0) }
    }

    private mutating func intervention(_ outgoing: Outgoing) async throws {
        let id = outgoing.subject
        for _ in 0..<3 {
            guard let (opened, completed) = try store.report(on: id, latest: now) else { break }
            do {
                let now = try await client.reportIntervention(id, opened: opened, completed: completed)
                try store.noteReported(outgoing, now)
                summary.sent += 1
                return
            } catch  where [409, 422].contains(error.status) {
                // Another device was first: its times are kept, and missing ones are sent after them.
                guard try await takeTimes(of: id) else { break }
                // A clock that is faster than the portal accepts: in an hour the same may be right.
                if error.status == 422 {
                    return try store.postpone(outgoing, until: now.adding(seconds: 3600))
                }
            } catch {
                guard let refusal = isFinal(error) else { throw error }
                if [404, 410].contains(refusal.status) {
                    try store.dropIntervention(id)
                    summary.refused += 1
                    return
                }
                // The therapy is over: the lists show the rest.
                break
            }
        }
        try store.write { try LocalStore.settle(outgoing, $0) }
    }

    /// The portal's state of an intervention; there is no call for a single one.
    /// - Returns: whether it exists.
    private mutating func takeTimes(of id: String) async throws -> Bool {
        let all = try await client.interventions()
        guard let item = all.first(where: { $0.id == id }) else { return false }
        try store.write { try LocalStore.take(id, item.attributes, $0) }
        return true
    }

    // MARK: Appointments

    private mutating func appointment(_ outgoing: Outgoing) async throws {
        let id = outgoing.subject
        for _ in 0..<3 {
            guard let row = try store.prepare(outgoing) else { return }
            do {
                guard let body = row.body else {
                    try await client.deleteAppointment(id, seen: row.etag)
                    try store.noteDeleted(outgoing)
                    summary.sent += 1
                    return
                }
                let mine = try LocalStore.value(Appointment.self, body)
                let kept = try await client.putAppointment(id, mine, seen: row.etag)
                try store.noteSent(outgoing, kept)
                summary.sent += 1
                return
            } catch  where [404, 410, 412, 428].contains(error.status) {
                if row.body == nil && [404, 410].contains(error.status) {
                    return try store.noteDeleted(outgoing)
                }
                let theirs = try await found { try await client.appointment(id) }
                guard try store.meet(outgoing, theirs: theirs) else { return }
            } catch {
                guard let refusal = isFinal(error) else { throw error }
                try store.refuseAppointment(outgoing, refusal)
                summary.refused += 1
                return
            }
        }
    }
}
