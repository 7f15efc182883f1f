import HTTP
import Identity
import Records
import Studies
import Web
import Wire
import Wording

/// Giving own measurements to a study that asks for them (FB-2).
enum OwnStudyMeasuresPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/studies/:study/measurements", .patient, edit)
        routes.page(.post, "/my/studies/:study/measurements", .patient, update)
    }

    @Sendable static func edit(_ c: Context<Member>) throws -> Reply {
        let (study, enrolment) = try own(c)
        return .page(page(study, enrolment, FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let (study, enrolment) = try own(c)
        return try c.revise(orShow: { page(study, enrolment, $0, c) }) { fields in
            let wanted = StudyMeasures.ticked(fields, from: study.measurements)
            try fields.finish()
            try StudyMeasures.choose(wanted, in: study.id, c)
            return .seeOther(OwnStudiesPages.path, flash: Message("own_settings.saved"))
        }
    }

    /// A study that asks for measurements, and the caller's enrolment.
    /// - Throws: `Problem.notFound`.
    private static func own(_ c: Context<Member>) throws -> (StudyRecord, EnrolmentRecord) {
        let id: ID<Study> = try c.id("study")
        let found = try c.read { connection in
            (
                try StudyStore.find(id, connection),
                try EnrolmentStore.find(in: id, of: c.proof.account.id, connection)
            )
        }
        guard let study = found.0, let enrolment = found.1, !study.measurements.isEmpty,
            [.enrolled, .pending].contains(enrolment.state)
        else { throw Problem.notFound }
        return (study, enrolment)
    }

    private static func page(
        _ study: StudyRecord, _ enrolment: EnrolmentRecord, _ filled: FormState, _ c: Context<Member>
    ) -> OwnForm {
        let texts = c.texts
        var points = [
            texts["own_studies.measures_point_1"],
            StudyMeasures.words(ofSentence: StudyMeasures.sentence, texts),
            texts["own_studies.measures_point_3"],
        ]
        let given = study.measurements.filter(enrolment.measurements.contains)
        let names = given.map { texts["health.\($0.rawValue)"] }.joined(separator: ", ")
        if enrolment.hasEarlierTicks {
            points.append(texts["own_studies.measures_earlier", ["names": names]])
        }
        return OwnForm(
            title: texts["own_studies.measures"], lead: study.title.text(in: c.languages) ?? study.name,
            note: note(enrolment, names, c), points: points,
            parent: OwnStudiesPages.parent(texts), action: "/my/studies/\(study.id)/measurements",
            fields: StudyMeasures.boxes(
                // Agreeing to another sentence takes a new tick: no box is preselected then.
                study.measurements, ticked: enrolment.hasEarlierTicks ? [] : given,
                label: "own_studies.give", filled),
            submit: texts["own_settings.save"], errors: filled.summary)
    }

    /// What is given to the study, since when and under which sentence; nil before any choice.
    /// - Parameter names: of what is given.
    private static func note(
        _ enrolment: EnrolmentRecord, _ names: String, _ c: Context<Member>
    ) -> String? {
        let texts = c.texts
        guard let version = enrolment.chosenSentence else { return nil }
        let when =
            enrolment.tickedAt.map { texts["own_studies.chosen_at", ["when": c.dates.dayAndTime($0)]] }
            ?? texts["own_studies.chosen_unknown"]
        if names.isEmpty { return texts["own_studies.chosen_nothing", ["when": when]] }
        let sentence = StudyMeasures.words(ofSentence: version, texts)
        return texts["own_studies.chosen", ["names": names, "when": when, "sentence": sentence]]
    }
}
