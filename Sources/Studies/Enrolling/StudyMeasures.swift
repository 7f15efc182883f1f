import Database
import HTTP
import Identity
import JSON
import Records
import Web
import Wire
import Wording

/// Which of people's own measurements a study asks for, and which of these somebody gives to it (FB-2). By themselves none.
package enum StudyMeasures {
    package typealias Measure = MeasurementSharing.Measure

    /// What a study may ask for. What was heard and matched is in its files for all who said yes to research.
    package static let offered = Measure.ordered.filter { $0 != .listening && $0 != .tinnitus }

    /// The sentence that is agreed to with a tick now. Under the first one ticks counted only as long as research as a whole was
    /// agreed to (`own_studies.measures_point_2`, before FD-19); from the second on the tick is the yes.
    package static let sentence = 2

    static func list(column: String) -> [Measure] {
        let names = Set(column.split(separator: " ").map(String.init))
        return offered.filter { names.contains($0.rawValue) }
    }

    static func column(_ measures: [Measure]) -> String {
        offered.filter(measures.contains).map(\.rawValue).joined(separator: " ")
    }

    /// A list of kinds over the API; nil where none was sent.
    /// - Parameter asked: the kinds there are to choose from.
    static func read(_ fields: InputReader, from asked: [Measure] = offered) -> [Measure]? {
        guard let value = fields.value("measurements") else { return nil }
        let names = value.array?.map { $0.string ?? "" }
        guard let names, names.allSatisfy({ name in asked.contains { $0.rawValue == name } }) else {
            let choices = asked.map(\.rawValue).joined(separator: ", ")
            if asked.count < offered.count {
                fields.refuse("measurements", "studies.measure_not_asked")
            } else {
                fields.refuse("measurements", "errors.choice", ["choices": choices])
            }
            return nil
        }
        return asked.filter { names.contains($0.rawValue) }
    }

    /// The boxes of a form that are ticked.
    package static func ticked(_ fields: InputReader, from asked: [Measure] = offered) -> [Measure] {
        asked.filter { fields.bool(box($0)) ?? false }
    }

    /// The name of a kind's box.
    package static func box(_ measure: Measure) -> String { "measure_\(measure.rawValue)" }

    /// Boxes for some kinds.
    package static func boxes(
        _ asked: [Measure], ticked: [Measure], label: String, _ filled: FormState
    ) -> [FieldView] {
        asked.map { measure in
            var field = filled.field(
                box(measure), label: label, first: ticked.contains(measure) ? "true" : "")
            field.label = filled.texts[label, ["name": filled.texts["health.\(measure.rawValue)"]]]
            field.isCheck = true
            return field
        }
    }

    /// Chooses anew what goes to a study, for somebody who takes part or has asked to.
    package static func choose(_ wanted: [Measure], in study: ID<Study>, _ c: Context<Member>) throws {
        let account = c.proof.account
        let names = wanted.map(\.rawValue).sorted().joined(separator: " ")
        let change = try c.change(of: try account.key(c.keys), to: ["types": names])
        try c.write(.studyMeasuresChosen, about: account.id, object: study, change: change) {
            [now = c.now] connection in
            guard let present = try StudyStore.find(study, connection),
                let enrolment = try EnrolmentStore.find(in: study, of: account.id, connection),
                enrolment.state == .enrolled || enrolment.state == .pending
            else { throw Problem.notFound }
            // The study may have ceased to ask meanwhile.
            let given = present.measurements.filter(wanted.contains)
            try StudyMeasureStore.set(given, of: enrolment.id, at: now, connection)
        }
    }
}

extension AuditAction {
    static let studyMeasuresChosen = AuditAction(name: "enrolment.measurements")
}
