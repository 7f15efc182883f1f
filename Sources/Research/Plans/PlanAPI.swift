import HTTP
import Identity
import JSON
import Records
import Studies
import Web
import Wire
import Wording

/// A study's plan as a file: taken out, compared, taken in.
enum PlanAPI {
    static func routes(_ routes: inout Routes) {
        let path = "/studies/:study/plan"
        routes.call(
            .get, path, .studyLead,
            .other("The plan of a study as a file, without anything that has happened", "application/json"),
            show)
        routes.call(
            .post, path + "/difference", .studyLead,
            .many("What a plan says differently from this study", PlanDifference.self, takes: StudyPlan.sent),
            compare)
        routes.call(
            .post, "/studies/plan", .lead,
            .one(
                "A new study from a plan, stopped. Questionnaires come with it; present=true asks those that are here",
                Study.self, status: 201, query: ["present"], takes: StudyPlan.sent), create)
    }

    @Sendable static func show(_ c: Context<StudyLead>) throws -> Reply { .response(try file(c)) }

    static func file(_ c: Context<StudyLead>) throws -> Response {
        let study = c.proof.study
        let json = try c.read { try StudyPlan.file(of: study, c.services, $0) }
        var response = Response(status: 200, type: MediaType.json, try JSONWriter.bytes(of: json))
        response.headers.append("Content-Disposition", "attachment; filename=\"\(study.name)-plan.json\"")
        return response
    }

    @Sendable static func compare(_ c: Context<StudyLead>) throws -> Reply {
        let lines = try differences(try c.json(), c)
        let items = lines.map { Item(id: DerivedID.of("plan", c.proof.study.id, $0.place), $0) }
        return try .data(Many(items, total: items.count, next: nil))
    }

    static func differences(_ plan: JSON, _ c: Context<StudyLead>) throws -> [PlanDifference] {
        try StudyPlan.check(plan)
        let here = try c.read { try StudyPlan.file(of: c.proof.study, c.services, $0) }
        return PlanDifference.all(here: here, there: plan)
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let query = InputReader(form: c.request.query)
        let usesPresent = query.bool("present") ?? false
        try query.finish()
        let intake = PlanIntake(plan: try c.json(), usesPresent: usesPresent)
        let study = try intake.take(by: c.proof.account.id, c)
        return try StudyAPI.answer(study.id, c.proof.account, c, status: 201)
    }
}

extension StudyPlan {
    static let sent = Schema.object([
        Schema.property("format", .choice([format])), Schema.property("version", .integer),
        Schema.property("study", .record), Schema.property("questionnaires", .list(.record)),
        Schema.optional("groups", Schema.record.orNull), Schema.optional("definitions", .list(.record)),
    ])
}
