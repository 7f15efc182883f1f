import Records
import Therapies
import Wire

extension Sequence<AppointmentPages.Listed> {
    /// The sessions that take or took place at the same time as another one.
    func atOnce() -> Set<ID<Session>> {
        var found: Set<ID<Session>> = []
        var latest: Session?
        for session in self.filter({ !$0.session.isOff }).map(\.session.session)
            .sorted(by: { $0.startsAt < $1.startsAt })
        {
            if let latest, session.startsAt < latest.endsAt { found.formUnion([latest.id, session.id]) }
            if latest.map({ session.endsAt > $0.endsAt }) ?? true { latest = session }
        }
        return found
    }
}
