import Scheduling
import Wire

/// One run of the synchronisation, step by step.
struct SyncRun {
    let client: Client
    let traffic: Traffic
    let store: LocalStore
    let now: Instant
    let zone: Zone
    let chance: @Sendable () -> Double
    var summary = SyncEngine.Summary()
    /// A fault of the portal with a single thing: the rest continues, and the run counts as failed.
    var fault: SyncEngine.Stop?
    /// Whether the portal reports on all lists at once; older ones do not.
    var tellsChanges = true
    /// The report of this run; nil when every list must be requested.
    var told: Changes?

    init(
        client: Client, store: LocalStore, now: Instant, zone: Zone,
        chance: @escaping @Sendable () -> Double
    ) {
        (self.client, traffic) = client.counted()
        self.store = store
        self.now = now
        self.zone = zone
        self.chance = chance
    }

    mutating func everything() async throws {
        try await sendAll()
        try await askForChanges()
        try await assignments()
        let isPaired = try await dailies()
        try await questionnaires()
        try await contributions()
        if isPaired {
            try await interventions()
            try await appointments()
        }
        if let fault { throw fault }
    }

    /// Dailies of the phone's own, for the days beyond the portal's plan.
    func plan() throws {
        try store.planDailies(zone: zone, at: now, seed: .random(in: .min ... .max))
    }

    // MARK: Lists

    /// A list as read, with the tags of its parts.
    private struct Listing<Value: Resource & Decodable> {
        var items: [Item<Value>] = []
        var parts: [LocalStore.ListPart] = []
        var next: String?

        mutating func add(_ path: String, _ answer: Tagged<Many<Value>>) {
            items += answer.value.data
            next = answer.value.meta.next
            if let etag = answer.etag {
                parts.append(LocalStore.ListPart(path: path, etag: etag, next: next))
            }
        }
    }

    /// Reads a list part by part, each with its tag.
    /// - Returns: the whole list; nil when nothing has changed.
    private func changes<Value: Resource & Decodable>(_ list: ToldList) async throws -> Listing<Value>? {
        if try isUnchanged(list) { return nil }
        let first = list.path
        guard let begin: Tagged<Many<Value>> = try await firstChange(list) else { return nil }
        var listing = Listing<Value>()
        listing.add(first, begin)
        while let path = listing.next { listing.add(path, try await whole(path)) }
        listing.parts += mark(list, total: begin.value.meta.total)
        return listing
    }

    /// The first part of a list of which any part has changed.
    private func firstChange<Value: Resource & Decodable>(
        _ list: ToldList
    ) async throws -> Tagged<Many<Value>>? {
        let first = list.path
        if try !isMarked(list) { return try await whole(first) }
        var path = first
        while true {
            guard let known = try store.part(path) else { return try await whole(first) }
            let answer: Fetched<Many<Value>> = try await client.part(path, unless: known.etag)
            if case .fresh(let part) = answer { return path == first ? part : try await whole(first) }
            guard let next = known.next else { return nil }
            path = next
        }
    }

    private func whole<Value: Resource & Decodable>(_ path: String) async throws -> Tagged<Many<Value>> {
        let answer: Fetched<Many<Value>> = try await client.part(path)
        guard case .fresh(let part) = answer else { throw ClientError.unreadable("304 without a tag") }
        return part
    }

    // MARK: Step 1: assignments

    private func assignments() async throws {
        guard let list: Listing<Assignment> = try await changes(.assignments) else { return }
        let items = list.items
        let parts = list.parts
        try store.write { connection in
            try LocalStore.take(items, connection)
            try LocalStore.keep(parts, connection)
        }
    }

    /// - Returns: whether the account is paired; an unpaired one has neither dailies nor the lists of a therapy.
    private func dailies() async throws -> Bool {
        if let told, told.dailies == nil {
            try endTherapy()
            return false
        }
        do {
            guard let list: Listing<Daily> = try await changes(.dailies) else {
                return true
            }
            let items = list.items
            let parts = list.parts
            // The actual end of the plan: the portal counts days in the account's zone. A plan without coming dailies
            // was switched off; missing days in one are holidays.
            let end = items.map(\.attributes.availableFrom).max()
            let week = LocalTime(now, zone).date.adding(days: DailyPlan.daysAhead)
            let last = end.flatMap { $0 > now ? max(LocalTime($0, zone).date, week) : nil }
            try store.write { [now] connection in
                try LocalStore.take(plan: items, through: last, now: now, connection)
                try LocalStore.keep(parts, connection)
            }
            return true
        } catch  where error.status == 403 {
            try endTherapy()
            return false
        }
    }

    private func endTherapy() throws {
        try store.write { [now] connection in
            try LocalStore.take(plan: [], through: nil, now: now, connection)
            try LocalStore.take([] as [Item<Intervention>], connection)
            for list in [ToldList.dailies, .interventions, .appointments] {
                try LocalStore.forgetParts(of: list.plain, connection)
            }
        }
    }

    // MARK: Step 2: questionnaires

    private func questionnaires() async throws {
        for id in try store.plannedOnly() {
            guard let assignment = try await found({ try await client.assignment(id) }) else { continue }
            if try store.learn(id, assignment) { break }
        }
        for id in try store.missingQuestionnaires(client.language) {
            let questionnaire = try await client.questionnaire(id)
            try store.keep(questionnaire, id, language: client.language)
        }
        for id in try store.draftsToLoad() {
            guard let draft = try await found({ try await client.draft(of: id) }) else { continue }
            try store.takeDraft(draft.value.answers.dictionary, etag: draft.etag, of: id)
        }
    }

    /// Nil for things that do not exist, or not any more.
    func found<Value>(_ ask: () async throws -> Value) async throws -> Value? {
        do {
            return try await ask()
        } catch {
            guard let status = error.status, status == 404 || status == 410 else { throw error }
            return nil
        }
    }

    // MARK: Step 3: contributions

    /// Sent sheets never change, so the newest part shows whether there is more to read.
    private func contributions() async throws {
        if try isUnchanged(.contributions) { return }
        let first = ToldList.contributions.path
        let etag = try isMarked(.contributions) ? store.part(first)?.etag : nil
        let answer: Fetched<Many<SentSheet>> = try await client.part(first, unless: etag)
        guard case .fresh(let begin) = answer else { return }
        var list = Listing<SentSheet>()
        list.add(first, begin)
        let total = begin.value.meta.total
        while let path = list.next {
            let unknown = try store.unknownContributions(among: list.items.map(\.id))
            if try store.contributionCount() + unknown.count == total { break }
            list.add(path, try await whole(path))
        }
        let items = list.items
        let tags = list.parts.prefix(1).map { $0.alone } + mark(.contributions, total: 0)
        let all = list.next == nil ? Set(items.map(\.id)) : nil
        try store.write { connection in
            try LocalStore.take(contributions: items, all: all, connection)
            try LocalStore.keep(tags, connection)
        }
    }

    // MARK: Interventions and appointments

    private func interventions() async throws {
        guard let list: Listing<Intervention> = try await changes(.interventions) else { return }
        let items = list.items
        let parts = list.parts
        try store.write { connection in
            try LocalStore.take(items, connection)
            try LocalStore.keep(parts, connection)
        }
    }

    private func appointments() async throws {
        guard let list: Listing<Appointment> = try await changes(.appointments) else { return }
        let items = list.items
        let parts = list.parts
        for id in try store.changedAppointments(among: items) {
            guard let appointment = try await found({ try await client.appointment(id) }) else { continue }
            try store.take(id, appointment)
        }
        try store.write { connection in
            try LocalStore.dropAppointments(notIn: Set(items.map(\.id)), connection)
            try LocalStore.keep(parts, connection)
        }
    }
}

extension Ordered {
    /// The entries with a value, by name.
    var dictionary: [String: Element] {
        var values: [String: Element] = [:]
        for pair in pairs { values[pair.key] = pair.value }
        return values
    }
}
