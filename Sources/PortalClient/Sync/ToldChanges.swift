import Wire

/// A list that a run reads, with its name in `GET /my/changes`.
enum ToldList: String {
    case assignments, dailies, contributions, interventions, appointments

    /// Its address, below `/api/v1`.
    var plain: String { Changes.path(of: rawValue) }

    /// The same in the largest possible parts.
    var path: String { plain + "?limit=200" + (self == .dailies ? "&days=7" : "") }

    /// The name under which the list's tag is kept.
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

    /// The number of things that a list's tag covers: the portal's default for a part.
    static let reach = 50
    /// Kept for a list that is longer than its tag covers: no portal ever reports this tag.
    static let long = "-"
}

extension SyncRun {
    /// Asks once which of the lists have changed. The report is older than the lists read afterwards, so a list that
    /// changes in between is read again by the next run, and never missed.
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

    /// Whether the portal reports the same tag as when the list was last read.
    func isUnchanged(_ list: ToldList) throws -> Bool {
        guard let tag = told.flatMap(list.tag) else { return false }
        return try store.part(list.mark)?.etag == tag
    }

    /// Whether the list was read since the portal reports on it. If not, it is read as a whole, to learn its length.
    func isMarked(_ list: ToldList) throws -> Bool {
        try told == nil || store.part(list.mark) != nil
    }

    /// The tag to keep for a list that was read; none without a report.
    /// - Parameter total: its length; 0 where its beginning is enough.
    func mark(_ list: ToldList, total: Int) -> [LocalStore.ListPart] {
        guard let tag = told.flatMap(list.tag) else { return [] }
        let etag = total <= ToldList.reach ? tag : ToldList.long
        return [LocalStore.ListPart(path: list.mark, etag: etag, next: nil)]
    }
}

extension LocalStore {
    /// The portal's last report; nil without any.
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
