import HTTP
import Studies
import Web
import Wording

/// Starting, stopping, archiving and removing a study. Actions with consequences ask first, on a page that names them.
package enum StudyStatePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/studies/:study/state", .studyLead, ask)
        routes.page(.post, "/studies/:study/state", .studyLead, update)
        routes.page(.get, "/studies/:study/removal", .studyLead, askRemoval)
        routes.page(.post, "/studies/:study/removal", .studyLead, destroy)
        routes.page(.get, "/studies/:study/groups/closure", .studyLead, askClosure)
        routes.page(.post, "/studies/:study/groups/closure", .studyLead, close)
    }

    package struct Confirm: Page {
        package static let template = "studies/confirm"
        package static let section: NavigationItem? = .studies
        package let head: StudyHead
        package let title: String
        let consequences: [String]
        package let action: String
        package let revision: String?
        package let isStale: Bool
        /// The value of `action` that the button sends; nil where the address is enough.
        package let sends: String?
        package let fields: [FieldView]
        package let submit: String
        package let errors: ErrorSummary?
    }

    // MARK: State

    @Sendable static func ask(_ c: Context<StudyLead>) throws -> Reply {
        let fields = InputReader(form: c.request.query)
        let action = fields.choice("action", from: ["stop", "archive"], required: true)
        try fields.finish()
        return .page(try page(action ?? "stop", FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<StudyLead>) throws -> Reply {
        let form = try c.form()
        let study = c.proof.study
        let fields = InputReader(form: form)
        let names = StudySwitch.allCases.map(\.rawValue)
        let name = fields.choice("action", from: names, required: true)
        try fields.finish()
        let action = name.flatMap(StudySwitch.init) ?? .stop
        do {
            try StudyActions.turn(study.id, action, c)
            return .seeOther(study.path, flash: Message("studies.done_\(action.rawValue)"))
        } catch Problem.conflict(let message, _) {
            return .seeOther(study.path, flash: message)
        } catch Problem.preconditionFailed where action == .stop || action == .archive {
            let filled = FormState(form, FieldErrors(), c.texts, isStale: true)
            return .page(try page(action.rawValue, filled, c), status: 412)
        } catch Problem.preconditionFailed {
            return .seeOther(study.path, flash: Message("studies.changed_meanwhile"))
        }
    }

    private static func page(_ action: String, _ filled: FormState, _ c: Context<StudyLead>) throws -> Confirm
    {
        let study = try present(c)
        let texts = c.texts
        let counts = try c.read { try StudyStore.counts(study.id, $0) }
        let people = texts.count("studies.people", counts["enrolled"] ?? 0)
        let lines = ["people", "sheets", "groups", "back"].map { line in
            texts["studies.\(action)_\(line)", ["people": people]]
        }
        return Confirm(
            head: StudyHead.make(c, tab: .overview), title: texts["studies.\(action)_title"],
            consequences: lines, action: "\(study.path)/state",
            revision: filled.revision(study.revision), isStale: filled.isStale, sends: action, fields: [],
            submit: texts["studies.\(action)"], errors: filled.summary)
    }

    /// The present state of the study; the proof is from before the write.
    private static func present(_ c: Context<StudyLead>) throws -> StudyRecord {
        guard let study = try c.read({ try StudyStore.find(c.proof.study.id, $0) }) else {
            throw Problem.notFound
        }
        return study
    }

    // MARK: Removing

    @Sendable static func askRemoval(_ c: Context<StudyLead>) throws -> Reply {
        .page(try removal(FormState(c.texts), c))
    }

    @Sendable static func destroy(_ c: Context<StudyLead>) throws -> Reply {
        do {
            try StudyActions.remove(c.proof.study, c)
            return .seeOther("/studies", flash: Message("studies.removed"))
        } catch Problem.conflict(let message, _) {
            return .seeOther(c.proof.study.path, flash: message)
        } catch Problem.preconditionFailed {
            let filled = FormState(try c.form(), FieldErrors(), c.texts, isStale: true)
            return .page(try removal(filled, c), status: 412)
        }
    }

    private static func removal(_ filled: FormState, _ c: Context<StudyLead>) throws -> Confirm {
        let study = try present(c)
        return Confirm(
            head: StudyHead.make(c, tab: .overview), title: c.texts["studies.remove_title"],
            consequences: ["remove_all", "remove_final"].map { c.texts["studies.\($0)"] },
            action: "\(study.path)/removal", revision: filled.revision(study.revision),
            isStale: filled.isStale, sends: nil, fields: [], submit: c.texts["studies.remove"],
            errors: filled.summary)
    }

    // MARK: Closing allocation

    @Sendable static func askClosure(_ c: Context<StudyLead>) throws -> Reply {
        .page(try closure(FormState(c.texts), c))
    }

    @Sendable package static func close(_ c: Context<StudyLead>) throws -> Reply {
        let path = "\(c.proof.study.path)/groups"
        return try c.submit(orShow: { try closure($0, c) }) { fields in
            do {
                try Grouping.close(fields, isNamed: true, c)
                return .seeOther(path, flash: Message("studies.allocation_closed_now"))
            } catch Problem.conflict(let message, _) {
                return .seeOther(path, flash: message)
            }
        }
    }

    private static func closure(_ filled: FormState, _ c: Context<StudyLead>) throws -> Confirm {
        let study = c.proof.study
        let texts = c.texts
        guard let stored = try c.read({ try GroupStore.find(study.id, $0) }) else { throw Problem.notFound }
        let name = filled.field(
            "name", label: "studies.closure_name",
            hint: Message("studies.closure_name_hint", ["name": study.name]), required: true,
            autocomplete: "off")
        let lines = ["closure_places", "closure_seed", "closure_final"].map { line in
            texts["studies.\(line)", ["n": String(stored.allocated), "of": String(stored.groups.sampleSize)]]
        }
        return Confirm(
            head: StudyHead.make(c, tab: .groups), title: texts["studies.closure_title"],
            consequences: lines, action: "\(study.path)/groups/closure", revision: nil, isStale: false,
            sends: nil, fields: [name], submit: texts["studies.closure_submit"], errors: filled.summary)
    }
}
