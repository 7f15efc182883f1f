import Records
import Web
import Wire

/// Lines about one file by one person, merged to one visit; every other line of the log stands alone. The log itself
/// keeps a line for every opening.
struct AuditVisit: Sendable {
    let newest: AuditLine
    /// When it began.
    private(set) var since: Instant
    /// The opened parts, in the order of time.
    private(set) var areas: [String]

    /// After a longer pause another visit begins.
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

/// Merges lines to visits, the newest first. An action in a file stands alone and ends the visit, so that openings
/// before and after it are separate.
struct AuditVisits: Sendable {
    private(set) var list: [AuditVisit] = []
    private var open: [String: Int] = [:]

    init(_ lines: some Sequence<AuditLine> = []) {
        for line in lines { _ = add(line, limit: .max) }
    }

    /// - Parameter line: the next older one.
    /// - Returns: whether it was added; not where it would begin another visit beyond the limit.
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
