import Records
import Web
import Wire

/// Looks at one file by one person, drawn together to one visit; every other line of the log stands alone. The log
/// itself keeps every look as a line of its own.
struct AuditVisit: Sendable {
    /// The last look.
    let newest: AuditLine
    /// When it began.
    private(set) var since: Instant
    /// The parts that were looked at, in the order of time.
    private(set) var areas: [String]

    /// A longer pause between two looks makes another visit.
    static let pauseSeconds: Int64 = 15 * 60

    fileprivate init(_ line: AuditLine) {
        newest = line
        since = line.at
        areas = [line.object].compactMap(\.self)
    }

    /// - Parameter line: an older one.
    fileprivate func continues(in line: AuditLine) -> Bool {
        AuditAction.isVisit(line.action) && newest.action == line.action
            && line.at.adding(seconds: Self.pauseSeconds) >= since
    }

    fileprivate mutating func add(_ line: AuditLine) {
        since = line.at
        guard let area = line.object else { return }
        areas.removeAll { $0 == area }
        areas.insert(area, at: 0)
    }
}

/// Draws lines together, the newest first. What somebody does in a file stands alone and ends their visit, so that what
/// was seen before it and after it can be told apart.
struct AuditVisits: Sendable {
    private(set) var list: [AuditVisit] = []
    private var open: [String: Int] = [:]

    init(_ lines: some Sequence<AuditLine> = []) {
        for line in lines { _ = add(line, limit: .max) }
    }

    /// - Parameter line: the next older one.
    /// - Returns: whether it had a place; not where it would begin another visit beyond the limit.
    mutating func add(_ line: AuditLine, limit: Int) -> Bool {
        let who = "\(line.actor ?? "") \(line.subject ?? "")"
        if let index = open[who], list[index].continues(in: line) {
            list[index].add(line)
            return true
        }
        if list.count >= limit { return false }
        open[who] = list.count
        list.append(AuditVisit(line))
        return true
    }
}
