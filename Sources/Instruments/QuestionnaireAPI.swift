import HTTP
import Identity
import JSON
import Questionnaires
import Records
import Web
import Wire
import Wording

/// Questionnaires for phones, and for staff the list and the import.
enum QuestionnaireAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/questionnaires", .author,
            .many("The newest version of every questionnaire", QuestionnaireVersion.self), index)
        routes.call(
            .get, "/questionnaires/:questionnaire", .account,
            .one("A questionnaire in the asked language", Wire.Questionnaire.self), show)
        for path in ["/questionnaires", "/questionnaires/import"] {
            routes.call(
                .post, path, .author,
                .one(
                    "Import a file: ours, a FHIR R4 Questionnaire, or a Bundle of one with its ValueSets. The key of ours, or the url of a form of others, gets its next version. 409 another_form where a form of others has the key of another questionnaire, with that one under data, unless as says which is meant: version or new",
                    QuestionnaireVersion.self, status: 201, query: ["as"],
                    takes: Wire.Questionnaire.sent), create)
        }
        routes.call(
            .get, "/questionnaires/:questionnaire/export", .author,
            .other(
                "A version as a file: format=intersession or fhir", "application/json,application/fhir+json",
                query: ["format"]),
            export)
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let records = try c.read { try QuestionnaireStore.newest(c.services.questionnaires, $0) }
        let (part, next) = paging.part(of: records, .earliestFirst) { Position(number: 0, $0.key) }
        return try .data(
            Many(part.map { Item(id: $0.id, wire($0, c.languages)) }, total: records.count, next: next))
    }

    /// Patients can read the questionnaires asked of them; staff who work with questionnaires can read all.
    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let id: ID<QuestionnaireVersion> = try c.id("questionnaire")
        let account = c.proof.account
        let record = try c.read { connection -> QuestionnaireRecord? in
            if account.kind == .patient {
                guard try c.services.isAsked(id, of: account.id, connection) else { return nil }
            } else if account.roles.isDisjoint(with: [.therapist, .lead]) {
                return nil
            }
            return try QuestionnaireStore.find(id, c.services.questionnaires, connection)
        }
        guard let record else { throw Problem.notFound }
        let wire = record.definition.wire(version: record.version, asked: c.languages)
        let language = record.definition.language(asked: c.languages)
        return try .data(One(id: id, wire, meta: ["language": language]))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let query = InputReader(form: c.request.query)
        let answer = query.choice("as", from: FormAnswer.allCases.map(\.rawValue))
        try query.finish()
        do {
            let file = try ImportedFile.read(try c.json())
            let files = ImportedFiles(all: [.init(name: nil, file: file)])
            let answers = [answer.flatMap(FormAnswer.init)]
            let meanings = try files.changedMeanings(answers, c).map { c.texts[$0] }
            let records = try files.publish(.unstated, answers: answers, saysMeanings: true, c)
            let lost = file.summed(c.texts)
            var meta = lost.isEmpty ? [:] : ["not_carried": lost]
            if !meanings.isEmpty { meta["changed_meanings"] = meanings.joined(separator: " ") }
            return try .data(
                One(id: records[0].id, wire(records[0], c.languages), meta: meta.isEmpty ? nil : meta),
                status: 201)
        } catch let faults as QuestionnaireFile.Faults {
            var errors = FieldErrors()
            for fault in faults.list { errors.add(fault.place, fault.message.key, fault.message.values) }
            throw Problem.invalid(errors)
        } catch let met as FormsMet {
            let form = met.list[0].form
            let message = Message("exchange.another_form", ["key": form.key, "title": form.title])
            return .response(
                ProblemResponse(.conflict(message), id: "", texts: c.texts).json(
                    for: c.request, present: try JSON.parse(try JSONWriter.bytes(of: form))))
        }
    }

    @Sendable static func export(_ c: Context<Member>) throws -> Reply {
        .response(try Exporting.file(c))
    }

    private static func wire(_ record: QuestionnaireRecord, _ readers: [Language]) -> QuestionnaireVersion {
        let chosen = record.definition.language(asked: readers)
        return QuestionnaireVersion(
            key: record.key, version: record.version, title: record.title(readers),
            description: record.definition.description?[chosen], questions: record.definition.questions.count,
            printable: record.definition.isPrintable)
    }
}
