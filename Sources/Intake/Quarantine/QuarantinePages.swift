import HTTP
import Records
import Therapies
import Web
import Wording

/// Refused sheets of a patient that wait for a decision.
package enum QuarantinePages {
    package static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/quarantine", .caseloadReader, index)
        routes.page(.post, "/patients/:patient/quarantine/:sheet/admission", .caseload, admit)
        routes.page(.post, "/patients/:patient/quarantine/:sheet/discard", .caseload, discard)
        routes.page(.post, "/patients/:patient/quarantine/:sheet/return", .caseload, bringBack)
    }

    package struct Index: Page {
        package static let template = "contributions/quarantine"
        package static let section: NavigationItem? = .patients
        package let patient: ID<Therapy>
        package let codename: String
        package let held: HeldList
    }

    @Sendable package static func index(_ c: Context<Caseload>) throws -> Reply {
        let therapy = c.proof.patient
        let held = try HeldList.read(
            at: .therapy(therapy.id), path: path(c), canAct: c.proof.standing.mayAct, c
        ) { try Admission.read($0, therapy, c.services, $1) }
        return .page(Index(patient: therapy.id, codename: therapy.codename, held: held))
    }

    @Sendable static func admit(_ c: Context<Caseload>) throws -> Reply {
        try QuarantineAPI.find(c).admit(c)
        return back("quarantine.admitted", c)
    }

    @Sendable static func discard(_ c: Context<Caseload>) throws -> Reply {
        let id = try QuarantineAPI.find(c).record.id
        try Admission.discard(id, c)
        return back("quarantine.discarded", undo: "\(path(c))/\(id)/return", c)
    }

    @Sendable static func bringBack(_ c: Context<Caseload>) throws -> Reply {
        try Admission.bringBack(try c.id("sheet"), c)
        return back("quarantine.returned", c)
    }

    private static func back(_ flash: String, undo: String? = nil, _ c: Context<Caseload>) -> Reply {
        .seeOther(path(c), flash: Message(flash), undo: undo)
    }

    private static func path(_ c: Context<Caseload>) -> String {
        "\(c.proof.patient.path)/quarantine"
    }
}
