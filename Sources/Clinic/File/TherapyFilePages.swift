import Foundation
import HTTP
import JSON
import Records
import Therapies
import Web
import Wire
import Wording

/// The file: a whole therapy on paper, and as JSON for the clinic's own record (PR-26). The owner's own: access is
/// `.caseloadOwner`: a cover, a second therapist or a supervisor opens none.
package enum TherapyFilePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/file", .caseloadOwner, show)
        routes.page(.get, "/patients/:patient/file/download", .caseloadOwner, download)
        routes.call(
            .get, "/patients/:patient/file", .caseloadOwner,
            .one(
                "The whole therapy for the clinic's own record; notes=true takes the therapist's own notes in",
                TherapyFile.self, query: ["notes"]), call)
    }

    /// What goes in is chosen first.
    package struct Choose: Page {
        package static let template = "file/choose"
        package static let section: NavigationItem? = .patients
        package let id: ID<Therapy>
        package let codename: String

        package static let example = Choose(
            id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480")
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let therapy = c.proof.patient
        guard c.request.query["make"] == "true" else {
            return .page(Choose(id: therapy.id, codename: therapy.codename))
        }
        // On a screen that others see nothing of the therapist's own words stands (PR-6).
        let file = try make(c, mayShowNotes: c.proof.mayName)
        let path = "/patients/\(therapy.id)/file"
        return .page(
            TherapyFileSheet.Show(
                TherapyFileSheet(file, c.texts, c.dates), back: path,
                download: path + "/download" + (file.withNotes ? "?notes=true" : "")))
    }

    @Sendable static func download(_ c: Context<Caseload>) throws -> Reply {
        try attached(try make(c))
    }

    @Sendable static func call(_ c: Context<Caseload>) throws -> Reply {
        try .data(One(id: c.proof.patient.id, try make(c)))
    }

    static func attached(_ file: TherapyFile) throws -> Reply {
        var response = Response(type: MediaType.json, try JSONWriter.bytes(of: file))
        response.headers.append(
            "Content-Disposition", "attachment; filename=\"\(file.codename).json\"")
        return .response(response)
    }

    /// - Throws: `Problem.invalid` for something else than true or false.
    private static func make(_ c: Context<Caseload>, mayShowNotes: Bool = true) throws -> TherapyFile {
        let fields = InputReader(form: c.request.query)
        let withNotes = (fields.bool("notes") ?? false) && mayShowNotes
        if !fields.errors.isEmpty { throw Problem.invalid(fields.errors) }
        let therapy = c.proof.patient
        let reader = TherapyFileReader(services: c.services, texts: c.texts, dates: c.dates, now: c.now)
        let file = try c.read { try reader.read(therapy, withNotes: withNotes, $0) }
        do {
            try c.write(.fileMade, about: therapy.id, object: withNotes ? "notes" : nil) { _ in }
        } catch let problem as Problem {
            throw problem
        } catch {
            // As with looking: a full disk must not keep anybody from their file.
            c.services.log.line("warning", "file made without a line in the log", at: c.now)
        }
        return file
    }
}

extension AuditAction {
    static let fileMade = AuditAction(name: "file.made")
}
