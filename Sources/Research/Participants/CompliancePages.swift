import Database
import Foundation
import HTTP
import Identity
import Records
import Studies
import Therapies
import Web
import Wire
import Wording

/// How participants answer, day by day: by codename alone (ST-3).
package enum CompliancePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/studies/:study/compliance", .studyLead, show)
        routes.page(.post, "/studies/:study/compliance/table", .studyLead, export)
    }

    package struct Show: Page {
        package static let template = "studies/compliance"
        package static let section: NavigationItem? = .studies
        package struct Cell: Encodable, Sendable {
            package let text: String
            /// `none`, `low`, `some`, `most`, `all`.
            package let level: String
            /// The prompts that could not be seen; nil for none.
            package let note: String?
        }
        package struct Row: Encodable, Sendable {
            package let codename: String
            package let path: String
            package let total: String
            /// Of the last seven days; nil where they do not decide the order.
            package let lately: String?
            package let cells: [Cell]
        }
        package let head: StudyHead
        package let filters: [PageLink]
        package let orders: [PageLink]
        package let isFiltered: Bool
        package let showsLately: Bool
        package let days: [String]
        package let rows: [Row]
        package let next: String?
        package let earlier: String?
        package let later: String?
        /// What the file keeps of the view.
        package let look: String?
        package let order: String
    }

    /// What of the participants is shown, in which order, and until which day.
    private struct View {
        let look: ParticipantsInView.Look?
        let order: ParticipantList.Order
        let last: LocalDate
        private let study: String

        /// A word that is none stands for all, the newest first, until today.
        init(_ fields: Form, _ c: Context<StudyLead>) {
            look = fields["show"].flatMap { ParticipantsInView.Look(rawValue: $0) }
            order = fields["sort"].flatMap { ParticipantList.Order(rawValue: $0) } ?? .newest
            last = fields["until"].flatMap { LocalDate($0) } ?? c.dates.today
            study = c.proof.study.path
        }

        func path(_ look: ParticipantsInView.Look?, _ order: ParticipantList.Order, until day: LocalDate)
            -> String
        {
            "\(study)/compliance?until=\(day.text)" + (look.map { "&show=\($0.rawValue)" } ?? "")
                + (order == .newest ? "" : "&sort=\(order.rawValue)")
        }

        func path(until day: LocalDate) -> String { path(look, order, until: day) }
    }

    private static let shownDays = 14

    @Sendable static func show(_ c: Context<StudyLead>) throws -> Reply {
        let view = View(c.request.query, c)
        let last = view.last
        // The newest first: it is what is looked for.
        let days = (0..<shownDays).map { last.adding(days: -$0) }
        let paging = try Paging(c.request)
        let (page, response) = try c.read { connection in
            let list = try ParticipantList(view.look, in: view.order, c, connection)
            return (try list.page(paging, c, connection), list.response)
        }
        let lately = Dictionary(
            (response?.people ?? []).map { ($0.enrolment.id, $0) }, uniquingKeysWith: { $1 })
        let rows = page.part.map { entry in
            let total = entry.compliance
            return Show.Row(
                codename: entry.enrolment.codename,
                path: "\(c.proof.study.path)/participants/\(entry.enrolment.codename)",
                total: total.words(c.texts),
                lately: lately[entry.enrolment.id].map {
                    StudyResponse.words($0.answered, of: $0.prompted, c.texts)
                },
                cells: days.map { cell(total, on: $0, c.texts) })
        }
        return .page(
            Show(
                head: StudyHead.make(c, tab: .compliance), filters: filters(view, c), orders: orders(view, c),
                isFiltered: view.look != nil, showsLately: response != nil,
                days: days.map(c.dates.numericDay), rows: rows, next: page.next,
                earlier: view.path(until: last.adding(days: -shownDays)),
                later: last < c.dates.today
                    ? view.path(until: min(c.dates.today, last.adding(days: shownDays))) : nil,
                look: view.look?.rawValue, order: view.order.rawValue))
    }

    /// All, and those that need a look for each reason.
    private static func filters(_ view: View, _ c: Context<StudyLead>) -> [PageLink] {
        let looks = [nil] + ParticipantsInView.Look.allCases.map(Optional.some)
        return looks.map { look in
            PageLink(
                label: c.texts["studies.show_\(look?.rawValue ?? "all")"],
                path: view.path(look, view.order, until: view.last), isCurrent: look == view.look)
        }
    }

    private static func orders(_ view: View, _ c: Context<StudyLead>) -> [PageLink] {
        ParticipantList.Order.allCases.map { order in
            PageLink(
                label: c.texts["studies.sort_\(order.rawValue)"],
                path: view.path(view.look, order, until: view.last), isCurrent: order == view.order)
        }
    }

    private static func cell(_ all: Compliance, on date: LocalDate, _ texts: Texts) -> Show.Cell {
        let day = all.days[date] ?? Compliance.Day()
        let note = day.unseen > 0 ? all.note(day.unseen, texts) : nil
        guard day.prompted > 0 else { return Show.Cell(text: "–", level: "none", note: note) }
        let share = Double(day.answered) / Double(day.prompted)
        let level = share == 0 ? "low" : share < 0.5 ? "some" : share < 1 ? "most" : "all"
        return Show.Cell(text: "\(day.answered)/\(day.prompted)", level: level, note: note)
    }

    // MARK: The file

    private static let header = ["codename", "arm", "day", "prompted", "answered", "not_seen", "at_will"]

    /// A row for each participant and local day with a prompt or an answer, the earliest first, in the order and with the
    /// participants of the page. Taking it is a line of the audit log. Written piece by piece and sent as the files of a study are, so
    /// that memory does not depend on its size.
    @Sendable static func export(_ c: Context<StudyLead>) throws -> Reply {
        let view = View(try c.form(), c)
        try c.write(.complianceExported, object: c.proof.study.id) { _ in }
        let file = try c.services.exports.newFile(c.newID())
        do {
            try c.read { try write(view, to: file, c, $0) }
        } catch {
            try? FileManager.default.removeItem(atPath: file.path)
            throw error
        }
        return try StudyExportPages.send(
            file, as: "compliance.csv", type: StudyExport.Format.csv.type)
    }

    private static func write(
        _ view: View, to file: ExportFile, _ c: Context<StudyLead>, _ connection: borrowing Connection
    ) throws {
        var sink = try ExportSink(file.path, key: file.key)
        let people = try ParticipantList(view.look, in: view.order, c, connection).people
        let reader = try ComplianceReader(c.proof.study, c.now, connection)
        try sink.write(line(header))
        for enrolment in people {
            let days = try reader.compliance(of: enrolment, connection).days
            for (date, day) in days.sorted(by: { $0.key < $1.key }) {
                let counts = [day.prompted, day.answered, day.unseen, day.extra].map { String($0) }
                let first = [enrolment.codename, enrolment.arm?.rawValue ?? "", date.text]
                try sink.write(line(first + counts))
            }
        }
        try sink.close()
    }

    private static func line(_ cells: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        CSV.append(line: cells, to: &bytes)
        return bytes
    }
}

extension AuditAction {
    static let complianceExported = AuditAction(name: "compliance.exported")
}
