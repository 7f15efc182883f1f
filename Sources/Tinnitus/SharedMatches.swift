import Database
import HTTP
import Identity
import Psychometrics
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// A therapist's view of matching, where the patient shares it: the same as the patient's, in words and runs, and a
/// band along the time. Nothing by default.
package enum SharedMatches {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/tinnitus", .caseloadReader, show)
        routes.call(
            .get, "/patients/:patient/tinnitus-matches", .caseloadReader,
            .many(
                "The runs of matching that a patient shows; none where they show none", TinnitusMatch.self),
            index)
    }

    package struct Show: Page {
        package static let template = "tinnitus/shared"
        package static let section: NavigationItem? = .patients

        let id: ID<Therapy>
        let codename: String
        /// Nil where the person shares none.
        let matches: MatchesView?
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let therapy = c.proof.patient
        let (records, key) = try c.read { try shown(in: therapy, c.keys, $0) }
        let matches = try key.map { try MatchesView(records, $0, c.texts, c.dates) }
        return .page(Show(id: therapy.id, codename: therapy.codename, matches: matches))
    }

    @Sendable static func index(_ c: Context<Caseload>) throws -> Reply {
        let (records, key) = try c.read { try shown(in: c.proof.patient, c.keys, $0) }
        return try MatchAPI.list(records, key, c.request)
    }

    /// The shared runs, the newest first, and the key to open them: nil where nothing is shared.
    private static func shown(
        in therapy: Therapy, _ keys: Keyring, _ connection: borrowing Connection
    ) throws -> ([MatchRecord], PersonKey?) {
        guard let account = try therapy.accountID.flatMap({ try AccountStore.find($0, connection) }),
            let stretch = try OwnSharing.stretch(of: .tinnitus, in: therapy, connection)
        else { return ([], nil) }
        return (try records(of: account.id, in: stretch, connection), try account.key(keys))
    }

    private static func records(
        of account: ID<Account>, in stretch: Range<Instant>, _ connection: borrowing Connection
    ) throws -> [MatchRecord] {
        try MatchStore.all(of: account, connection).filter { stretch.contains($0.matchedAt) }
    }

    @Sendable static func bands(
        _ request: BandRequest, _ connection: borrowing Connection
    ) throws -> [SharedBand] {
        guard let therapy = try TherapyStore.find(ID(request.therapy.text), connection),
            let account = therapy.accountID,
            let stretch = try OwnSharing.stretch(of: .tinnitus, in: therapy, connection)
        else { return [] }
        let records = try records(of: account, in: stretch, connection)
            .filter { $0.matchedAt >= request.from && $0.matchedAt < request.until }
        return [
            SharedBand(
                name: request.texts["tinnitus.band"], summary: summary(records, request.texts),
                marks: marks(records, request.dates.zone), page: "\(therapy.path)/tinnitus")
        ]
    }

    private static func summary(_ records: [MatchRecord], _ texts: Texts) -> String {
        let found = MatchSummary(records.map(\.frequencyHz))
        let count = texts.count("tinnitus.runs", found.runs)
        guard let quartiles = found.quartiles, found.runs > 1 else { return count }
        return texts[
            "tinnitus.band_summary",
            ["runs": count, "hz": MatchesView.rounded(quartiles.median, texts)]]
    }

    /// One for each day with runs; five, the recommended number, and more are the whole height.
    private static func marks(_ records: [MatchRecord], _ zone: Zone) -> [SharedBand.Mark] {
        let byDay = Dictionary(grouping: records) { LocalTime($0.matchedAt, zone).date }
        return byDay.keys.sorted().map { day in
            let begin = zone.instant(day, hour: 0, minute: 0)
            let runs = Double(byDay[day]?.count ?? 0)
            return SharedBand.Mark(
                from: begin, until: begin.adding(days: 1),
                height: min(1, runs / Double(MatchesView.proposed)))
        }
    }
}
