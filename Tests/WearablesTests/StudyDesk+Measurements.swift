import HTTP
import Scheduling
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

extension StudyDesk {
    /// What a phone counted on a day of Pia's.
    func day(
        _ type: String, _ date: LocalDate, _ source: String, total: Double, until: Instant? = nil
    ) {
        let after = Zone("Europe/Vienna").instant(date.adding(days: 1), hour: 0, minute: 0)
        let body = """
            {"source": "\(source)", "zone": "Europe/Vienna", "series": [[0, 60, 70]], "total": \(total),
             "complete_until": "\((until ?? min(after, portal.now)).text)"}
            """
        let answer = portal.call(.put, "/my/measurement-days/\(type)/\(date.text)", body, as: .pia)
        #expect(answer.status == 201, "\(answer.text)")
    }

    /// The rows of a table of a study's export, without its head.
    func rows(_ study: String, _ format: String) throws -> [[String]] {
        let lines = try text(study, format).split(whereSeparator: \.isNewline).dropFirst()
        return lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }
}
