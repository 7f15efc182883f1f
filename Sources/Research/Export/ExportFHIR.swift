import Contributions
import Instruments
import JSON
import Questionnaires
import Records
import Studies
import Wire

/// A FHIR R4 Bundle of QuestionnaireResponses, and of Observations of the measurements that participants give.
/// Prompts without an answer cannot be expressed in it; they are in the other formats.
struct ExportFHIR: ExportWriter {
    private let names: FileNames
    /// The canonical name of each questionnaire, by its key.
    private let urls: [String: String]
    private var forms: [ID<QuestionnaireVersion>: FHIRResponse] = [:]
    private var isFirst = true

    init(_ names: FileNames, urls: [String: String]) {
        self.names = names
        self.urls = urls
    }

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        let id = names.uuid("bundle")
        try sink.write(
            "{\"resourceType\":\"Bundle\",\"id\":\"\(id)\",\"type\":\"collection\",\"timestamp\":\"\(now.text)\""
        )
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {}

    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {
        guard let sheet = row.sheet else { return }
        let id = names.uuid("sheet \(sheet.record.id)")
        let version = "\(urls[row.questionnaire] ?? "")|\(sheet.questionnaire.version)"
        let items = form(of: sheet.questionnaire).items(sheet.answer)
        // R4 knows no empty lists. One identifier is all that a response has.
        try add(
            .object(
                [
                    .init("resourceType", .string("QuestionnaireResponse")), .init("id", .string(id)),
                    .init("identifier", Self.identifier(id)), .init("questionnaire", .string(version)),
                    .init("status", .string("completed")), .init("subject", Self.subject(row.participant)),
                    .init("authored", .string(sheet.record.completedAt.text)),
                ] + (items.isEmpty ? [] : [.init("item", .array(items))])), id, &sink)
    }

    private mutating func form(of questionnaire: QuestionnaireRecord) -> FHIRResponse {
        if let known = forms[questionnaire.id] { return known }
        let made = FHIRResponse(questionnaire.definition)
        forms[questionnaire.id] = made
        return made
    }

    /// An Observation that lacks only its subject and its names. Of a kind of measurement a person has one for each period.
    mutating func add(cells: [JSON], _ sink: inout ExportSink) throws {
        guard cells.count == 2, let codename = cells[0].string, case .object(let members) = cells[1] else {
            return
        }
        let period = cells[1]["effectivePeriod"]
        let place = [
            cells[1]["code"]?["coding"]?.array?.first?["code"]?.string, period?["start"]?.string,
            period?["end"]?.string,
        ].map { $0 ?? "" }
        let id = names.uuid("observation \(codename) \(place.joined(separator: " "))")
        try add(
            .object(
                members.prefix(1) + [
                    .init("id", .string(id)), .init("identifier", .array([Self.identifier(id)])),
                ]
                    + members.dropFirst()
                    + [.init("subject", Self.subject(codename))]), id, &sink)
    }

    private mutating func add(_ resource: JSON, _ id: String, _ sink: inout ExportSink) throws {
        try sink.write(isFirst ? ",\"entry\":[" : ",\n")
        isFirst = false
        let entry = JSON.object([.init("fullUrl", .string("urn:uuid:" + id)), .init("resource", resource)])
        try sink.write(try JSONWriter.bytes(of: entry))
    }

    private static func identifier(_ id: String) -> JSON {
        .object([
            .init("system", .string("urn:ietf:rfc:3986")), .init("value", .string("urn:uuid:" + id)),
        ])
    }

    private static func subject(_ codename: String) -> JSON {
        .object([
            .init(
                "identifier",
                .object([
                    .init("system", .string("urn:intersession:participant")),
                    .init("value", .string(codename)),
                ]))
        ])
    }

    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws {
        try sink.write(isFirst ? "}\n" : "]}\n")
    }
}
