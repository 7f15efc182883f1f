import Instruments
import JSON
import Questionnaires
import Responses
import Wire

/// A FHIR R4 Bundle of QuestionnaireResponses. Prompts without an answer have no place in it; they are in the other
/// formats.
struct ExportFHIR: ExportWriter {
    private var isFirst = true

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        try sink.write(
            "{\"resourceType\":\"Bundle\",\"type\":\"collection\",\"timestamp\":\"\(now.text)\",\"entry\":[")
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {}

    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {
        guard let sheet = row.sheet else { return }
        if !isFirst { try sink.write(",\n") }
        isFirst = false
        let items = sheet.questionnaire.definition.questions.compactMap { question -> JSON? in
            let answers = Self.answers(sheet.answers[question.key] ?? .null, to: question)
            if answers.isEmpty { return nil }
            return .object([.init("linkId", .string(question.key)), .init("answer", .array(answers))])
        }
        let version = "urn:intersession:questionnaire:\(row.questionnaire)|\(sheet.questionnaire.version)"
        let subject = JSON.object([
            .init(
                "identifier",
                .object([
                    .init("system", .string("urn:intersession:participant")),
                    .init("value", .string(row.participant)),
                ]))
        ])
        let resource = JSON.object([
            .init("resourceType", .string("QuestionnaireResponse")), .init("status", .string("completed")),
            .init("questionnaire", .string(version)), .init("subject", subject),
            .init("authored", .string(sheet.record.completedAt.text)), .init("item", .array(items)),
        ])
        try sink.write(try JSONWriter.bytes(of: JSON.object([.init("resource", resource)])))
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
