import Database
import Identity
import Records
import Scheduling
import Secrets
import Studies
import Web
import Wire
import Wording

/// A line of the log of allocations, for leads (ST-5).
struct StudyAllocation: Documented, Decodable {
    static let type = "study_allocation"

    /// A characteristic that allocation is balanced by; the site is there in any case.
    struct Level: Codable, Sendable, Equatable, Narrowed {
        var kind: String
        /// Of a score, as the scale.
        var questionnaireKey: String?
        var scale: String?
        /// Nil where it is not known: a stratum of its own. Of a score the number of its band, from 1.
        var value: String?

        static let narrowed: [String: Schema] = ["kind": .choice(StudyDesign.Stratum.kinds)]
    }

    /// In the order of the study; nil for those of before there was a log, which come first.
    var number: Int?
    /// Nil for participants of whom is told nothing any more.
    var codename: String?
    var arm: String
    var stratum: [Level]
    /// Nil where the codename is.
    var allocatedAt: Instant?
    /// The addresses of the leads of that moment, where the arm followed from all that came before; nil while telling it would tell
    /// which participants without a named site stand in one row, and for those of before there was a log.
    var knownBy: [String]?
    /// How surely it could be guessed by who knew all that came before, from 0 to 1; from here on nil until allocation is closed.
    var bestGuess: Double?
    /// The state of the hash (FNV-1a, hexadecimal) behind the name of the sequence, which goes on with the number of the block.
    var sequence: String?
    /// In the sequence, from 0.
    var place: Int?
    /// Hashes of the levels of the strata, in their order.
    var levels: [String]?

    static let narrowed: [String: Schema] = [:]
    static let example = StudyAllocation(
        number: 12, codename: "S482193", arm: "full",
        stratum: [Level(kind: "site", value: "Ulm"), Level(kind: "gender", value: "female")],
        allocatedAt: .example, knownBy: [])
}

/// Reads the log, for the page and the call alike.
struct AllocationLog {
    let stored: GroupStore.Stored
    let lines: [AllocationStore.Line]
    /// By the leads' accounts.
    private let addresses: [ID<Account>: String]

    /// - Throws: `Problem.notFound` without groups.
    init(_ c: Context<StudyLead>, _ connection: borrowing Connection) throws {
        let study = c.proof.study.id
        guard let stored = try GroupStore.find(study, connection) else { throw Problem.notFound }
        self.stored = stored
        lines = try AllocationStore.all(in: study, connection)
        var addresses: [ID<Account>: String] = [:]
        for lead in Set(lines.flatMap(\.leads)) {
            addresses[lead] = try AccountStore.find(lead, connection)?.email(c.keys)
        }
        self.addresses = addresses
    }

    private var isClosed: Bool { stored.closedAt != nil }

    /// A row of participants without a named site cannot be told from another one, and what follows in it would tell.
    private func isTold(_ line: AllocationStore.Line) -> Bool {
        line.draw != nil && (isClosed || stored.groups.allocation != .randomised || line.site != nil)
    }

    func wire(_ line: AllocationStore.Line) -> StudyAllocation {
        var stratum = [StudyAllocation.Level(kind: "site", value: line.site)]
        if stored.groups.strata.contains(.gender) {
            stratum.append(.init(kind: "gender", value: line.gender?.rawValue))
        }
        for one in line.draw.map(stored.groups.scoreLevels) ?? [] {
            stratum.append(
                .init(
                    kind: "score", questionnaireKey: one.bands.key, scale: one.bands.scale,
                    value: ScoreBands.band(ofLevel: one.level).map { String($0) }))
        }
        var wire = StudyAllocation(
            number: line.number, codename: line.codename, arm: line.arm.rawValue, stratum: stratum,
            allocatedAt: line.at, knownBy: isTold(line) ? line.leads.compactMap { addresses[$0] } : nil)
        guard isClosed, let draw = line.draw else { return wire }
        wire.bestGuess = Double(draw.guess) / 1000
        wire.sequence = Self.hexadecimal(Schedule.seed(draw.sequence, ""))
        wire.place = draw.place
        wire.levels = draw.levels.map { Self.hexadecimal(Schedule.seed($0)) }
        return wire
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        hexadecimalDigits(withUnsafeBytes(of: number.bigEndian) { Array($0) })
    }
}
