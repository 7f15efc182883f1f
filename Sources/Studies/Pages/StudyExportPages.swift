import Accounts
import Foundation
import HTTP
import Identity
import Instruments
import Records
import Web
import Wire
import Wording

/// Exports of a study: in the portal after the password, made beside the requests and fetched once; as a call at once.
/// Each is logged.
package enum StudyExportPages {
    static func routes(_ routes: inout Routes) {
        let path = "/studies/:study/exports/:export"
        routes.page(.get, "/studies/:study/export", .studyLead, show)
        routes.page(.post, "/studies/:study/export", .studyLead, begin)
        routes.page(.get, path, .studyLead, progress)
        routes.page(.get, path + "/file", .studyLead, fetch)
        routes.call(
            .get, "/studies/:study/export", .studyLead,
            .other(
                "The study as a file: format=csv, json, fhir, wide, codebook, sps, r, sav, sensors, times, therapy or zip with all of them; csv-de, wide-de, codebook-de for German spreadsheets",
                "text/csv,application/json,application/fhir+json,text/plain,application/octet-stream,application/zip",
                query: ["format"]), file)
    }

    package struct Show: Page {
        package static let template = "studies/export"
        package static let section: NavigationItem? = .studies
        package struct Choice: Encodable, Sendable {
            package let format: String
            package let label: String
            package let isChosen: Bool
        }
        package struct Part: Encodable, Sendable {
            package let title: String
            package let hint: String
            package let choices: [Choice]
        }
        package let head: StudyHead
        package let people: String
        package let withheld: String?
        package let parts: [Part]
        package let password: FieldView
        package let errors: ErrorSummary?

        package static let example = Show(
            head: .example, people: "12 Personen", withheld: "1 Person nicht",
            parts: [
                Part(
                    title: "Alles", hint: "Ein Archiv",
                    choices: [Choice(format: "zip", label: "ZIP", isChosen: true)])
            ], password: FieldView(name: "password", label: "Passwort", type: "password"), errors: nil)
    }

    package struct Progress: Page {
        package static let template = "studies/export-progress"
        package static let section: NavigationItem? = .studies
        package let head: StudyHead
        package let what: String
        /// Nil once nothing is being made any more.
        package let progress: String?
        package let share: String
        /// Where the file is fetched; nil when it is not ready.
        package let link: String?
        /// Why there is no file any more; nil while there is one, or one is being made.
        package let gone: String?
        let isFailed: Bool

        package static let example = Progress(
            head: .example, what: "alltag-26.zip", progress: "3 von 12", share: "25",
            link:
                "/studies/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11/exports/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a12/file",
            gone: "Dieser Export ist abgelaufen.", isFailed: true)
    }

    @Sendable static func show(_ c: Context<StudyLead>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    private static let parts: [(key: String, formats: [StudyExport.Format])] = [
        ("all", [.zip]), ("tables", [.csv, .wide, .codebook]),
        ("german", [.germanLong, .germanWide, .germanCodebook]),
        ("programs", [.sav, .sps, .r, .json, .fhir]),
        ("more", [.sensors, .times, .profiles, .therapy, .matches, .listening]),
        (
            "measured",
            [.measurements, .measurementsSav, .sleeps, .sleepsSav, .activities, .activitiesSav, .openMHealth]
        ),
    ]

    private static func page(_ filled: FormState, _ c: Context<StudyLead>) throws -> Show {
        let study = c.proof.study.id
        let texts = c.texts
        let (told, withheld, location) = try c.read { connection in
            let people = try EnrolmentStore.consenting(in: study, connection)
            return (
                people.count, try EnrolmentStore.withheld(in: study, connection),
                try LocationCounts(study, people, connection)
            )
        }
        let chosen = filled.form["format"] ?? StudyExport.Format.zip.rawValue
        let parts = parts.map { key, formats in
            let hint = texts["studies.export_\(key)_hint"]
            return Show.Part(
                title: texts["studies.export_\(key)"],
                // An empty file of a single format has no README beside it.
                hint: key == "more" ? hint + " " + location.words(positions: 1, texts) : hint,
                choices: formats.map { format in
                    let name = format.rawValue.replacing("-", with: "_")
                    return Show.Choice(
                        format: format.rawValue, label: texts["studies.format_\(name)"],
                        isChosen: format.rawValue == chosen)
                })
        }
        var password = filled.field("password", label: "studies.export_password")
        password.type = "password"
        password.autocomplete = "current-password"
        password.value = ""
        password.isRequired = true
        password.hint = texts["studies.export_password_hint"]
        return Show(
            head: StudyHead.make(c, tab: .export), people: texts.count("studies.export_people", told),
            withheld: withheld > 0 ? texts.count("studies.export_withheld", withheld) : nil, parts: parts,
            password: password, errors: filled.summary)
    }

    // MARK: In the portal

    @Sendable package static func begin(_ c: Context<StudyLead>) throws -> Reply {
        let form = try c.form()
        let study = c.proof.study
        do {
            let fields = InputReader(form: form)
            let format = format(fields)
            let password = fields.secret("password")
            try fields.finish()
            try Password.confirm(password ?? "", of: c.proof.lead, field: "password", c)
            let id: ID<ExportJobs.Job> = c.newID()
            let path = try c.services.exports.folder.newFile(id)
            let job = ExportJobs.Job(
                study: study.id, lead: c.proof.lead.id, format: format, state: .running(done: 0, all: 0),
                until: c.now.adding(seconds: ExportJobs.lifeSeconds))
            let export = export(c)
            let services = c.services
            let isBegun = services.exports.begin(
                id, job, path: path, clock: services.clock, log: services.log, records: services.records
            ) {
                progress in
                try services.records.read { try export.write(format, to: path, progress: progress, $0) }
            }
            guard isBegun else { throw Problem.unavailable(retryAfter: 5) }
            try c.write(.studyExported, object: study.id) { _ in }
            return .seeOther("/studies/\(study.id)/exports/\(id)")
        } catch Problem.invalid(let errors) {
            return .page(try page(FormState(form, errors, c.texts), c), status: 422)
        }
    }

    private static func job(_ c: Context<StudyLead>) throws -> (id: ID<ExportJobs.Job>, job: ExportJobs.Job) {
        let id: ID<ExportJobs.Job> = try c.id("export")
        let job = c.services.exports.find(id, study: c.proof.study.id, lead: c.proof.lead.id, now: c.now)
        guard let job else { throw Problem.notFound }
        return (id, job)
    }

    @Sendable static func progress(_ c: Context<StudyLead>) throws -> Reply {
        let (id, job) = try job(c)
        var progress: String?
        var share = 0
        var link: String?
        var gone: String?
        var isFailed = false
        switch job.state {
        case .running(let done, let all):
            progress = c.texts.count("studies.export_progress", done, of: all)
            share = all == 0 ? 0 : done * 100 / all
        case .ready: link = "/studies/\(c.proof.study.id)/exports/\(id)/file"
        case .gone: gone = c.texts["studies.export_gone"]
        case .withdrawn: gone = c.texts["studies.export_changed"]
        case .failed: isFailed = true
        }
        return .page(
            Progress(
                head: StudyHead.make(c, tab: .export), what: c.proof.study.name + job.format.suffix,
                progress: progress, share: String(share), link: link, gone: gone, isFailed: isFailed))
    }

    /// Once. Who has withdrawn their consent since it was made is in no file that leaves.
    @Sendable static func fetch(_ c: Context<StudyLead>) throws -> Reply {
        let (id, job) = try job(c)
        // Whoever only looks does not use it up.
        guard c.request.method == .get else { throw Problem.methodNotAllowed(["GET"]) }
        if case .withdrawn = job.state { throw Problem.gone(Message("studies.export_changed")) }
        guard let taken = c.services.exports.take(id) else {
            throw Problem.gone(Message("studies.export_gone"))
        }
        try requireConsent(taken.codenames, taken.path, c)
        return try send(taken.path, job.format, c)
    }

    /// - Throws: `Problem.gone` when somebody in a file has withdrawn since it was made; then it is removed.
    static func requireConsent(
        _ codenames: [String], _ path: String, _ c: Context<StudyLead>
    ) throws {
        let told = try c.read { try EnrolmentStore.consenting(in: c.proof.study.id, $0) }
        guard Set(codenames).isSubset(of: told.map(\.codename)) else {
            try? FileManager.default.removeItem(atPath: path)
            throw Problem.gone(Message("studies.export_changed"))
        }
    }
}
