import HTTP
import Instruments
import Studies
import Web
import Wire
import Wording

/// The log of allocations (ST-5).
enum AllocationAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/studies/:study/allocations", .studyLead,
            .many(
                "Who came into which arm, by what, and who could have known; rule and seed stand with the groups",
                StudyAllocation.self), index)
    }

    @Sendable static func index(_ c: Context<StudyLead>) throws -> Reply {
        let paging = try Paging(c.request)
        let study = c.proof.study.id
        let log = try c.read { try AllocationLog(c, $0) }
        let items = log.lines.map { line in
            Item(
                id: DerivedID.of("allocation", study, line.number.map { String($0) } ?? line.codename ?? ""),
                log.wire(line))
        }
        return try .data(paging.part(of: items))
    }
}

/// The same as a page.
package enum AllocationPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/studies/:study/allocations", .studyLead, show)
    }

    package struct Show: Page {
        package static let template = "studies/allocations"
        package static let section: NavigationItem? = .studies
        package struct Row: Encodable, Sendable {
            package let number: String
            package let codename: String
            /// Nil for participants of whom is told nothing any more.
            package let path: String?
            package let arm: String
            package let stratum: String
            package let at: String
            package let known: String
        }
        package let head: StudyHead
        package let rows: [Row]
        package let next: String?
        package let commitment: String?
        /// Rule, seed and salt as they were committed to; nil before the end of allocation.
        package let rule: String?
        package let isOpen: Bool
    }

    @Sendable static func show(_ c: Context<StudyLead>) throws -> Reply {
        let paging = try Paging(c.request)
        let cache = c.services.questionnaires
        let (log, scales) = try c.read { connection in
            (
                try AllocationLog(c, connection),
                try StudyScale.all(in: c.proof.study.id, c.language, cache, connection)
            )
        }
        let stored = log.stored
        let words = ArmWords(stored.groups.arms, in: c.languages, c.texts)
        let all = Array(log.lines.enumerated())
        let (part, next) = paging.part(of: all, .earliestFirst) {
            Position(number: Int64($0.offset), String($0.offset))
        }
        let rows = part.map { _, line in row(line, as: log.wire(line), words, of: scales, c) }
        let isClosed = stored.closedAt != nil
        return .page(
            Show(
                head: StudyHead.make(c, tab: .groups), rows: rows, next: next, commitment: stored.commitment,
                rule: isClosed ? stored.groups.rule(seed: stored.seed, salt: stored.salt ?? []) : nil,
                isOpen: !isClosed))
    }

    private static func row(
        _ line: AllocationStore.Line, as wire: StudyAllocation, _ words: ArmWords, of scales: [StudyScale],
        _ c: Context<StudyLead>
    ) -> Show.Row {
        let texts = c.texts
        let stratum = wire.stratum.map { level in
            switch level.kind {
            case "site": level.value ?? texts["studies.no_site"]
            case "gender": texts["studies.gender_\(level.value ?? "unknown")"]
            default:
                texts[
                    level.value == nil ? "studies.log_band_unknown" : "studies.log_band",
                    ["scale": name(of: level, scales), "n": level.value ?? ""]]
            }
        }
        let known = wire.knownBy.map { $0.isEmpty ? texts["studies.log_nobody"] : $0.joined(separator: ", ") }
        let guess = wire.bestGuess.map {
            texts["studies.log_guess", ["n": String(Int(($0 * 100).rounded()))]]
        }
        let whether = known ?? texts[line.draw == nil ? "studies.log_unknown" : "studies.log_later"]
        return Show.Row(
            number: line.number.map { String($0) } ?? "–",
            codename: line.codename ?? texts["studies.log_gone"],
            path: line.codename.map { "\(c.proof.study.path)/participants/\($0)" },
            arm: words.name(line.arm), stratum: stratum.joined(separator: " · "),
            at: line.at.map { c.dates.dayAndTime($0) } ?? "–",
            known: [whether, guess].compactMap(\.self).joined(separator: " · "))
    }

    /// As it is called now; by its key where no questionnaire of the study has it any more.
    private static func name(of level: StudyAllocation.Level, _ scales: [StudyScale]) -> String {
        scales.first { $0.key == level.questionnaireKey && $0.scale == level.scale }?.title ?? level.scale
            ?? ""
    }
}
