import Accounts
import Contributions
import Database
import Identity
import Records
import Rules
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// What waits of the patients of colleagues for whom the reader stands in today (PR-30): a section for each colleague.
struct StandIn: Encodable, Sendable {
    struct Visit: Encodable, Sendable {
        let time: String
        let path: String
        let codename: String
        let alias: String?
    }
    struct News: Encodable, Sendable {
        let when: String
        let path: String
        let codename: String
        let alias: String?
        let text: String
    }
    struct Alarm: Encodable, Sendable {
        let id: ID<Alert>
        let grade: String
        let tone: String
        let path: String
        let codename: String
        let alias: String?
        let title: String
        let reason: String
    }
    /// The anchor of its heading.
    let anchor: String
    let title: String
    let sessions: [Visit]
    let news: [News]
    let alerts: [Alarm]
    let hasNothing: Bool
    /// The files that it shows data of.
    let files: [ID<Therapy>]
    /// The same for phones.
    let wire: Today.StandIn

    private enum CodingKeys: CodingKey { case anchor, title, sessions, news, alerts, hasNothing }

    private static let most = 20
    /// The days of news for a reader who has never opened the file.
    private static let newsDays: Int64 = 14

    /// - Parameter shared: the files shared with the reader now.
    /// - Parameter bundles: the alerts that wait for the reader.
    static func all(
        _ shared: [SharedTherapy], alerts bundles: [AlertBundle], _ c: Context<Member>,
        _ connection: borrowing Connection
    ) throws -> [StandIn] {
        let covered = shared.filter { !$0.standing.grounds.isDisjoint(with: [.coverAct, .coverRead]) }
        if covered.isEmpty { return [] }
        let looks = try FileLookStore.all(of: c.proof.account.id, connection)
        let byTherapist = Dictionary(grouping: covered, by: \.therapy.therapistID)
        return try byTherapist.map { therapist, files in
            let name = try TherapistStore.name(of: therapist, c.keys, connection)
            let until = files.compactMap(\.until).max() ?? c.now
            let sessions = try visits(of: therapist, files, c, connection)
            let news = try news(files, since: looks, c, connection)
            let alerts = try alerts(files, bundles, c)
            return (
                name,
                StandIn(
                    anchor: "stand-in-\(therapist)",
                    title: c.texts[
                        "today.stand_in",
                        ["name": name, "day": c.dates.plainDay(until.adding(seconds: -1))]],
                    sessions: sessions.map(\.visit), news: news.map(\.news), alerts: alerts.map(\.alarm),
                    hasNothing: sessions.isEmpty && news.isEmpty && alerts.isEmpty,
                    files: sessions.map(\.id) + news.map(\.id) + alerts.map(\.id),
                    wire: Today.StandIn(
                        therapist: name, until: until, sessions: sessions.map(\.wire), news: news.map(\.wire))
                )
            )
        }.sorted(byName: \.0, then: \.1.anchor).map(\.1)
    }

    /// The day's sessions that take place, or took place.
    private static func visits(
        of therapist: ID<Account>, _ files: [SharedTherapy], _ c: Context<Member>,
        _ connection: borrowing Connection
    ) throws -> [(id: ID<Therapy>, visit: Visit, wire: Today.Visit)] {
        let zone = c.dates.zone
        let from = zone.instant(c.dates.today, hour: 0, minute: 0)
        let until = zone.instant(c.dates.today.adding(days: 1), hour: 0, minute: 0)
        let byID = Dictionary(uniqueKeysWithValues: files.map { ($0.therapy.id, $0) })
        let all = try SessionStore.all(ofTherapist: therapist, from: from, until: until, connection)
        var rows: [(id: ID<Therapy>, visit: Visit, wire: Today.Visit)] = []
        for (id, sessions) in all {
            guard let file = byID[id] else { continue }
            let name = try file.name(for: c.proof.account, c.keys)
            for session in sessions where from <= session.startsAt && session.startsAt < until {
                guard [.planned, .held].contains(session.state(at: c.now)) else { continue }
                let visit = Visit(
                    time: c.dates.time(session.startsAt), path: "\(file.therapy.path)/briefing",
                    codename: name.codename, alias: name.alias)
                let wire = Today.Visit(
                    sessionID: session.id.text, patientID: id.text, codename: name.codename,
                    alias: name.alias, startsAt: session.startsAt, summary: [])
                rows.append((id, visit, wire))
            }
        }
        return rows.sorted { ($0.wire.startsAt, $0.id) < ($1.wire.startsAt, $1.id) }
    }

    /// What came in since the reader's last look, the newest first.
    private static func news(
        _ files: [SharedTherapy], since looks: [ID<Therapy>: Instant], _ c: Context<Member>,
        _ connection: borrowing Connection
    ) throws -> [(id: ID<Therapy>, news: News, wire: Today.News)] {
        let recent = files.compactMap { file -> (file: SharedTherapy, at: Instant, since: Instant)? in
            let since = looks[file.therapy.id] ?? c.now.adding(days: -newsDays)
            guard let at = file.therapy.lastActivityAt, at > since else { return nil }
            return (file, at, since)
        }
        return try recent.sorted { ($1.at, $0.file.therapy.id) < ($0.at, $1.file.therapy.id) }.prefix(most)
            .map { file, at, since in
                let count = try ContributionStore.count(
                    inTherapy: file.therapy.id, since: since, connection)
                let name = try file.name(for: c.proof.account, c.keys)
                let text =
                    count == 0 ? c.texts["today.stand_in_dailies"] : c.texts.count("today.news", count)
                let news = News(
                    when: c.dates.short(at), path: "\(file.therapy.path)/timeline",
                    codename: name.codename, alias: name.alias, text: text)
                let wire = Today.News(
                    patientID: file.therapy.id.text, codename: name.codename, alias: name.alias, lines: [text]
                )
                return (file.therapy.id, news, wire)
            }
    }

    private static func alerts(
        _ files: [SharedTherapy], _ bundles: [AlertBundle], _ c: Context<Member>
    ) throws -> [(id: ID<Therapy>, alarm: Alarm)] {
        let byID = Dictionary(uniqueKeysWithValues: files.map { ($0.therapy.id, $0) })
        return try bundles.compactMap { bundle in
            let id = bundle.newest.firing.therapyID
            guard let file = byID[id] else { return nil }
            let name = try file.name(for: c.proof.account, c.keys)
            let alarm = Alarm(
                id: bundle.newest.id, grade: bundle.grade.words(c.texts), tone: bundle.grade.tone,
                path: file.therapy.path, codename: name.codename, alias: name.alias,
                title: bundle.alert.title, reason: bundle.alert.reason)
            return (id, alarm)
        }
    }
}
