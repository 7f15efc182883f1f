import Wire

/// A list that a run reads, as `GET /my/changes` names it.
enum ToldList: String {
    case assignments, dailies, contributions, interventions, appointments

    /// Where it is, below `/api/v1`.
    var plain: String { Changes.path(of: rawValue) }

    /// The same as a run reads it: in parts as large as there are.
    var path: String { plain + "?limit=200" + (self == .dailies ? "&days=7" : "") }

    /// Where the tag is kept that the portal told when the list was read.
    var mark: String { "changes of " + plain }

    func tag(in told: Changes) -> String? {
        switch self {
        case .assignments: told.assignments
        case .dailies: told.dailies
        case .contributions: told.contributions
        case .interventions: told.interventions
        case .appointments: told.appointments
        }
    }

    /// How many things of a list its tag speaks of: as many as the portal answers where no number is asked for.
    static let reach = 50
    /// Kept for a list that reaches further than its tag: no portal ever tells this one.
    static let long = "-"
}

extension SyncRun {
    /// Asks once which of the lists have changed. What is told is older than what is read afterwards, so a list that moves
    /// between the two is read once more by the next run, and never passed over.
    mutating func askForChanges() async throws {
        guard tellsChanges else { return }
        let known = try store.toldChanges()
        do {
            switch try await client.changes(unless: known?.etag) {
            case .unchanged: told = known?.value
            case .fresh(let answer):
                try store.keep(told: answer)
                told = answer.value
            }
        } catch  where error.status == 404 {
            tellsChanges = false
        }
    }

    /// Whether the portal tells of a list what it told when the list was read last.
    func isUnchanged(_ list: ToldList) throws -> Bool {
        guard let tag = told.flatMap(list.tag) else { return false }
        return try store.part(list.mark)?.etag == tag
    }

    /// Whether the list was read since the portal tells of it. If not, it is read as a whole, to learn how long it is.
    func isMarked(_ list: ToldList) throws -> Bool {
        try told == nil || store.part(list.mark) != nil
    }

    /// What is to be kept of a list that was read; nothing where nothing was told.
    /// - Parameter total: how many things it has; 0 where its beginning tells all.
    func mark(_ list: ToldList, total: Int) -> [LocalStore.ListPart] {
        guard let tag = told.flatMap(list.tag) else { return [] }
        let etag = total <= ToldList.reach ? tag : ToldList.long
        return [LocalStore.ListPart(path: list.mark, etag: etag, next: nil)]
    }
}

extension LocalStore {
    /// What the portal told last; nil when it never did.
    func toldChanges() throws -> Tagged<Changes>? {
        try read { connection in
            guard let text = try Self.fact(.toldChanges, connection),
                let etag = try Self.fact(.toldTag, connection)
            else { return nil }
            return Tagged(value: try Self.value(Changes.self, text), etag: etag)
        }
    }

    func keep(told: Tagged<Changes>) throws {
        let text = try Self.text(told.value)
        try write { connection in
            try Self.set(.toldChanges, text, connection)
            try Self.set(.toldTag, told.etag, connection)
        }
    }
}
