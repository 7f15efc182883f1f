import HTTP
import Identity
import Records
import Responses
import Web
import Wire
import Wording

/// The clinic at a glance, for whoever leads it.
package enum ClinicViewPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/clinic", .clinicLead, show)
        routes.call(
            .get, "/clinic", .clinicLead,
            .many("Figures of every therapist's running therapies", ClinicFigures.self), index)
    }

    package struct Show: Page {
        package static let template = "clinic/show"
        package static let section: NavigationItem? = .clinic
        struct Row: Encodable, Sendable {
            let name: String
            let running: String
            let dailies: String
            let assignments: String
            let silent: String
            let worsened: String
        }
        let rows: [Row]
        let sum: Row?

        package static let example = Show(
            rows: [
                Row(
                    name: "Dr. Ada Lindner", running: "14", dailies: "71 % (720 von 1014)",
                    assignments: "88 % (44 von 50)", silent: "2", worsened: "1")
            ],
            sum: Row(
                name: "Gesamt", running: "14", dailies: "71 % (720 von 1014)",
                assignments: "88 % (44 von 50)", silent: "2", worsened: "1"))
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let all = try c.read { try TherapistFigures.all(c, $0) }
        let row = { (figures: TherapistFigures, name: String) in
            Show.Row(
                name: name, running: String(figures.running),
                dailies: c.texts.share(figures.dailies.answered, of: figures.dailies.delivered),
                assignments: c.texts.share(figures.assignments.answered, of: figures.assignments.due),
                silent: String(figures.silent), worsened: String(figures.worsened))
        }
        var sum = TherapistFigures(therapist: "", name: "")
        for figures in all {
            sum.running += figures.running
            sum.silent += figures.silent
            sum.worsened += figures.worsened
            sum.dailies.answered += figures.dailies.answered
            sum.dailies.delivered += figures.dailies.delivered
            sum.assignments.answered += figures.assignments.answered
            sum.assignments.due += figures.assignments.due
        }
        return .page(
            Show(
                rows: all.map { row($0, $0.name) },
                sum: all.count > 1 ? row(sum, c.texts["clinic_view.sum"]) : nil))
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let all = try c.read { try TherapistFigures.all(c, $0) }
        let (part, next) = paging.part(of: all) { Position(number: 0, $0.therapist.text) }
        let items = part.map { figures in
            Item(
                id: figures.therapist,
                ClinicFigures(
                    therapist: figures.name, running: figures.running, silent: figures.silent,
                    worsened: figures.worsened,
                    dailies: .init(answered: figures.dailies.answered, of: figures.dailies.delivered),
                    assignments: .init(
                        answered: figures.assignments.answered, of: figures.assignments.due)))
        }
        return try .data(Many(items, total: all.count, next: next))
    }
}
