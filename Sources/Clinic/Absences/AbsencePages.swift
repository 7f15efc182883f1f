import Accounts
import Database
import HTTP
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Absences on the page of covers: absence and cover are one form (PR-30).
enum AbsencePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.post, "/absences/:absence/removal", .therapist, remove)
        routes.page(.post, "/absences/:absence/choice", .therapist, choose)
        routes.page(
            .post, "/absences/:absence/cancellation", .therapist, undo: .absenceSessions, callOff)
    }

    @Sendable static func remove(_ c: Context<Member>) throws -> Reply {
        try AbsenceActions.remove(try c.id("absence"), c)
        return .seeOther("/covers", flash: Message("absences.removed"))
    }

    /// Chooses to be away without cover.
    @Sendable static func choose(_ c: Context<Member>) throws -> Reply {
        let seen = try AbsenceActions.find(c)
        let draft = AbsenceDraft(
            from: seen.startsOn, until: seen.endsOn, cover: nil, isWithoutCover: true)
        try AbsenceActions.update(seen, to: draft, c)
        return .seeOther("/covers", flash: Message("absences.chosen_without"))
    }

    @Sendable static func callOff(_ c: Context<Member>) throws -> Reply {
        let count = try AbsenceSessions.callOff(try AbsenceActions.find(c), c)
        return .seeOther(
            "/covers",
            flash: count == 0
                ? Message("absences.none_planned")
                : Message("absences.called_off", ["n": String(count)]))
    }

    // MARK: The list

    struct Row: Encodable, Sendable {
        let id: ID<AbsenceRecord>
        let title: String
        /// From when patients have no cover, that it was chosen so, or the cover's name.
        let facts: String
        let tone: String
        /// Fills the form with its days; nil where every day is covered.
        let coverPath: String?
        let canChoose: Bool
        let planned: [Planned]
        let callOff: String?
    }
    struct Planned: Encodable, Sendable {
        let when: String
        let path: String
        let codename: String
        let alias: String?
    }

    static func rows(_ c: Context<Member>, _ connection: borrowing Connection) throws -> [Row] {
        let reader = c.proof.account
        return try AbsenceStore.all(of: reader.id, notOverOn: c.dates.today, connection).map { absence in
            let gap = try AbsenceStore.gap(in: absence, today: c.dates.today, connection)
            let planned = try AbsenceSessions.planned(
                in: absence, Zone(c.services.timezone), at: c.now, connection)
            let facts =
                gap.map { AbsenceLine.words($0, c) }
                ?? c.texts[absence.isWithoutCover ? "absences.chosen" : "absences.covered"]
            return Row(
                id: absence.id,
                title: c.texts[
                    "covers.days",
                    ["from": c.dates.day(absence.startsOn), "until": c.dates.day(absence.endsOn)]],
                facts: facts, tone: gap == nil ? "plain" : "warn",
                coverPath: gap == nil && !absence.isWithoutCover
                    ? nil : "/covers?from=\(absence.startsOn.text)&until=\(absence.endsOn.text)",
                canChoose: gap != nil && absence.coverID == nil,
                planned: try planned.map { entry in
                    let name = try entry.therapy.name(for: reader, c.keys)
                    return Planned(
                        when: c.dates.dayAndTime(entry.session.startsAt),
                        path: "\(entry.therapy.path)/appointments", codename: name.codename,
                        alias: name.alias)
                },
                callOff: planned.isEmpty ? nil : c.texts.count("absences.call_off", planned.count))
        }
    }
}

/// The line on Today about an absence without cover.
struct AbsenceLine: Encodable, Sendable {
    let text: String
    let path: String

    /// The earliest absence with a day that is not covered; nil without one.
    static func read(_ c: Context<Member>, _ connection: borrowing Connection) throws -> AbsenceLine? {
        let today = c.dates.today
        for absence in try AbsenceStore.all(of: c.proof.account.id, notOverOn: today, connection) {
            guard let gap = try AbsenceStore.gap(in: absence, today: today, connection) else { continue }
            return AbsenceLine(
                text: words(gap, c),
                path: "/covers?from=\(absence.startsOn.text)&until=\(absence.endsOn.text)")
        }
        return nil
    }

    static func words(_ gap: CoverGap, _ c: Context<Member>) -> String {
        let values = [
            "day": c.dates.plainDay(c.dates.zone.instant(gap.day, hour: 12, minute: 0)),
            "n": String(gap.count), "of": String(gap.of),
        ]
        return c.texts[gap.count == gap.of ? "absences.uncovered" : "absences.uncovered_some", values]
    }
}
