import Database
import JSON
import Records
import Web
import Wire
import Wording

/// Groups as leads enter them, with the therapists who bring patients in. Made only by reading.
package struct GroupDraft: Sendable {
    package let groups: TrialDesign
    /// Whether the strata are left as they are.
    package let keepsStrata: Bool
    /// Whether the moment of allocation is.
    let keepsMoment: Bool
    /// By the address of the therapist's account; nil leaves them as they are.
    package let sites: [(name: String, email: String)]?

    /// - Parameter known: the stored ones.
    package func groups(over known: TrialDesign?) -> TrialDesign {
        guard let known else { return groups }
        return TrialDesign(
            allocation: groups.allocation, at: keepsMoment ? known.moment : groups.moment, arms: groups.arms,
            size: groups.size, strata: keepsStrata ? known.strata : groups.strata,
            sampleSize: groups.sampleSize, outcomes: groups.outcomes)
    }

    private static let sizes = 1...1000
    private static let samples = 2...100_000
    private static let most = 50

    /// - Parameter scales: the scales of the study's questionnaires.
    /// - Throws: `Problem.invalid`.
    package static func read(json fields: InputReader, scales: [StudyScale]) throws(Problem) -> GroupDraft {
        let arms = StudyArm.readList(fields)
        let strata = [TrialDesign.Stratum].readList(fields, scales: scales)
        let outcomes = rows("outcomes", fields) { inner, place in
            outcome(inner, among: scales)
        }
        if !fields.has("outcomes") { fields.refuse("outcomes", "errors.required") }
        let sites =
            fields.has("sites")
            ? rows("sites", fields) { inner, _ in
                site(inner.text("name", required: true, limit: 60), inner.email("email"))
            } : nil
        return try made(fields, arms, strata, outcomes, sites)
    }

    private static func rows<T>(
        _ name: String, _ fields: InputReader, _ read: (InputReader, String) -> T?
    ) -> [T] {
        let list = fields.list(name) ?? []
        if list.count > most { fields.refuse(name, "errors.whole", ["from": "0", "to": String(most)]) }
        return list.prefix(most).enumerated().compactMap { index, json in
            let place = "\(name).\(index)"
            guard case .object = json else {
                fields.refuse(place, "errors.object")
                return nil
            }
            let inner = fields.inner(json, place + ".")
            let row = read(inner, place)
            fields.adopt(inner)
            return row
        }
    }

    /// From the portal's form: numbered rows for outcomes and sites; empty rows are ignored.
    /// - Parameter known: the stored groups.
    /// - Throws: `Problem.invalid`.
    package static func read(
        form fields: InputReader, scales: [StudyScale], over known: TrialDesign?
    ) throws(Problem) -> GroupDraft {
        let arms = StudyArm.read(form: fields, known: known?.arms ?? [])
        let outcomes = (1...most).compactMap { number -> TrialDesign.Outcome? in
            let name = "outcome_\(number)"
            guard let chosen = fields.text(name), chosen != "none" else { return nil }
            guard let scale = scales.first(where: { $0.id == chosen }) else {
                fields.refuse(name, "errors.choice")
                return nil
            }
            let isPrimary = fields.bool("\(name)_primary") ?? false
            return when(fields, named: { "\(name)_\($0)" }, of: scale).map {
                TrialDesign.Outcome(
                    isPrimary: isPrimary, key: scale.key, scale: scale.scale, when: $0, source: scale.source)
            }
        }
        let sites = (1...most).compactMap { number -> (name: String, email: String)? in
            let email = "site_\(number)_email"
            let name = "site_\(number)_name"
            guard fields.value(email) != nil || fields.value(name) != nil else { return nil }
            return site(fields.text(name, required: true, limit: 60), fields.email(email))
        }
        return try made(fields, arms, .read(form: fields, scales: scales), outcomes, sites)
    }

    /// From a call.
    private static func outcome(_ fields: InputReader, among scales: [StudyScale]) -> TrialDesign.Outcome? {
        let isPrimary = fields.bool("is_primary") ?? false
        let key = fields.text("questionnaire_key", required: true)
        let name = fields.text("scale", required: true)
        let source = fields.choice("source", from: TrialDesign.Outcome.Source.allCases.map(\.rawValue))
            .flatMap(TrialDesign.Outcome.Source.init)
        let scale = scales.first { $0.key == key && $0.scale == name && $0.source == source ?? .study }
        let when = when(fields, named: \.self, of: scale)
        if scale == nil, key != nil, name != nil { fields.refuse("scale", "studies.unknown_scale") }
        guard let scale, let when else { return nil }
        return TrialDesign.Outcome(
            isPrimary: isPrimary, key: scale.key, scale: scale.scale, when: when, source: scale.source)
    }

    /// Either a day or a time point at which the questionnaire stands; of a therapy only the latter, where it does not stand.
    /// - Parameters:
    ///   - name: of a field.
    ///   - scale: nil for one that is refused already.
    /// - Returns: nil where something is refused.
    private static func when(
        _ fields: InputReader, named name: (String) -> String, of scale: StudyScale?
    ) -> TrialDesign.Outcome.When? {
        let choices = TrialDesign.Outcome.Value.allCases.map(\.rawValue)
        let asked = fields.choice(name("value"), from: choices + (fields.isForm ? ["default"] : []))
        let value = asked.flatMap(TrialDesign.Outcome.Value.init)
        let point = fields.text(name("time_point")).flatMap { fields.isForm && $0 == "none" ? nil : $0 }
        guard let point else {
            if value != nil { fields.refuse(name("value"), "studies.outcome_value_alone") }
            if scale?.source == .therapy {
                fields.refuse(name("time_point"), "studies.outcome_therapy_point")
            } else if fields.value(name("day")) == nil {
                fields.refuse(name("day"), "errors.required")
            }
            return fields.whole(name("day"), 1...3650, first: 1).map { .day($0) }
        }
        if fields.value(name("day")) != nil {
            fields.refuse(name("time_point"), "studies.outcome_day_or_point")
        }
        if let scale, !scale.timePoints.contains(point) {
            fields.refuse(
                name("time_point"),
                scale.source == .study ? "studies.outcome_not_there" : "studies.outcome_therapy_not_there")
        }
        return .timePoint(point, value)
    }

    private static func site(_ name: String?, _ email: String?) -> (name: String, email: String)? {
        name.flatMap { name in email.map { (name, $0) } }
    }

    private static func made(
        _ fields: InputReader, _ arms: [StudyArm], _ strata: [TrialDesign.Stratum]?,
        _ outcomes: [TrialDesign.Outcome],
        _ sites: [(name: String, email: String)]?
    ) throws(Problem) -> GroupDraft {
        let allocation = fields.choice("allocation", from: StudyDesign.allocations, required: true)
            .flatMap(TrialDesign.Allocation.init)
        let needed = allocation == .minimised ? ["sample_size"] : ["size", "sample_size"]
        for name in needed where fields.value(name) == nil { fields.refuse(name, "errors.required") }
        let sent = fields.whole("size", sizes, first: 1)
        let size = allocation == .minimised ? 1 : sent
        let sample = fields.whole("sample_size", samples, first: 2)
        let turn = arms.turn.count
        if allocation == .randomised, let size, turn > 0, size % turn != 0 {
            fields.refuse("size", "studies.block_size", ["n": String(turn)])
        }
        let moment = fields.choice("allocated_at", from: StudyDesign.moments).flatMap(TrialDesign.Moment.init)
        if !outcomes.contains(where: \.isPrimary) { fields.refuse("outcomes", "studies.primary_needed") }
        for (index, outcome) in outcomes.enumerated()
        where outcomes[..<index].contains(where: {
            $0.isSameMeasure(as: outcome)
        }) {
            fields.refuse("outcomes", "studies.outcome_twice")
        }
        try fields.finish()
        guard let allocation, let size, let sample else { throw .invalid(fields.errors) }
        let groups = TrialDesign(
            allocation: allocation, at: moment ?? .enrolment, arms: arms, size: size, strata: strata ?? [],
            sampleSize: sample, outcomes: outcomes)
        return GroupDraft(
            groups: groups, keepsStrata: strata == nil, keepsMoment: moment == nil, sites: sites)
    }
}
