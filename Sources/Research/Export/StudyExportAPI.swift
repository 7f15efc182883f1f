import Foundation
import HTTP
import Instruments
import Records
import Secrets
import Studies
import Web
import Wording

/// The same over the API.
extension StudyExportPages {
    @Sendable package static func file(_ c: Context<StudyAssessor>) throws -> Reply {
        let fields = InputReader(form: c.request.query)
        let format = format(fields)
        let isMasked = fields.box("masked", over: false)
        if c.proof.isMasked, !isMasked { throw Problem.forbidden(Message("studies.export_masked_needed")) }
        if isMasked, !format.isMaskable { fields.refuse("masked", "studies.export_not_masked") }
        try fields.finish()
        if isMasked { try drawLabels(c) }
        // Each reads for long: they take turns, and a client that would have to wait is told.
        guard c.services.exports.enter() else { throw Problem.unavailable(retryAfter: 5) }
        defer { c.services.exports.leave() }
        let file = try c.services.exports.newFile(c.newID())
        do {
            let manifest = try c.read {
                try export(c, key: file.key, isMasked: isMasked).write(format, to: file.path, $0)
            }
            // Data may have been withdrawn or erased since they were read.
            try c.write(isMasked ? .studyExportedMasked : .studyExported, object: c.proof.study.id) {
                [study = c.proof.study.id, basis = manifest.basis] connection in
                guard try basis.holds(in: study, connection) else {
                    throw Problem.gone(Message("studies.export_changed"))
                }
            }
        } catch {
            try? FileManager.default.removeItem(atPath: file.path)
            throw error
        }
        return try send(file, format, isMasked: isMasked, c)
    }

    /// Groups that were named before there were masked labels get theirs with the first masked file.
    static func drawLabels(_ c: Context<StudyAssessor>) throws {
        let study = c.proof.study.id
        guard let stored = try c.read({ try GroupStore.find(study, $0) }), stored.labels == nil else {
            return
        }
        try c.write(.studyLabelsDrawn, object: study) { try GroupStore.drawLabels(of: study, $0) }
    }

    static func format(_ fields: InputReader) -> StudyExport.Format {
        let names = StudyExport.Format.allCases.map(\.rawValue)
        let name = fields.value("format") == nil ? "csv" : fields.choice("format", from: names)
        return name.flatMap(StudyExport.Format.init) ?? .csv
    }

    static func export(_ c: Context<StudyAssessor>, key: SecretKey, isMasked: Bool) -> StudyExport {
        StudyExport(
            study: c.proof.study, keys: c.keys, cache: c.services.questionnaires, now: c.now, texts: c.texts,
            installed: c.services.languages.map(c.services.texts), key: key, more: c.services.studyFiles,
            isMasked: isMasked)
    }

    static func send(
        _ file: ExportFile, _ format: StudyExport.Format, isMasked: Bool, _ c: Context<StudyAssessor>
    ) throws -> Reply {
        try send(file, as: c.proof.study.name + format.suffix(isMasked: isMasked), type: format.type)
    }

    /// Sends a file that was written here, and removes it.
    static func send(_ file: ExportFile, as name: String, type: String) throws -> Reply {
        let source = try ExportSource(file.path, key: file.key)
        // Once opened, it needs no name: however this answer ends, nothing is left.
        try FileManager.default.removeItem(atPath: file.path)
        var response = Response(
            status: 200, headers: ["Content-Type": type],
            body: .stream(ByteStream(count: source.count, source.next)))
        response.headers.append("Content-Disposition", "attachment; filename=\"\(name)\"")
        response.headers.append("Cache-Control", "no-store")
        return .response(response)
    }
}

extension AuditAction {
    static let studyExportedMasked = AuditAction(name: "study.exported_masked")
    static let studyLabelsDrawn = AuditAction(name: "study.labels_drawn")
}
