import Database
import HTTP
import Identity
import Records
import Therapies
import Web
import Wording

/// A therapist's view of shared measurements (W6): a page, and bands along the time.
package enum SharedHealth {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/health", .caseloadReader, show)
    }

    package struct Show: Page {
        package static let template = "health/shared"
        package static let section: NavigationItem? = .patients

        let id: ID<Therapy>
        let codename: String
        /// Nil where nothing is shared.
        let view: HealthView?
        let healthStyles: String
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let view = try c.read { try shownView(c, $0) }
        return .page(
            Show(
                id: c.proof.patient.id, codename: c.proof.patient.codename, view: view,
                healthStyles: c.services.assets.alone("health")))
    }

    private static func shownView(
        _ c: Context<Caseload>, _ connection: borrowing Connection
    ) throws -> HealthView? {
        let therapy = c.proof.patient
        let shared = try SharedDays(in: therapy, connection)
        let shown = HealthChoice.measures.filter(shared.isShown)
        guard let first = shown.first,
            let account = try therapy.accountID.flatMap({ try AccountStore.find($0, connection) })
        else { return nil }
        var choice = HealthChoice(c.request.query, today: c.dates.today)
        if !shown.contains(choice.measure) {
            choice = HealthChoice(measure: first, span: choice.span, last: choice.last)
        }
        let visible = shared.stretch(of: choice.measure, from: choice.first, to: choice.last)
        let reader = HealthReader(
            account: account, key: try account.key(c.keys), texts: c.texts, dates: c.dates, choice: choice,
            path: "\(therapy.path)/health", now: c.now, isOwn: false, measures: shown,
            visible: visible)
        return try reader.view(connection)
    }
}
