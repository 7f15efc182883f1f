import Database
import Foundation
import HTTP
import Records
import Therapies
import Web
import Wire
import Wording

/// How the list of patients is searched, filtered and sorted: all of it in the address.
package struct PatientSearch: Sendable {
    enum Order: String, CaseIterable, Sendable { case activity, codename, next }

    let text: String
    let state: PatientState?
    let order: Order
    let page: Int
    private let needle: PatientNeedle
    static let pageSize = 25

    init(_ query: Form) {
        text = (query["q"] ?? "").trimmingCharacters(in: .whitespaces)
        needle = PatientNeedle(text)
        state = query["state"].flatMap(PatientState.init(rawValue:))
        order = query["sort"].flatMap(Order.init(rawValue:)) ?? .activity
        page = max(1, query["page"].flatMap { Int($0) } ?? 1)
    }

    func path(state: PatientState?, order: Order, page: Int = 1) -> String {
        var parts: [String] = []
        if !text.isEmpty { parts.append("q=\(percentEncoded(text))") }
        if let state { parts.append("state=\(state.rawValue)") }
        if order != .activity { parts.append("sort=\(order.rawValue)") }
        if page > 1 { parts.append("page=\(page)") }
        return "/patients" + (parts.isEmpty ? "" : "?" + parts.joined(separator: "&"))
    }

    func fits(_ row: PatientRow) -> Bool {
        guard state == nil || row.state == state else { return false }
        return needle.fits(codename: row.codename, alias: row.alias, note: row.note)
    }

    func sorted(_ rows: [PatientRow]) -> [PatientRow] {
        switch order {
        case .codename: rows.sorted { $0.codename < $1.codename }
        case .activity: rows.sorted { ($0.activity ?? $0.created) > ($1.activity ?? $1.created) }
        case .next:
            rows.sorted {
                ($0.next ?? .distantFuture, $0.codename) < ($1.next ?? .distantFuture, $1.codename)
            }
        }
    }
}

/// A patient in the list.
package struct PatientRow: Sendable {
    let id: ID<Therapy>
    let codename: String
    /// Both nil while names are hidden.
    let alias: String?
    let note: String?
    let state: PatientState
    let created: Instant
    let activity: Instant?
    let next: Instant?
    let codeExpires: Instant?

    init(_ therapy: Therapy, _ code: PairingCodeRecord?, _ sessions: [Session], _ c: Context<Member>) throws {
        id = therapy.id
        codename = therapy.codename
        alias = try therapy.name(for: c.proof.account, c.keys).alias
        note = therapy.mayNameTo(c.proof.account) ? try therapy.note(c.keys) : nil
        state = PatientState(therapy, code, now: c.now)
        created = therapy.createdAt
        activity = therapy.lastActivityAt
        next = sessions.first { $0.isComing(at: c.now) }?.startsAt
        codeExpires = state == .codeOpen ? code?.expiresAt : nil
    }
}

/// The list of patients.
package struct PatientIndex: Page {
    package static let template = "patients/index"
    package static let section: NavigationItem? = .patients

    package struct Row: Encodable, Sendable {
        package let id: ID<Therapy>
        package let codename: String
        package let alias: String?
        package let note: String?
        package let state: String
        package let tone: String
        let activity: String?
        package let next: String?
        /// The lead scale that was answered last; nil before the first.
        package let course: Course?
        /// Alerts that wait; nil for none.
        package let alerts: String?
    }
    package struct Course: Encodable, Sendable {
        package let name: String
        package let value: String
        package let path: String
        /// The page of the scale.
        package let link: String
    }
    /// Files of colleagues.
    package struct Shared: Encodable, Sendable {
        struct Row: Encodable, Sendable {
            let id: ID<Therapy>
            let codename: String
            let facts: String
        }
        let rows: [Row]
    }
    package struct Column: Encodable, Sendable {
        package let label: String
        package let path: String
        let isSorted: Bool
    }

    package let rows: [Row]
    package let query: String
    package let state: String
    package let sort: String
    package let filters: [PageLink]
    package let codename: Column
    let activity: Column
    package let next: Column
    package let summary: String
    let previousPage: String?
    let nextPage: String?
    /// Files of colleagues that are shared with the reader; nil when there are none.
    var shared: Shared?
    /// Nobody at all, not only nobody found.
    package let isEmpty: Bool

    /// What is looked up only for the rows that are shown.
    package typealias More = (PatientRow) throws -> (course: Course?, alerts: Int)

    package init(
        _ all: [PatientRow], _ search: PatientSearch, _ texts: Texts, _ dates: DateFormat, more: More
    ) rethrows {
        let found = search.sorted(all.filter(search.fits))
        let pages = max(1, (found.count + PatientSearch.pageSize - 1) / PatientSearch.pageSize)
        let page = min(search.page, pages)
        let shown = found.dropFirst((page - 1) * PatientSearch.pageSize).prefix(PatientSearch.pageSize)
        rows = try shown.map { row in
            let (course, alerts) = try more(row)
            return Self.row(row, course, alerts, texts, dates)
        }
        query = search.text
        state = search.state?.rawValue ?? ""
        sort = search.order.rawValue
        let counts = Dictionary(grouping: all, by: \.state).mapValues(\.count)
        let everybody = PageLink(
            label: "\(texts["patients.all"]) \(all.count)",
            path: search.path(state: nil, order: search.order),
            isCurrent: search.state == nil)
        filters =
            [everybody]
            + PatientState.allCases.compactMap { state in
                guard let count = counts[state] else { return nil }
                return PageLink(
                    label: "\(texts["patients.state_\(state.rawValue)"]) \(count)",
                    path: search.path(state: state, order: search.order), isCurrent: search.state == state)
            }
        let column = { (order: PatientSearch.Order) in
            Column(
                label: texts["patients.column_\(order.rawValue)"],
                path: search.path(state: search.state, order: order),
                isSorted: search.order == order)
        }
        codename = column(.codename)
        activity = column(.activity)
        next = column(.next)
        summary = texts.count("patients.found", found.count)
        previousPage = page > 1 ? search.path(state: search.state, order: search.order, page: page - 1) : nil
        nextPage = page < pages ? search.path(state: search.state, order: search.order, page: page + 1) : nil
        isEmpty = all.isEmpty
    }

    private static func row(
        _ row: PatientRow, _ course: Course?, _ alerts: Int, _ texts: Texts, _ dates: DateFormat
    ) -> Row {
        let tone = [PatientState.paired: "good", .codeOpen: "accent", .codeExpired: "warn", .ended: "plain"]
        var state = texts["patients.state_\(row.state.rawValue)"]
        if let expires = row.codeExpires {
            state += " " + texts["patients.code_until", ["day": dates.day(expires)]]
        }
        return Row(
            id: row.id, codename: row.codename, alias: row.alias, note: row.note, state: state,
            tone: tone[row.state] ?? "plain",
            activity: row.activity.map(dates.short), next: row.next.map(dates.short), course: course,
            alerts: alerts > 0 ? texts.count("alerts.count", alerts) : nil)
    }

    private init() {
        rows = [
            Row(
                id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480", alias: "Frau Winter",
                note: "Dienstag", state: "verbunden", tone: "good", activity: "heute 12:41", next: nil,
                course: Course(name: "Intensität", value: "2,7", path: "M0 20L100 10", link: "/patients"),
                alerts: "1 Meldung")
        ]
        query = ""
        state = ""
        sort = "activity"
        filters = []
        summary = "1 Patient"
        let column = Column(label: "Codename", path: "/patients", isSorted: false)
        codename = column
        activity = column
        next = column
        previousPage = nil
        nextPage = nil
        isEmpty = false
    }

    package static let example = PatientIndex()
}
