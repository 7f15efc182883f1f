import Contributions
import Instruments
import JSON
import Questionnaires
import Studies
import Wire

/// A FHIR R4 Bundle of QuestionnaireResponses, and of Observations of the measurements that participants give.
/// Prompts without an answer cannot be expressed in it; they are in the other formats.
struct ExportFHIR: ExportWriter {
    private var isFirst = true

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        try sink.write(
            "{\"resourceType\":\"Bundle\",\"type\":\"collection\",\"timestamp\":\"\(now.text)\",\"entry\":[")
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {}

    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {
        guard let sheet = row.sheet else { return }
        let items = sheet.questionnaire.definition.questions.compactMap { question -> JSON? in
            let answers = Self.answers(sheet.answers[question.key] ?? .null, to: question)
            if answers.isEmpty { return nil }
            return .object([.init("linkId", .string(question.key)), .init("answer", .array(answers))])
        }
        let version = "urn:intersession:questionnaire:\(row.questionnaire)|\(sheet.questionnaire.version)"
        let resource = JSON.object([
            .init("resourceType", .string("QuestionnaireResponse")), .init("status", .string("completed")),
            .init("questionnaire", .string(version)), .init("subject", Self.subject(row.participant)),
            .init("authored", .string(sheet.record.completedAt.text)), .init("item", .array(items)),
        ])
        try add(resource, &sink)
    }

    /// An Observation that lacks only its subject.
    mutating func add(cells: [JSON], _ sink: inout ExportSink) throws {
        guard cells.count == 2, let codename = cells[0].string, case .object(let members) = cells[1] else {
            return
        }
        try add(.object(members + [.init("subject", Self.subject(codename))]), &sink)
    }

    private mutating func add(_ resource: JSON, _ sink: inout ExportSink) throws {
        if !isFirst { try sink.write(",\n") }
        isFirst = false
        try sink.write(try JSONWriter.bytes(of: JSON.object([.init("resource", resource)])))
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
        try sink.write("]}\n")
    }

    private static func answers(_ value: JSON, to question: QuestionnaireDefinition.Question) -> [JSON] {
        switch value {
        case .null, .object: return []
        case .array(let values): return values.flatMap { answers($0, to: question) }
        case .bool(let isTrue): return [.object([.init("valueBoolean", .bool(isTrue))])]
        case .string(let text):
            return [.object([.init(question.type == .date ? "valueDate" : "valueString", .string(text))])]
        case .number(let number):
            if question.type == .yesNo { return [.object([.init("valueBoolean", .bool(number == 1))])] }
            let isWhole = Int64(exactly: number) != nil
            return [.object([.init(isWhole ? "valueInteger" : "valueDecimal", .number(number))])]
        }
    }
}
