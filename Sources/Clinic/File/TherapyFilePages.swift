import HTTP
import JSON
import Records
import Therapies
import Web
import Wire
import Wording

/// The file: a whole therapy on paper, and as JSON for the clinic's own record (PR-26). For the first therapist only
/// (`.caseloadOwner`): a cover, a second therapist or a supervisor opens none.
package enum TherapyFilePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/file", .caseloadOwner, show)
        routes.page(.get, "/patients/:patient/file/download", .caseloadOwner, download)
        routes.call(
            .get, "/patients/:patient/file", .caseloadOwner,
            .one(
                "The whole therapy for the clinic's own record; notes=true takes the therapist's own notes in, dailies=false only sums the daily prompts by week",
                TherapyFile.self, query: ["notes", "dailies"]), call)
    }

    /// The content is chosen first.
    package struct Choose: Page {
        package static let template = "file/choose"
        package static let section: NavigationItem? = .patients
        package let id: ID<Therapy>
        package let codename: String
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let therapy = c.proof.patient
        guard c.request.query["make"] == "true" else {
            return .page(Choose(id: therapy.id, codename: therapy.codename))
        }
        // While names are hidden, the therapist's private words are left out (PR-6).
        let file = try make(c, mayShowNotes: c.proof.mayName)
        let path = "\(therapy.path)/file"
        let chosen = [("notes", file.withNotes), ("dailies", file.withDailies ?? false)].filter(\.1).map {
            "\($0.0)=true"
        }.joined(separator: "&")
        return .page(
            TherapyFileView.Show(
                TherapyFileView(file, c.texts, c.dates), back: path,
                download: path + "/download" + (chosen.isEmpty ? "" : "?\(chosen)")))
    }

    @Sendable static func download(_ c: Context<Caseload>) throws -> Reply {
        try attached(try make(c))
    }

    @Sendable static func call(_ c: Context<Caseload>) throws -> Reply {
        try .data(One(id: c.proof.patient.id, try make(c, dailies: true)))
    }

    static func attached(_ file: TherapyFile) throws -> Reply {
        var response = Response(type: MediaType.json, try JSONWriter.bytes(of: file))
        response.headers.append(
            "Content-Disposition", "attachment; filename=\"\(file.codename).json\"")
        return .response(response)
    }

    /// - Parameter dailies: whether the daily prompts come one by one where the request does not say: clients get what they always got.
    /// - Throws: `Problem.invalid` for anything but true or false.
    private static func make(
        _ c: Context<Caseload>, mayShowNotes: Bool = true, dailies: Bool = false
    ) throws -> TherapyFile {
        let fields = InputReader(form: c.request.query)
        let withNotes = (fields.bool("notes") ?? false) && mayShowNotes
        let withDailies = fields.bool("dailies") ?? dailies
        if !fields.errors.isEmpty { throw Problem.invalid(fields.errors) }
        let therapy = c.proof.patient
        let reader = TherapyFileReader(services: c.services, texts: c.texts, dates: c.dates, now: c.now)
        let file = try c.read { try reader.read(therapy, withNotes: withNotes, withDailies: withDailies, $0) }
        do {
            try c.write(.fileMade, about: therapy.id, object: withNotes ? "notes" : nil) { _ in }
        } catch let problem as Problem {
            throw problem
        } catch {
            // As with visits: a full disk must not keep therapists from a file.
            c.services.log.line("warning", "file made without a line in the log", at: c.now)
        }
        return file
    }
}

extension AuditAction {
    static let fileMade = AuditAction(name: "file.made")
}
