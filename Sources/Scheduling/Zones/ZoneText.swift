public import Wire

// Zone data as text, to be kept beside the plans that were made by them.
extension ZoneData {
    /// Older local times are in no plan: 1 January 2000.
    private static let begin: Int64 = 946_684_800

    /// Every zone with its clocks since 2000, and every link, one a line, in order.
    public var text: String {
        let zones = Set(list.values).sorted().map { name in
            (["Z", name] + [tables[name]?.text(from: Self.begin)].compactMap(\.self)).joined(separator: " ")
                + "\n"
        }
        let links = list.keys.sorted().compactMap { name in
            list[name].flatMap { $0 == name ? nil : "L \($0) \(name)\n" }
        }
        return (zones + links).joined()
    }

    /// Reads them back; a line that is none is passed over.
    public convenience init(kept text: String, version: String) {
        var tables: [String: ZoneTable] = [:]
        var list: [String: String] = [:]
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
            if words.count > 1, words[0] == "Z" {
                tables[words[1]] = ZoneTable(words: words.dropFirst(2))
                list[words[1]] = words[1]
            } else if words.count == 3, words[0] == "L" {
                list[words[2]] = words[1]
            }
        }
        self.init(list: list, tables: tables, version: version)
    }

    /// Whether clocks since 2000 are the same.
    private static func tells(_ one: ZoneClocks, theSameAs other: ZoneClocks) -> Bool {
        switch (one, other) {
        case (.system(let one), .system(let other)): one.text(from: begin) == other.text(from: begin)
        case (_, .changing(_, let latest, _)): tells(one, theSameAs: latest)
        default: false
        }
    }

    /// These data, each zone from the second local day after they were read on: a phone may have the prompts of today and
    /// tomorrow already. Before it, and where these do not tell a zone, the earlier ones count.
    public func following(_ earlier: ZoneData, readAt: Instant) -> ZoneData {
        let clocks = Set(names + earlier.names).reduce(into: [String: ZoneClocks]()) { clocks, name in
            guard let before = earlier.clocks(name) else {
                clocks[name] = self.clocks(name)
                return
            }
            guard let later = systemClocks(name), !Self.tells(later, theSameAs: before) else {
                clocks[name] = before
                return
            }
            let zone = Zone(name, in: earlier)
            let read = dayNumber(ofSecond: readAt.seconds + zone.offset(at: readAt))
            let from = zone.instant(LocalDate(daysSince1970: read + 2), hour: 0, minute: 0).seconds
            clocks[name] = .changing(from: from, later, before: before)
        }
        return ZoneData(self, clocks: clocks)
    }
}

extension ZoneTable {
    /// The footer, the first offset, and each change with its offset.
    fileprivate func text(from begin: Int64) -> String {
        let kept = times.partitioningIndex { $0 > begin }
        let changes = (kept..<times.count).map { "\(times[$0]) \(offsets[$0 + 1])" }
        let rule = footer.isEmpty ? "-" : String(decoding: footer, as: UTF8.self)
        return ([rule, String(offsets[kept])] + changes).joined(separator: " ")
    }

    fileprivate convenience init?(words: ArraySlice<String>) {
        let numbers = words.dropFirst().compactMap { Int64($0) }
        guard let footer = words.first, numbers.count == words.count - 1, numbers.count % 2 == 1 else {
            return nil
        }
        let changes = stride(from: 1, to: numbers.count, by: 2)
        self.init(
            times: changes.map { numbers[$0] }, offsets: [numbers[0]] + changes.map { numbers[$0 + 1] },
            footer: footer == "-" ? [] : Array(footer.utf8)[...])
    }
}
