import Accounts
import Foundation
import HTTP
import Identity
import Instruments
import Psychometrics
import Records
import Studies
import Web
import Wire
import Wording

/// Exports of a study, each logged: by pages after the password, in the background; by the call at once.
package enum StudyExportPages {
    static func routes(_ routes: inout Routes) {
        let path = "/studies/:study/exports/:export"
        routes.page(.get, "/studies/:study/export", .studyAssessor, show)
        routes.page(.post, "/studies/:study/export", .studyAssessor, begin)
        routes.page(.get, path, .studyAssessor, progress)
        routes.page(.get, path + "/file", .studyAssessor, fetch)
        routes.call(
            .get, "/studies/:study/export", .studyAssessor,
            .other(
                "The study as a file: format=csv, json, fhir, wide, time-points, codebook, sps, r, sav, sensors, times, prompts, therapy, participants, interventions, sessions, pauses, dailies, use or zip with all of them; csv-de, wide-de, time-points-de, codebook-de for German spreadsheets; time-points-sav, participants-sav, interventions-sav, sessions-sav, pauses-sav, dailies-sav, use-sav for SPSS; masked=true names arms by letters alone, for masked leads the only way, and for csv, wide, time-points, codebook, their German forms, time-points-sav and json",
                "text/csv,application/json,application/fhir+json,text/plain,application/octet-stream,application/zip",
                query: ["format", "masked"]), file)
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
        /// Nil for masked leads, whose files are all masked.
        package let masked: FieldView?
        package let password: FieldView
        package let errors: ErrorSummary?
    }

    package struct Progress: Page {
        package static let template = "studies/export-progress"
        package static let section: NavigationItem? = .studies
        package let head: StudyHead
        package let what: String
        /// Nil once it has finished.
        package let progress: String?
        package let share: String
        /// The address of the file; nil when it is not ready.
        package let link: String?
        /// Why the file is gone; nil while there is one, or one is being made.
        package let gone: String?
        let isFailed: Bool

        static let example = Progress(
            head: .example, what: "stress-26-masked.csv", progress: nil, share: "100", link: "/studies",
            gone: nil, isFailed: false)
    }

    @Sendable static func show(_ c: Context<StudyAssessor>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    private static let parts: [(key: String, formats: [StudyExport.Format])] = [
        ("all", [.zip]), ("tables", [.csv, .wide, .timePoints, .codebook]),
        ("german", [.germanLong, .germanWide, .germanTimePoints, .germanCodebook]),
        ("programs", [.sav, .timePointsSav, .sps, .r, .json, .fhir]),
        (
            "course",
            [
                .participants, .participantsSav, .interventions, .interventionsSav, .sessions, .sessionsSav,
                .pauses, .pausesSav, .dailies, .dailiesSav, .use, .useSav,
            ]
        ),
        ("more", [.prompts, .sensors, .times, .profiles, .therapy]),
        (
            "measured",
            [
                .measurements, .measurementsSav, .sleeps, .sleepsSav, .activities, .activitiesSav, .listening,
                .matches, .openMHealth,
            ]
        ),
    ]

    private static func page(_ filled: FormState, _ c: Context<StudyAssessor>) throws -> Show {
        let study = c.proof.study.id
        let texts = c.texts
        let (told, withheld, location) = try c.read { connection in
            let people = try EnrolmentStore.consenting(in: study, connection)
            return (
                people.count, try EnrolmentStore.withheld(in: study, connection),
                try LocationCounts(study, people, connection)
            )
        }
        let isMasked = c.proof.isMasked
        let first: StudyExport.Format = isMasked ? .csv : .zip
        let chosen = filled.form["format"] ?? first.rawValue
        let open = parts.map { (key: $0.key, formats: $0.formats.filter { !isMasked || $0.isMaskable }) }
        let parts = open.filter { !$0.formats.isEmpty }.map { key, formats in
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
        let password = filled.field(
            "password", .password, label: "studies.export_password", hint: "studies.export_password_hint")
        return Show(
            head: StudyHead.make(c, tab: .export), people: texts.count("studies.export_people", told),
            withheld: withheld > 0 ? texts.count("studies.export_withheld", withheld) : nil, parts: parts,
            masked: isMasked
                ? nil
                : filled.box("masked", label: "studies.export_masked", hint: "studies.export_masked_hint"),
            password: password, errors: filled.summary)
    }

    // MARK: In the portal

    @Sendable package static func begin(_ c: Context<StudyAssessor>) throws -> Reply {
        let study = c.proof.study
        return try c.submit(orShow: { try page($0, c) }) { fields in
            let format = format(fields)
            let isMasked = fields.box("masked", over: false) || c.proof.isMasked
            let password = fields.secret("password")
            if isMasked, !format.isMaskable { fields.refuse("masked", "studies.export_not_masked") }
            try fields.finish()
            try Password.confirm(password ?? "", of: c.proof.lead, field: "password", c)
            if isMasked { try drawLabels(c) }
            let id: ID<ExportJobs.Job> = c.newID()
            let file = try c.services.exports.newFile(id)
            let job = ExportJobs.Job(
                study: study.id, lead: c.proof.lead.id, format: format, isMasked: isMasked, file: file,
                at: c.now)
            let export = try export(c, key: file.key, isMasked: isMasked)
            let services = c.services
            let isBegun = try services.exports.begin(
                id, job, clock: services.clock, log: services.log, records: services.records
            ) {
                progress in
                try services.records.read { try export.write(format, to: file.path, progress: progress, $0) }
            }
            guard isBegun else { throw Problem.unavailable(retryAfter: 5) }
            try c.write(isMasked ? .studyExportedMasked : .studyExported, object: study.id) { _ in }
            return .seeOther("\(study.path)/exports/\(id)")
        }
    }

    private static func job(_ c: Context<StudyAssessor>) throws -> (
        id: ID<ExportJobs.Job>, job: ExportJobs.Job
    ) {
        let id: ID<ExportJobs.Job> = try c.id("export")
        let job = try c.services.exports.find(id, study: c.proof.study.id, lead: c.proof.lead.id, now: c.now)
        guard let job else { throw Problem.notFound }
        // Of before the lead was taken out and came back masked.
        if c.proof.isMasked, !job.isMasked { throw Problem.forbidden(Message("studies.masked")) }
        return (id, job)
    }

    @Sendable static func progress(_ c: Context<StudyAssessor>) throws -> Reply {
        let (id, job) = try job(c)
        var progress: String?
        var share = 0
        var link: String?
        var gone: String?
        var isFailed = false
        switch job.state(at: c.now) {
        case .running(let done, let all):
            progress = c.texts.count("studies.export_progress", done, of: all)
            share = Share.percent(done, of: all)
        case .ready: link = "\(c.proof.study.path)/exports/\(id)/file"
        case .gone: gone = c.texts["studies.export_gone"]
        case .withdrawn: gone = c.texts["studies.export_changed"]
        case .failed: isFailed = true
        }
        return .page(
            Progress(
                head: StudyHead.make(c, tab: .export),
                what: c.proof.study.name + job.format.suffix(isMasked: job.isMasked),
                progress: progress, share: String(share), link: link, gone: gone, isFailed: isFailed))
    }

    /// Once. A participant who has withdrawn since it was made is in no file that leaves.
    @Sendable static func fetch(_ c: Context<StudyAssessor>) throws -> Reply {
        let (id, job) = try job(c)
        // A HEAD request must not use it up.
        guard c.request.method == .get else { throw Problem.methodNotAllowed(["GET"]) }
        if case .withdrawn = job.state(at: c.now) { throw Problem.gone(Message("studies.export_changed")) }
        guard let taken = try c.services.exports.take(id, now: c.now) else {
            throw Problem.gone(Message("studies.export_gone"))
        }
        guard FileManager.default.fileExists(atPath: taken.file.path) else {
            throw Problem.gone(Message("studies.export_gone"))
        }
        try requireConsent(taken.basis, taken.file.path, c)
        return try send(taken.file, job.format, isMasked: job.isMasked, c)
    }

    /// - Throws: `Problem.gone` when a participant in a file has withdrawn since it was made; then it is removed.
    static func requireConsent(
        _ basis: ExportBasis, _ path: String, _ c: Context<StudyAssessor>
    ) throws {
        guard try c.read({ try basis.holds(in: c.proof.study.id, $0) }) else {
            try? FileManager.default.removeItem(atPath: path)
            throw Problem.gone(Message("studies.export_changed"))
        }
    }
}
