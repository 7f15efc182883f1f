import Therapies
import Web
import Wording

/// The table of standings in words, for pages and for `docs/standings.md` (PR-32).
package struct StandingsTable: Encodable, Sendable {
    struct Cell: Encodable, Sendable {
        let right: String
        let extent: String
        let isNever: Bool
    }
    struct Row: Encodable, Sendable {
        let standing: String
        let cells: [Cell]
    }
    let rights: [String]
    let rows: [Row]

    init(_ texts: Texts) {
        let rights = StandingRight.allCases.map { texts["standings.right_\($0.rawValue)"] }
        self.rights = rights
        rows = Standing.allCases.map { standing in
            Row(
                standing: texts["standings.as_\(standing.rawValue)"],
                cells: zip(StandingRight.allCases, rights).map { right, name in
                    let extent = standing.extent(of: right)
                    return Cell(
                        right: name, extent: texts["standings.extent_\(extent.rawValue)"],
                        isNever: extent == .never)
                })
        }
    }

    /// The document. Rights of several standings in one file are joined, so no row speaks of them.
    package static func document(_ texts: Texts) -> String {
        let table = StandingsTable(texts)
        let line = { (cells: [String]) in "| " + cells.joined(separator: " | ") + " |\n" }
        let rule = { (count: Int) in "|" + String(repeating: "---|", count: count) + "\n" }
        var text = """
            # Standings in a patient's file

            Written by `intersession standings` from the table in the code (`Therapies/Access/Standings.swift`): do not edit.
            An account with several standings in one file has the rights of all of them. The rights of a standing end with it,
            at once, although others remain. "Where shared" is a tick of the therapist: `shares_words` of a member,
            `shares_alias` of a cover. The owner reads and edits the emergency contact directly.


            """
        text += line([texts["standings.standing"]] + table.rights) + rule(table.rights.count + 1)
        for row in table.rows { text += line([row.standing] + row.cells.map(\.extent)) }
        text += "\n## Access rules\n\n" + line(["Rule of a route", texts["standings.right"]]) + rule(2)
        for entry in StandingRight.rules {
            text += line(["`\(entry.rule.rawValue)`", texts["standings.right_\(entry.right.rawValue)"]])
        }
        return text
    }
}
