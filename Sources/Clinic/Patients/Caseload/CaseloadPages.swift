import Contributions
import Database
import Delivery
import HTTP
import Identity
import Instruments
import Questionnaires
import Records
import Therapies
import Web
import Wire
import Wording

/// The list of patients on the page, and as a table file (PR-34).
enum CaseloadPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients", .therapist, index)
        routes.page(.post, "/patients/table", .therapist, export)
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let (page, search, isKept) = try c.read { connection in
            let kept = try CaseloadViewStore.find(of: c.proof.account.id, connection)
            let search = PatientSearch(c.request.query, kept: kept)
            var page = PatientIndex(try CaseloadReader.read(c, connection), search, c.texts, c.dates)
            page.shared = try SharedPatients.read(c, connection)
            let isKept = kept.map { $0 == (search.filter.name, search.order.rawValue, search.isReversed) }
            return (page, search, isKept ?? false)
        }
        if search.isChosen, !isKept, search.text.isEmpty { keep(search, c) }
        return .page(page)
    }

    private static func keep(_ search: PatientSearch, _ c: Context<Member>) {
        do {
            try c.writeUnaudited(.lastUse) { [account = c.proof.account.id] connection in
                try CaseloadViewStore.save(
                    filter: search.filter.name, sort: search.order.rawValue, isReversed: search.isReversed,
                    of: account, connection)
            }
        } catch {
            // A full disk must not prevent reading.
            c.services.log.line("warning", "view not kept", at: c.now)
        }
    }

    private static let header = [
        "codename", "state", "next_session_at", "questionnaire", "scale", "value", "first_value", "verdict",
        "answered", "asked", "last_sign_at", "silent_days", "unseen",
    ]

    /// The list as it is filtered and sorted; with codenames, never with aliases or notes. Taking it is a line of the
    /// audit log, and a visit of each file.
    @Sendable static func export(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        try c.write(.caseloadExported) { _ in }
        let found = try c.read { connection in
            PatientSearch(form, kept: nil).found(in: try CaseloadReader.read(c, connection))
        }
        let bytes = ([header] + found.map(cells)).reduce(into: []) { CSV.append(line: $1, to: &$0) }
        c.noteVisits(of: found.map(\.id), to: "patients")
        var response = Response(type: "text/csv; charset=utf-8", bytes)
        response.headers.append("Content-Disposition", "attachment; filename=\"patients.csv\"")
        return .response(response)
    }

    private static func cells(_ entry: CaseloadEntry) -> [String] {
        let lead = entry.lead
        let number = { (value: Double?) in value.map { String($0) } ?? "" }
        return [
            entry.codename, entry.state.rawValue, entry.next?.text ?? "",
            lead?.series.questionnaire.key ?? "", lead?.series.scale.key ?? "",
            number(lead?.change.last.score.value), number(lead?.change.begin?.score.value),
            lead?.verdict?.rawValue ?? "", String(entry.asked.answered), String(entry.asked.asked),
            entry.lastSign?.text ?? "", entry.silentDays.map { String($0) } ?? "", String(entry.unseen),
        ]
    }
}

extension AuditAction {
    static let caseloadExported = AuditAction(name: "caseload.exported")
}
