import Locks
import Records
import Scheduling
import Web
import Wire

/// Remembers since when each part of health has its state, and logs changes.
final class HealthWatch: Part {
    private struct State {
        var isFailing: Bool
        var since: Instant
    }

    private let states = Lock<[HealthReport.Part: State]>([:])

    /// Notes the findings of some parts.
    /// - Returns: since when each of them has its state.
    @discardableResult
    func note(
        _ failing: Set<HealthReport.Part>, of parts: [HealthReport.Part], _ services: Services
    ) -> [HealthReport.Part: Instant] {
        let now = services.clock.now
        let (changed, since) = states.withLock { states in
            var changed: [HealthReport.Part] = []
            var since: [HealthReport.Part: Instant] = [:]
            for part in parts {
                let isFailing = failing.contains(part)
                // Before the first check all counts as well since the start.
                let known = states[part] ?? State(isFailing: false, since: services.startedAt)
                let isNew = known.isFailing != isFailing
                if isNew { changed.append(part) }
                let state = isNew ? State(isFailing: isFailing, since: now) : known
                states[part] = state
                since[part] = state.since
            }
            return (changed, since)
        }
        for part in changed { tell(part, failing.contains(part), services, now) }
        return since
    }

    private func tell(_ part: HealthReport.Part, _ isFailing: Bool, _ services: Services, _ now: Instant) {
        var facts = [("part", part.rawValue)]
        switch part {
        case .writes: facts += Disk(path: services.settings.data).facts
        case .disk: facts += Disk.all(services.settings).first(where: \.isNearlyFull)?.facts ?? []
        case .backup: facts.append(("folder", services.backups.folder.path))
        case .zones: facts.append(("data", ZoneData.machine.summary))
        case .push: facts.append(("file", services.settings.data + "/keys/push.key"))
        case .database, .clock, .mail, .log: break
        }
        services.log.line(
            isFailing ? "error" : "info", isFailing ? "health failing" : "health well again", facts, at: now)
    }
}
