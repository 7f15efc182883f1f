import Accounts
import Delivery
import HTTP
import Identity
import Instruments
import Records
import Templates
import Therapies
import Web
import Wire
import Wording

/// A therapist's pages: making a link to an assignment, and handing the device over in the waiting room.
package enum LinkMakingPages {
    private static let path = "/patients/:patient/assignments/:assignment"

    static func routes(_ routes: inout Routes) {
        routes.page(.get, path + "/link", .caseload) { c in .page(try page(c)) }
        routes.page(.post, path + "/link", .caseload, make)
        routes.page(.post, path + "/link/removal", .caseload, remove)
        routes.page(.get, path + "/tablet", .caseload, explain)
        routes.page(.post, path + "/tablet", .caseload, handOver)
        routes.call(
            .post, path + "/link", .caseload,
            .one(
                "Make a link that opens one assignment; the one before works no more", AssignmentLink.self,
                status: 201),
            create)
        routes.call(
            .delete, path + "/link", .caseload, .nothing("End the link to an assignment"), destroy)
    }

    package struct Show: Page {
        package static let template = "q/link"
        package static let section: NavigationItem? = .patients
        package let patient: ID<Therapy>
        package let codename: String
        package let title: String
        package let path: String
        /// The link, shown once.
        package let address: String?
        let picture: HTML?
        /// The end of the present one; nil without one.
        package let until: String?
        /// Why there is none.
        package let obstacle: String?
    }

    package struct Tablet: Page {
        package static let template = "q/tablet"
        package static let section: NavigationItem? = .patients
        package let patient: ID<Therapy>
        package let codename: String
        package let title: String
        package let path: String
        package let obstacle: String?
    }

    private static func page(_ c: Context<Caseload>, made: AssignmentLinks.Made? = nil) throws -> Show {
        let record = try AssignmentLinks.assignment(c)
        let live = try c.read { try AssignmentLinkStore.live(of: record.id, at: c.now, $0) }
        let address = made.map { c.services.origin + $0.path }
        return Show(
            patient: c.proof.patient.id, codename: c.proof.patient.codename, title: try title(record, c),
            path: "\(c.proof.patient.path)/assignments/\(record.id)", address: address,
            picture: address.flatMap { QRCode.svg($0, title: c.texts["link.qr"]) },
            until: live.map { c.texts["link.until", ["when": c.dates.short($0.expiresAt)]] },
            obstacle: try AssignmentLinks.obstacle(record, c).map { c.texts[$0] })
    }

    private static func title(_ record: AssignmentRecord, _ c: Context<Caseload>) throws -> String {
        let cache = c.services.questionnaires
        let found = try c.read { try QuestionnaireStore.find(record.questionnaireID, cache, $0) }
        return found?.title(c.languages) ?? ""
    }

    /// The link is in this answer and nowhere else: only its hash is stored.
    @Sendable private static func make(_ c: Context<Caseload>) throws -> Reply {
        .page(try page(c, made: try AssignmentLinks.make(c)))
    }

    @Sendable private static func remove(_ c: Context<Caseload>) throws -> Reply {
        try AssignmentLinks.end(c)
        let id: ID<Assignment> = try c.id("assignment")
        let path = "\(c.proof.patient.path)/assignments/\(id)/link"
        return .seeOther(path, flash: Message("link.removed"))
    }

    // MARK: The waiting room

    @Sendable private static func explain(_ c: Context<Caseload>) throws -> Reply {
        let record = try AssignmentLinks.assignment(c)
        return .page(
            Tablet(
                patient: c.proof.patient.id, codename: c.proof.patient.codename, title: try title(record, c),
                path: "\(c.proof.patient.path)/assignments/\(record.id)",
                obstacle: try AssignmentLinks.obstacle(record, c).map { c.texts[$0] }))
    }

    /// The session of staff ends before the device is handed over.
    @Sendable private static func handOver(_ c: Context<Caseload>) throws -> Reply {
        let made = try AssignmentLinks.make(c)
        if let person = c.actor.anybody {
            try c.write(.signedOut, about: person.account.id) { connection in
                try CredentialStore.endCredential(person.credential.id, of: person.account.id, connection)
            }
        }
        return try LoginPages.out(to: made.path, c)
    }

    // MARK: Calls

    @Sendable private static func create(_ c: Context<Caseload>) throws -> Reply {
        let made = try AssignmentLinks.make(c)
        let link = AssignmentLink(url: c.services.origin + made.path, expiresAt: made.expiresAt)
        return try .data(One(link), status: 201)
    }

    @Sendable private static func destroy(_ c: Context<Caseload>) throws -> Reply {
        try AssignmentLinks.end(c)
        return .response(.noContent)
    }
}
