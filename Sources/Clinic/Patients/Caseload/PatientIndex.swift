import Contributions
import Database
import Foundation
import HTTP
import Pairing
import Records
import Therapies
import Web
import Wire
import Wording

/// Search, filter and order of the list of patients: in the address, and kept for the next time (PR-34).
package struct PatientSearch: Sendable {
    let text: String
    let filter: CaseloadFilter
    let order: CaseloadOrder
    let isReversed: Bool
    let page: Int
    /// Whether the address names a filter or an order.
    let isChosen: Bool
    private let needle: PatientNeedle
    static let pageSize = 100

    /// - Parameter kept: what was chosen the last time.
    init(_ query: Form, kept: (filter: String, sort: String, isReversed: Bool)?) {
        text = (query["q"] ?? "").trimmingCharacters(in: .whitespaces)
        needle = PatientNeedle(text)
        let asked = (query["filter"] ?? query["state"]).flatMap(CaseloadFilter.init(name:))
        let sort = query["sort"].flatMap(CaseloadOrder.init(rawValue:))
        isChosen = asked != nil || sort != nil
        // A search looks everywhere unless its form names a filter.
        let last = text.isEmpty ? kept.flatMap { CaseloadFilter(name: $0.filter) } : nil
        filter = asked ?? last ?? .all
        order = sort ?? kept.flatMap { CaseloadOrder(rawValue: $0.sort) } ?? .next
        isReversed = sort == nil ? kept?.isReversed ?? false : query["reversed"] == "true"
        page = max(1, query["page"].flatMap { Int($0) } ?? 1)
    }

    func path(
        filter: CaseloadFilter? = nil, order: CaseloadOrder? = nil, isReversed: Bool? = nil, page: Int = 1
    ) -> String {
        var parts = text.isEmpty ? [] : ["q=\(percentEncoded(text))"]
        parts.append("filter=\((filter ?? self.filter).name)")
        parts.append("sort=\((order ?? self.order).rawValue)")
        if isReversed ?? (order == nil && self.isReversed) { parts.append("reversed=true") }
        if page > 1 { parts.append("page=\(page)") }
        return "/patients?" + parts.joined(separator: "&")
    }

    /// The found ones in order.
    func found(in all: [CaseloadEntry]) -> [CaseloadEntry] {
        let found = all.filter { entry in
            filter.fits(entry) && needle.fits(codename: entry.codename, alias: entry.alias, note: entry.note)
        }
        return order.sorted(found, isReversed: isReversed)
    }
}

package struct PatientIndex: Page {
    package static let template = "patients/index"
    package static let section: NavigationItem? = .patients

    /// Colleagues' files.
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
        /// `ascending` or `descending`; nil where it is not the order of the list.
        let direction: String?
    }

    package let rows: [CaseloadRow]
    let hasRows: Bool
    package let query: String
    let filter: String
    let sort: String
    let isReversed: Bool
    package let filters: [PageLink]
    package let columns: [Column]
    let labels: CaseloadRow.Labels
    package let summary: String
    /// The sentence of a filter without patients, or of a search without any.
    let nothing: String
    let previousPage: String?
    let nextPage: String?
    /// Colleagues' files that are shared with the reader; nil without any.
    var shared: Shared?
    /// Whether there are no patients at all, not only none found.
    package let isEmpty: Bool

    package init(_ all: [CaseloadEntry], _ search: PatientSearch, _ texts: Texts, _ dates: DateFormat) {
        let found = search.found(in: all)
        let pages = max(1, (found.count + PatientSearch.pageSize - 1) / PatientSearch.pageSize)
        let page = min(search.page, pages)
        let shown = found.dropFirst((page - 1) * PatientSearch.pageSize).prefix(PatientSearch.pageSize)
        let formatter = CaseloadFormatter(texts: texts, dates: dates)
        rows = shown.map(formatter.row)
        hasRows = !found.isEmpty
        query = search.text
        filter = search.filter.name
        sort = search.order.rawValue
        isReversed = search.isReversed
        filters = Self.filters(all, search, texts)
        columns = CaseloadOrder.allCases.map { order in
            let isSorted = search.order == order
            let isDescending = order.isDescending != search.isReversed
            return Column(
                label: texts["caseload.column_\(order.rawValue)"],
                path: search.path(order: order, isReversed: isSorted && !search.isReversed),
                direction: isSorted ? isDescending ? "descending" : "ascending" : nil)
        }
        labels = CaseloadRow.Labels(texts)
        summary = texts.count("patients.found", found.count)
        nothing =
            search.text.isEmpty && search.filter != .all
            ? texts["caseload.none_\(search.filter.name)"] : texts["patients.none_found"]
        previousPage = page > 1 ? search.path(page: page - 1) : nil
        nextPage = page < pages ? search.path(page: page + 1) : nil
        isEmpty = all.isEmpty
    }

    /// Those of the figures always, those of a state only with patients in it.
    private static func filters(
        _ all: [CaseloadEntry], _ search: PatientSearch, _ texts: Texts
    ) -> [PageLink] {
        let states = [PatientState.codeOpen, .codeExpired, .ended].map(CaseloadFilter.state).filter {
            filter in
            filter == search.filter || all.contains(where: filter.fits)
        }
        return (CaseloadFilter.always + states).map { filter in
            PageLink(
                label: "\(texts["caseload.filter_\(filter.name)"]) \(all.count(where: filter.fits))",
                path: search.path(filter: filter), isCurrent: search.filter == filter)
        }
    }
}
