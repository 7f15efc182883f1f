import HTTP
import Identity
import JSON
import Records
import Studies
import Web
import Wire
import Wording

/// The same in the portal.
package enum PlanPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/studies/new/plan", .lead, new)
        routes.page(.post, "/studies/new/plan", .lead, create)
        routes.page(.get, "/studies/:study/plan", .studyLead, show)
        routes.page(.post, "/studies/:study/plan", .studyLead, compare)
        routes.page(.get, "/studies/:study/plan/file", .studyLead, file)
    }

    package struct Fault: Encodable, Sendable {
        let place: String
        let text: String
    }

    package struct New: Page {
        package static let template = "studies/plan-new"
        package static let section: NavigationItem? = .studies
        let faults: [Fault]
        let hasFaults: Bool
        let present: FieldView
    }

    package struct Show: Page {
        package static let template = "studies/plan"
        package static let section: NavigationItem? = .studies
        package struct Line: Encodable, Sendable {
            let place: String
            let here: String
            let there: String
        }
        package let head: StudyHead
        let lines: [Line]
        let hasLines: Bool
        /// What came of comparing; nil before.
        let result: String?
        let faults: [Fault]
        let hasFaults: Bool
    }

    @Sendable static func new(_ c: Context<Member>) throws -> Reply { .page(page(FormState(c.texts))) }

    private static func page(_ filled: FormState) -> New {
        let faults = faults(filled)
        return New(
            faults: faults, hasFaults: !faults.isEmpty,
            present: filled.box("present", label: "plans.present", hint: "plans.present_hint", isOn: false))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        return try c.submit(form, orShow: { page($0) }) { fields in
            let usesPresent = fields.bool("present") ?? false
            let intake = PlanIntake(plan: try plan(in: form), usesPresent: usesPresent)
            return .seeOther(try intake.take(by: c.proof.account.id, c).path, flash: Message("plans.taken"))
        }
    }

    /// - Throws: `Problem.invalid` for none, and for what is no JSON.
    private static func plan(in form: Form) throws -> JSON {
        guard let field = form.files("file").first, !field.value.isEmpty else {
            throw Problem.invalid("file", "exchange.no_file")
        }
        do {
            return try JSON.parse(Array(field.value.utf8))
        } catch let failure as JSON.Failure {
            let line = String(failure.line)
            throw Problem.invalid("file", "plans.no_json", ["line": line])
        }
    }

    private static func faults(_ filled: FormState) -> [Fault] {
        filled.errors.list.map { Fault(place: $0.field, text: filled.texts[$0.message]) }
    }

    @Sendable static func show(_ c: Context<StudyLead>) throws -> Reply { .page(page(FormState(c.texts), c)) }

    private static func page(
        _ filled: FormState, comparing differences: [PlanDifference]? = nil, _ c: Context<StudyLead>
    ) -> Show {
        let faults = faults(filled)
        let lines = (differences ?? []).map { one in
            Show.Line(place: one.place, here: one.here ?? "–", there: one.there ?? "–")
        }
        return Show(
            head: StudyHead.make(c, tab: .overview), lines: lines, hasLines: !lines.isEmpty,
            result: differences.map {
                $0.isEmpty ? c.texts["plans.same"] : c.texts.count("plans.differ", $0.count)
            },
            faults: faults, hasFaults: !faults.isEmpty)
    }

    @Sendable static func compare(_ c: Context<StudyLead>) throws -> Reply {
        let form = try c.form()
        return try c.submit(form, orShow: { page($0, c) }) { _ in
            .page(page(FormState(c.texts), comparing: try PlanAPI.differences(try plan(in: form), c), c))
        }
    }

    @Sendable static func file(_ c: Context<StudyLead>) throws -> Reply { .response(try PlanAPI.file(c)) }
}
