import Delivery
import HTTP
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// The clinic at a glance, for clinic leads: safety by therapist, outcome for the whole house (PR-22, PR-33).
package enum ClinicViewPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/clinic", .clinicLead, show)
        routes.call(
            .get, "/clinic", .clinicLead,
            .many("Safety counts of every therapist's running therapies", ClinicFigures.self), index)
        routes.call(
            .get, "/clinic/house", .clinicLead,
            .one("Figures of all running therapies of the house", ClinicHouse.self), house)
    }

    package struct Show: Page {
        package static let template = "clinic/show"
        package static let section: NavigationItem? = .clinic
        struct Row: Encodable, Sendable {
            let name: String
            let running: String
            let unseen: String
            let absence: String
            /// The form of a cover for it; nil where every day is covered.
            let path: String?
            let withoutSession: String
        }
        let rows: [Row]
        let unseenLabel: String
        let sessionLabel: String
        /// Nil below five running therapies.
        let house: House?
        let fewest: String

        struct House: Encodable, Sendable {
            let facts: [Fact]
        }
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let (all, house) = try c.read { connection in
            let therapies = try TherapyStore.running(connection)
            return (
                try TherapistFigures.all(therapies, c, connection),
                try HouseFigures(therapies, c, connection)
            )
        }
        let texts = c.texts
        let rows = all.map { figures in
            Show.Row(
                name: figures.name, running: String(figures.running), unseen: String(figures.unseen),
                absence: figures.gap.map { texts["clinic_view.from", ["day": c.dates.day($0.day)]] } ?? "–",
                path: figures.gap.map { gap in
                    let days = "from=\(gap.day.text)&until=\(gap.absence.endsOn.text)"
                    return "/clinic/covers/new?therapist=\(figures.therapist)&\(days)"
                },
                withoutSession: String(figures.withoutSession))
        }
        return .page(
            Show(
                rows: rows,
                unseenLabel: texts[
                    "clinic_view.unseen", ["n": String(TherapistFigures.unseenHours(c.services))]],
                sessionLabel: texts[
                    "clinic_view.without_session", ["n": String(TherapistFigures.sessionWeeks)]],
                house: house.running < HouseFigures.fewest ? nil : Show.House(facts: facts(house, texts)),
                fewest: texts["clinic_view.house_few", ["n": String(HouseFigures.fewest)]]))
    }

    private static func facts(_ house: HouseFigures, _ texts: Texts) -> [Fact] {
        [
            Fact(label: texts["clinic_view.running"], value: String(house.running)),
            Fact(
                label: texts["clinic_view.dailies"],
                value: texts.share(house.dailies.answered, of: house.dailies.delivered)),
            Fact(
                label: texts["clinic_view.assignments"],
                value: texts.share(house.assignments.answered, of: house.assignments.due)),
            Fact(label: texts["clinic_view.silent"], value: String(house.silent)),
            Fact(label: texts["clinic_view.worsened"], value: String(house.worsened)),
        ]
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let all = try c.read { try TherapistFigures.all(try TherapyStore.running($0), c, $0) }
        let (part, next) = paging.part(of: all) { Position(number: 0, $0.therapist.text) }
        let items = part.map { figures in
            Item(
                id: figures.therapist,
                ClinicFigures(
                    therapist: figures.name, running: figures.running, unseen: figures.unseen,
                    uncoveredFrom: figures.gap?.day, withoutSession: figures.withoutSession))
        }
        return try .data(Many(items, total: all.count, next: next))
    }

    @Sendable static func house(_ c: Context<Member>) throws -> Reply {
        let house = try c.read { try HouseFigures(try TherapyStore.running($0), c, $0) }
        let figures =
            house.running < HouseFigures.fewest
            ? nil
            : ClinicHouse.Figures(
                silent: house.silent, worsened: house.worsened,
                dailies: .init(answered: house.dailies.answered, of: house.dailies.delivered),
                assignments: .init(answered: house.assignments.answered, of: house.assignments.due))
        return try .data(
            One(id: c.proof.account.id, ClinicHouse(running: house.running, figures: figures)))
    }
}
