import Database
import Dispatch
import Foundation
import HTTP
import Wire

/// Exports of a study, as a page and as a call; each is logged.
enum StudyExportPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/studies/:study/export", .studyLead, show)
        routes.page(.post, "/studies/:study/export", .studyLead, download)
        routes.call(
            .get, "/studies/:study/export", .studyLead,
            .other(
                "The study as a file: format=csv, json, fhir, wide, codebook, sps or r; csv-de, wide-de, codebook-de for German spreadsheets",
                "text/csv,application/json,application/fhir+json,text/plain",
                query: ["format"]), file)
    }

    struct Show: Page {
        static let template = "studies/export"
        static let section: Section? = .studies
        let head: StudyHead
        let people: String
        let withheld: String?
        static let example = Show(head: .example, people: "12 Personen", withheld: "1 Person nicht")
    }

    @Sendable static func show(_ c: Context<StudyLead>) throws -> Reply {
        let study = c.proof.study.id
        let (told, withheld) = try c.read { connection in
            (
                try EnrolmentStore.consenting(in: study, connection).count,
                try EnrolmentStore.withheld(in: study, connection)
            )
        }
        return .page(
            Show(
                head: StudyHead.make(c, tab: .export), people: c.texts.count("studies.export_people", told),
                withheld: withheld > 0 ? c.texts.count("studies.export_withheld", withheld) : nil))
    }

    @Sendable static func download(_ c: Context<StudyLead>) throws -> Reply {
        try answer(Fields(form: try c.form()), c)
    }

    @Sendable static func file(_ c: Context<StudyLead>) throws -> Reply {
        try answer(Fields(form: c.request.query), c)
    }

    private static func answer(_ fields: Fields, _ c: Context<StudyLead>) throws -> Reply {
        let names = StudyExport.Format.allCases.map(\.rawValue)
        let name = fields.value("format") == nil ? "csv" : fields.choice("format", from: names)
        try fields.finish()
        let format = name.flatMap(StudyExport.Format.init) ?? .csv
        let study = c.proof.study
        // Each reads for long: they take turns, and whoever has to wait is told.
        guard c.services.exports.wait(timeout: .now()) == .success else {
            throw Problem.unavailable(retryAfter: 5)
        }
        defer { c.services.exports.signal() }
        let folder = try ExportFolder(
            c.services.settings.exportPath, now: Date(timeIntervalSince1970: Double(c.now.seconds)))
        let path = folder.newFile(c.newID())
        var export = StudyExport(study: study, keys: c.keys, cache: c.services.questionnaires, now: c.now)
        export.language = c.language
        do {
            _ = try c.read { try export.write(format, to: path, $0) }
        } catch {
            try? FileManager.default.removeItem(atPath: path)
            throw error
        }
        try c.write(.studyExported, object: study.id) { _ in }
        var response = Response(
            status: 200, headers: ["Content-Type": format.type],
            body: .file(path: path, offset: 0, count: try ExportFolder.size(path)))
        response.removesFile = true
        let file = study.name + format.suffix
        response.headers.append("Content-Disposition", "attachment; filename=\"\(file)\"")
        response.headers.append("Cache-Control", "no-store")
        return .response(response)
    }
}

/// Where exports lie until they are opened to be sent, then they are gone. Only the owner of the data folder reads them;
/// what a crash left behind goes with the next start, the next hour and the next export.
struct ExportFolder {
    private let path: String

    init(_ path: String, now: Date) throws {
        self.path = path
        let files = FileManager.default
        try files.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        Self.sweep(path, before: now.addingTimeInterval(-600))
    }

    func newFile(_ id: String) -> String { "\(path)/\(id)" }

    /// Removes the exports that were made before a moment.
    static func sweep(_ path: String, before: Date) {
        let files = FileManager.default
        for name in (try? files.contentsOfDirectory(atPath: path)) ?? [] {
            let made = try? files.attributesOfItem(atPath: "\(path)/\(name)")[.modificationDate] as? Date
            if let made, made < before { try? files.removeItem(atPath: "\(path)/\(name)") }
        }
    }

    static func size(_ path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }
}
