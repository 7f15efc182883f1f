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
        let (study, enrolment, choices) = try own(c)
        return .page(page(study, enrolment, choices, FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let (study, enrolment, choices) = try own(c)
        return try c.revise(orShow: { page(study, enrolment, choices, $0, c) }) { fields in
            let wanted = StudyMeasures.ticked(fields, from: study.measurements)
            try fields.finish()
            try StudyMeasures.choose(wanted, in: study.id, c)
            return .seeOther(OwnStudiesPages.path, flash: Message("own_settings.saved"))
        }
    }

    /// A study that asks for measurements, the caller's enrolment, and what was chosen in it.
    /// - Throws: `Problem.notFound`.
    private static func own(_ c: Context<Member>) throws -> (StudyRecord, EnrolmentRecord, [ItemChoice]) {
        let id: ID<Study> = try c.id("study")
        return try c.read { connection in
            guard let study = try StudyStore.find(id, connection), !study.measurements.isEmpty,
                let enrolment = try EnrolmentStore.find(in: id, of: c.proof.account.id, connection),
                [.enrolled, .pending].contains(enrolment.state)
            else { throw Problem.notFound }
            let choices = try ItemChoiceStore.all(of: enrolment.id, connection)
            return (study, enrolment, enrolment.items(choices, asked: []))
        }
    }

    private static func page(
        _ study: StudyRecord, _ enrolment: EnrolmentRecord, _ choices: [ItemChoice], _ filled: FormState,
        _ c: Context<Member>
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
            note: note(enrolment, in: study, choices, c), points: points,
            parent: OwnStudiesPages.parent(texts), action: "/my/studies/\(study.id)/measurements",
            fields: StudyMeasures.boxes(
                // Agreeing to another sentence takes a new tick: no box is preselected then.
                study.measurements, ticked: enrolment.hasEarlierTicks ? [] : given,
                label: "own_studies.give", filled),
            submit: texts["own_settings.save"], errors: filled.summary)
    }

    /// What is given to the study, since when and under which sentence; nil before any choice.
    private static func note(
        _ enrolment: EnrolmentRecord, in study: StudyRecord, _ choices: [ItemChoice], _ c: Context<Member>
    ) -> String? {
        let texts = c.texts
        guard enrolment.chosenSentence != nil else { return nil }
        let when = { (at: Instant?) in
            at.map { texts["own_studies.chosen_at", ["when": c.dates.dayAndTime($0)]] }
                ?? texts["own_studies.chosen_unknown"]
        }
        let asked = Set(study.measurements.map(ItemChoice.Kind.measure))
        let given = choices.filter { $0.isGiven && asked.contains($0.kind) }
        if given.isEmpty { return texts["own_studies.chosen_nothing", ["when": when(enrolment.tickedAt)]] }
        // What was chosen together is said together.
        var parts: [[ItemChoice]] = []
        for choice in given {
            if let place = parts.firstIndex(where: {
                $0[0].at == choice.at && $0[0].sentence == choice.sentence
            }) {
                parts[place].append(choice)
            } else {
                parts.append([choice])
            }
        }
        return parts.map { part in
            let names = part.map { texts[$0.kind.key] }.joined(separator: ", ")
            let sentence = StudyMeasures.words(ofSentence: part[0].sentence ?? StudyMeasures.sentence, texts)
            let key = part[0].sentence == StudyMeasures.researchSentence ? "given" : "ticked"
            return texts[
                "own_studies.chosen_\(key)", ["names": names, "when": when(part[0].at), "sentence": sentence]]
        }.joined(separator: " ")
    }
}
