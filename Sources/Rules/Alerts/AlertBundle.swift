import Database
import Web
import Wire
import Wording

/// The waiting alerts of one rule for one patient: shown once, with their number (PR-10).
package struct AlertBundle: Sendable {
    package let newest: AlertRecord
    package let alert: Alert
    package let grade: AlertGrade
    package let count: Int
    /// When the first of them was raised.
    package let since: Instant

    /// A therapist's waiting alerts: those to be seen first, then the newest.
    /// - Parameter risks: answers that have to be seen, whose own entries name the alerts that they raised (PR-27).
    package static func waiting(
        besides risks: [RiskAnswer], _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> [AlertBundle] {
        let sheets = Set(risks.filter { !$0.isSettled }.map { "\($0.patient) \($0.sheet)" })
        let records = try AlertReader.all(c, isAcknowledged: false, connection).filter { record in
            guard let sheet = record.firing.contributionID else { return true }
            return !sheets.contains("\(record.firing.therapyID) \(sheet)")
        }
        let reader = try AlertReader(c, connection)
        var order: [String] = []
        var groups: [String: [AlertRecord]] = [:]
        for record in records {
            let name = "\(record.firing.therapyID) \(record.firing.ruleID)"
            if groups[name] == nil { order.append(name) }
            groups[name, default: []].append(record)
        }
        let bundles = try order.compactMap { name -> AlertBundle? in
            guard let group = groups[name], let newest = group.first, let first = group.last else {
                return nil
            }
            let alert = try reader.wire(newest, connection)
            return AlertBundle(
                newest: newest, alert: alert, grade: AlertGrade(rawValue: alert.grade) ?? .course,
                count: group.count, since: first.raisedAt)
        }
        let rank: [AlertGrade: Int] = [.answer: 0, .course: 1, .technical: 2]
        return bundles.sorted {
            let ranks = (rank[$0.grade] ?? 1, rank[$1.grade] ?? 1)
            return ranks.0 == ranks.1 ? $0.newest.raisedAt > $1.newest.raisedAt : ranks.0 < ranks.1
        }
    }

    /// `zum 6. Mal seit 2. November`; nil for a single one.
    package func repeated(_ texts: Texts, _ dates: DateFormat) -> String? {
        guard count > 1 else { return nil }
        return texts["alerts.repeated", ["n": String(count), "day": dates.day(since)]]
    }
}
