import HTTP
import Records
import Web
import Wording

/// Taking a questionnaire out of use and back (PR-15): one that is needed somewhere asks first, on a page of its own.
package enum RetirementPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/questionnaires/:questionnaire/retirement", .author, confirm)
        routes.page(.post, "/questionnaires/:questionnaire/retirement", .author, retire)
        routes.page(.post, "/questionnaires/:questionnaire/reinstatement", .author, reinstate)
        routes.call(
            .post, "/questionnaires/:questionnaire/retirement", .author,
            .nothing("Archive a questionnaire: take it out of use; what is assigned stays").undone(
                .retirement),
            archive)
        routes.call(
            .post, "/questionnaires/:questionnaire/reinstatement", .author,
            .nothing("Take an archived questionnaire into use again").revised(Undo.retirement.revision),
            restore)
    }

    @Sendable static func archive(_ c: Context<Member>) throws -> Reply {
        try set(retired: true, try QuestionnairePath.version(c), c)
        return .response(.noContent)
    }

    @Sendable static func restore(_ c: Context<Member>) throws -> Reply {
        try set(retired: false, try QuestionnairePath.version(c), c)
        return .response(.noContent)
    }

    private static func set(
        retired isRetired: Bool, _ record: QuestionnaireRecord, _ c: Context<Member>
    ) throws {
        let action: AuditAction = isRetired ? .questionnaireRetired : .questionnaireReinstated
        try c.write(action, object: record.id) { [now = c.now] connection in
            try QuestionnaireStore.retire(record.key, at: isRetired ? now : nil, connection)
        }
    }

    package struct Confirm: Page {
        package static let template = "shared/confirm"
        package static let section: NavigationItem? = .questionnaires
        package let confirm: Confirmation

        package static let example = Confirm(confirm: .example)
    }

    @Sendable static func confirm(_ c: Context<Member>) throws -> Reply {
        let record = try QuestionnairePath.version(c)
        let texts = c.texts
        let uses = try c.read { try c.services.uses(of: record.key, at: c.now, $0) }
        var points = uses.batteries.map { texts["questionnaires.used_in_battery", ["name": $0]] }
        if uses.plans > 0 { points.append(texts.count("questionnaires.used_by_plans", uses.plans)) }
        if uses.studies > 0 { points.append(texts.count("questionnaires.used_in_studies", uses.studies)) }
        if uses.rules > 0 { points.append(texts.count("questionnaires.used_by_rules", uses.rules)) }
        if uses.open > 0 { points.append(texts.count("questionnaires.used_open", uses.open)) }
        if uses.isDaily { points.append(texts["questionnaires.used_daily"]) }
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

    /// Takes a questionnaire out of use; what is assigned stays.
    @Sendable static func retire(_ c: Context<Member>) throws -> Reply {
        let record = try QuestionnairePath.version(c)
        let form = try c.form()
        let path = "/questionnaires/\(record.id)"
        let uses = try c.read { try c.services.uses(of: record.key, at: c.now, $0) }
        if !uses.isEmpty, form[Confirmation.field] != "true" { return .seeOther(path + "/retirement") }
        try set(retired: true, record, c)
        return .seeOther(
            path, flash: Message("questionnaires.was_retired"), undo: path + "/reinstatement")
    }

    @Sendable static func reinstate(_ c: Context<Member>) throws -> Reply {
        let record = try QuestionnairePath.version(c)
        try set(retired: false, record, c)
        return .seeOther("/questionnaires/\(record.id)", flash: Message("questionnaires.was_reinstated"))
    }
}

extension Undo {
    static let retirement = Undo(
        by: "/questionnaires/:questionnaire/reinstatement", shown: "/questionnaires/:questionnaire",
        QuestionnaireStore.retirement)
}
