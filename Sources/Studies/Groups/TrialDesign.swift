import Database
import Instruments
import JSON
import Questionnaires
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// How participants are allocated to groups (IO-21), and the outcomes compared between them.
package struct TrialDesign: Sendable, Equatable {
    package enum Allocation: String, Sendable, CaseIterable, SQLConvertible { case alternating, randomised }

    /// A scale at a time, named before the first participant is in.
    package struct Outcome: Sendable, Equatable {
        package let isPrimary: Bool
        package let key: String
        package let scale: String
        /// Days after enrolment.
        package let day: Int

        package init(isPrimary: Bool, key: String, scale: String, day: Int) {
            self.isPrimary = isPrimary
            self.key = key
            self.scale = scale
            self.day = day
        }
    }

    package let allocation: Allocation
    package let arms: [Therapy.Arm]
    /// Of a cohort, or of a block.
    package let size: Int
    package let sampleSize: Int
    package let outcomes: [Outcome]

    package init(
        allocation: Allocation, arms: [Therapy.Arm], size: Int, sampleSize: Int, outcomes: [Outcome]
    ) {
        self.allocation = allocation
        self.arms = arms
        self.size = size
        self.sampleSize = sampleSize
        self.outcomes = outcomes
    }

    /// The arm of a place in a site's sequence, counted from 0. Cohorts take turns in the order of the arms. Blocks
    /// hold every arm equally often, in an order shuffled after Fisher and Yates by randomness from the seed, the
    /// site and the number of the block; the same seed always gives the same sequence.
    package func arm(at place: Int, of site: String, seed: UInt64) -> Therapy.Arm {
        guard allocation == .randomised else { return arms[place / size % arms.count] }
        var block = (0..<size).map { arms[$0 % arms.count] }
        var chance = SplitMix64(seed ^ Schedule.seed(site, String(place / size)))
        for index in stride(from: size - 1, to: 0, by: -1) {
            block.swapAt(index, chance.number(below: index + 1))
        }
        return block[place % size]
    }

    /// The parts that may not change once a participant is in a group.
    package func isSame(as other: TrialDesign) -> Bool {
        allocation == other.allocation && arms == other.arms && size == other.size
            && outcomes == other.outcomes
    }
}

/// Groups as leads enter them, with the therapists who bring patients in. Made only by reading.
package struct GroupDraft: Sendable {
    package let groups: TrialDesign
    /// By the address of the therapist's account; nil leaves them as they are.
    package let sites: [(name: String, email: String)]?

    private static let sizes = 1...1000
    private static let samples = 2...100_000
    private static let most = 50

    /// - Parameter scales: the scales of the study's questionnaires.
    /// - Throws: `Problem.invalid`.
    package static func read(json fields: InputReader, scales: [StudyScale]) throws(Problem) -> GroupDraft {
        let arms = (fields.list("arms") ?? []).map { $0.string ?? "" }
        if !fields.has("arms") { fields.refuse("arms", "errors.required") }
        let outcomes = rows("outcomes", fields) { inner, place in
            outcome(
                inner, isPrimary: inner.bool("is_primary") ?? false,
                key: inner.text("questionnaire_key", required: true),
                scale: inner.text("scale", required: true), day: "day", scales)
        }
        if !fields.has("outcomes") { fields.refuse("outcomes", "errors.required") }
        let sites =
            fields.has("sites")
            ? rows("sites", fields) { inner, _ in
                site(inner.text("name", required: true, limit: 60), inner.email("email"))
            } : nil
        return try made(fields, arms, outcomes, sites)
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

    /// From the portal's form: boxes for the arms, numbered rows for outcomes and sites; empty rows are ignored.
    /// - Throws: `Problem.invalid`.
    package static func read(form fields: InputReader, scales: [StudyScale]) throws(Problem) -> GroupDraft {
        let arms = StudyDesign.arms.filter { fields.bool("arm_\($0)") ?? false }
        let outcomes = (1...most).compactMap { number -> TrialDesign.Outcome? in
            let name = "outcome_\(number)"
            guard let chosen = fields.text(name), chosen != "none" else { return nil }
            guard let scale = scales.first(where: { $0.id == chosen }) else {
                fields.refuse(name, "errors.choice")
                return nil
            }
            return outcome(
                fields, isPrimary: fields.bool("\(name)_primary") ?? false, key: scale.key,
                scale: scale.scale,
                day: "\(name)_day", scales)
        }
        let sites = (1...most).compactMap { number -> (name: String, email: String)? in
            let email = "site_\(number)_email"
            let name = "site_\(number)_name"
            guard fields.value(email) != nil || fields.value(name) != nil else { return nil }
            return site(fields.text(name, required: true, limit: 60), fields.email(email))
        }
        return try made(fields, arms, outcomes, sites)
    }

    private static func outcome(
        _ fields: InputReader, isPrimary: Bool, key: String?, scale: String?, day: String,
        _ scales: [StudyScale]
    ) -> TrialDesign.Outcome? {
        if fields.value(day) == nil { fields.refuse(day, "errors.required") }
        let number = fields.whole(day, 1...3650, first: 1)
        guard let key, let scale, let number else { return nil }
        if !scales.contains(where: { $0.key == key && $0.scale == scale }) {
            fields.refuse("scale", "studies.unknown_scale")
        }
        return TrialDesign.Outcome(isPrimary: isPrimary, key: key, scale: scale, day: number)
    }

    private static func site(_ name: String?, _ email: String?) -> (name: String, email: String)? {
        name.flatMap { name in email.map { (name, $0) } }
    }

    private static func made(
        _ fields: InputReader, _ names: [String], _ outcomes: [TrialDesign.Outcome],
        _ sites: [(name: String, email: String)]?
    ) throws(Problem) -> GroupDraft {
        let allocation = fields.choice("allocation", from: StudyDesign.allocations, required: true)
            .flatMap(TrialDesign.Allocation.init)
        for name in ["size", "sample_size"] where fields.value(name) == nil {
            fields.refuse(name, "errors.required")
        }
        let size = fields.whole("size", sizes, first: 1)
        let sample = fields.whole("sample_size", samples, first: 2)
        let arms = names.compactMap(Therapy.Arm.init)
        if arms.count < names.count || Set(arms).count < arms.count { fields.refuse("arms", "errors.choice") }
        if arms.count < 2 { fields.refuse("arms", "studies.two_arms") }
        if allocation == .randomised, let size, !arms.isEmpty, size % arms.count != 0 {
            fields.refuse("size", "studies.block_size", ["n": String(arms.count)])
        }
        if !outcomes.contains(where: \.isPrimary) { fields.refuse("outcomes", "studies.primary_needed") }
        for (index, outcome) in outcomes.enumerated()
        where outcomes[..<index].contains(where: {
            $0.key == outcome.key && $0.scale == outcome.scale && $0.day == outcome.day
        }) {
            fields.refuse("outcomes", "studies.outcome_twice")
        }
        try fields.finish()
        guard let allocation, let size, let sample else { throw .invalid(fields.errors) }
        let groups = TrialDesign(
            allocation: allocation, arms: arms, size: size, sampleSize: sample, outcomes: outcomes)
        return GroupDraft(groups: groups, sites: sites)
    }
}

/// A scale of one of a study's questionnaires.
package struct StudyScale: Sendable {
    package let key: String
    package let scale: String
    /// Of the questionnaire and the scale.
    package let title: String
    package let definition: Scale

    /// What stands for it in a form.
    package var id: String { "\(key)/\(scale)" }

    /// All of a study, in its order; of questionnaires out of use too.
    package static func all(
        in study: ID<Study>, _ language: Language, _ cache: QuestionnaireCache,
        _ connection: borrowing Connection
    ) throws -> [StudyScale] {
        try StudyItemStore.all(in: study, connection).distinct.flatMap { item -> [StudyScale] in
            let last = try QuestionnaireStore.versions(item.key, connection).first
            guard let record = try last.flatMap({ try QuestionnaireStore.find($0.id, cache, connection) })
            else { return [] }
            let words = record.definition.language(asked: language.rawValue)
            return record.definition.scales.map { scale in
                StudyScale(
                    key: item.key, scale: scale.key,
                    title: "\(record.title(language)): \(scale.title[words] ?? scale.key)", definition: scale)
            }
        }
    }
}

extension AuditAction {
    package static let studyGroupsChanged = AuditAction(name: "study.groups_changed")
    package static let studyAllocationClosed = AuditAction(name: "study.allocation_closed")
}
