import HTTP
import JSON
import Web
import Wire
import Wording

/// Taking a questionnaire out of use and back (PR-15): one that is needed asks first, on a page of its own.
package enum RetirementPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/questionnaires/:questionnaire/retirement", .author, confirm)
        routes.page(.post, "/questionnaires/:questionnaire/retirement", .author, retire)
        routes.page(.post, "/questionnaires/:questionnaire/reinstatement", .author, reinstate)
        routes.call(
            .post, "/questionnaires/:questionnaire/retirement", .author,
            .nothing(
                "Archive a questionnaire: take it out of use; what is assigned stays. 409 in_use where something rests on it, with what under data.used_by, unless it is meant nonetheless",
                takes: .object([Schema.optional("even_if_used", .boolean)])
            ).withOptionalBody.undone(.retirement),
            archive)
        routes.call(
            .post, "/questionnaires/:questionnaire/reinstatement", .author,
            .nothing("Take an archived questionnaire into use again").revised(Undo.retirement.revision),
            restore)
    }

    /// The questionnaire is still in use.
    private struct InUse: Error {
        let uses: [QuestionnaireUse]
    }

    @Sendable static func archive(_ c: Context<Member>) throws -> Reply {
        let record = try QuestionnairePath.version(c)
        let fields = c.request.body.isEmpty ? InputReader(json: .object([])) : try c.body()
        let isMeant = fields.bool("even_if_used") ?? false
        try fields.finish()
        do {
            try retire(record, evenIfUsed: isMeant, c)
        } catch let used as InUse {
            let users = QuestionnaireUsers(usedBy: QuestionnaireUse.summed(used.uses))
            let problem = Problem.conflict(Message("questionnaires.is_used"))
            return .response(
                ProblemResponse(problem, id: "", texts: c.texts).json(
                    for: c.request, present: try JSON.parse(try JSONWriter.bytes(of: users))))
        }
        return .response(.noContent)
    }

    @Sendable static func restore(_ c: Context<Member>) throws -> Reply {
        try restored(try QuestionnairePath.version(c), c)
        return .response(.noContent)
    }

    private static func restored(_ record: QuestionnaireRecord, _ c: Context<Member>) throws {
        try c.write(.questionnaireReinstated, object: record.id) { connection in
            try QuestionnaireStore.retire(record.key, at: nil, connection)
        }
    }

    /// - Throws: `InUse` with its uses at that time, unless it was confirmed.
    private static func retire(
        _ record: QuestionnaireRecord, evenIfUsed isMeant: Bool, _ c: Context<Member>
    ) throws {
        try c.write(.questionnaireRetired, object: record.id) {
            [now = c.now, services = c.services, reader = c.proof.account] connection in
            let uses =
                isMeant ? [] : try services.uses(of: [record.key], for: reader, at: now, connection)
            if !uses.isEmpty { throw InUse(uses: uses) }
            try QuestionnaireStore.retire(record.key, at: now, connection)
        }
    }

    package struct Confirm: Page {
        package static let template = "shared/confirm"
        package static let section: NavigationItem? = .questionnaires
        package let confirm: Confirmation
    }

    @Sendable static func confirm(_ c: Context<Member>) throws -> Reply {
        let record = try QuestionnairePath.version(c)
        let texts = c.texts
        let uses = try c.read {
            try c.services.uses(of: [record.key], for: c.proof.account, at: c.now, $0)
        }
        var points = QuestionnaireUse.summed(uses).map { point($0, texts) }
        points.append(texts["questionnaires.retire_stays"])
        let path = "/questionnaires/\(record.id)"
        let title = record.title(c.language)
        return .page(
            Confirm(
                confirm: Confirmation(
                    title: texts["questionnaires.retire_title", ["title": title]],
                    lead: texts[uses.isEmpty ? "questionnaires.retire_unused" : "questionnaires.retire_used"],
                    points: points,
                    crumbs: [
                        .init(label: texts["questionnaires.title"], path: "/questionnaires"),
                        .init(label: title, path: path),
                    ],
                    action: path + "/retirement", submit: texts["questionnaires.retire"], back: path)))
    }

    /// Own uses by name, the clinic's and others' without.
    private static func point(_ use: QuestionnaireUsers.Use, _ texts: Texts) -> String {
        let key = "questionnaires.used_\(use.whose)_\(use.kind)"
        return use.name.map { texts[key, ["name": $0]] } ?? texts.count(key, use.count)
    }

    /// Takes a questionnaire out of use; what is assigned stays.
    @Sendable static func retire(_ c: Context<Member>) throws -> Reply {
        let record = try QuestionnairePath.version(c)
        let form = try c.form()
        let path = "/questionnaires/\(record.id)"
        do {
            try retire(record, evenIfUsed: form[Confirmation.field] == "true", c)
        } catch is InUse {
            return .seeOther(path + "/retirement")
        }
        return .seeOther(
            path, flash: Message("questionnaires.was_retired"), undo: path + "/reinstatement")
    }

    @Sendable static func reinstate(_ c: Context<Member>) throws -> Reply {
        let record = try QuestionnairePath.version(c)
        try restored(record, c)
        return .seeOther("/questionnaires/\(record.id)", flash: Message("questionnaires.was_reinstated"))
    }
}

extension Undo {
    static let retirement = Undo(
        by: "/questionnaires/:questionnaire/reinstatement", shown: "/questionnaires/:questionnaire",
        QuestionnaireStore.retirement)
}
