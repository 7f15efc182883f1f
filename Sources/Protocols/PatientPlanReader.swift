import Database
import HTTP
import Identity
import Records
import Rules
import Scheduling
import Studies
import Therapies
import Web
import Wire
import Wording

/// What of a patient's plan comes from protocols, for the pages of the clinic.
package struct PatientPlan: Encodable, Sendable {
    /// An intervention that is sent on a day.
    package struct Planned: Encodable, Sendable {
        package let id: ID<PlannedIntervention>
        package let text: String
        package let when: String
        package let state: String
        package let isWaiting: Bool
    }
    /// One protocol that is in force.
    package struct Source: Encodable, Sendable {
        package let id: ID<TreatmentProtocol>
        package let name: String
        package let since: String
        /// Chosen by the therapist; else of a study.
        package let isChosen: Bool
        /// It was changed since, and this therapy has kept what it had.
        package let isBehind: Bool
        package let reactions: [ProtocolLine]
        package let hasReactions: Bool
        package let interventions: [Planned]
        package let hasInterventions: Bool
        package let dailies: String?
    }

    package let sources: [Source]
    /// Interventions that are the patient's own by now.
    package let own: [Planned]
    package let hasOwn: Bool
    /// The protocols to choose from; empty where there is nothing to choose.
    package let choice: FieldView?
    /// Whether there is a protocol whose plan has to be decided about.
    package let hasChosen: Bool

    package static let example = PatientPlan(
        sources: [
            Source(
                id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", name: "Standard", since: "seit 3. Mai",
                isChosen: true, isBehind: true,
                reactions: [ProtocolLine(what: "Drei Tage still", when: "Wenn nichts kommt")],
                hasReactions: true,
                interventions: [
                    Planned(
                        id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a12", text: "Gehen Sie hinaus.",
                        when: "Tag 3", state: "geplant", isWaiting: true)
                ], hasInterventions: true, dailies: "einschalten")
        ],
        own: [
            Planned(
                id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a13", text: "Gehen Sie hinaus.", when: "Tag 9",
                state: "geplant", isWaiting: true)
        ], hasOwn: true, choice: FieldView(name: "protocol_id", label: "Protokoll", isSelect: true),
        hasChosen: true)

    /// - Parameter filled: the form in which another protocol is chosen.
    package static func read(
        _ c: Context<Caseload>, _ filled: FormState, _ connection: borrowing Connection
    ) throws -> PatientPlan {
        let therapy = c.proof.patient
        let put = try PutProtocolStore.all(in: therapy.id, connection)
        let course = try PlannedInterventions.course(therapy, c.services, connection)
        let all = try PlannedInterventionStore.all(in: therapy.id, connection)
        let planned = { (origin: ID<TreatmentProtocol>?, connection: borrowing Connection) in
            try all.filter { $0.protocolID == origin && (origin != nil || $0.withdrawnAt == nil) }.compactMap
            {
                try Self.planned($0, course, c, connection)
            }
        }
        let sources = try put.compactMap { put -> Source? in
            guard let record = try ProtocolStore.find(put.protocolID, connection) else { return nil }
            let reactions = try ProtocolLines.reactions(put.definition.rules, c, connection)
            let interventions = try planned(record.id, connection)
            return Source(
                id: record.id, name: try name(record, c, connection),
                since: c.texts["protocols.put_since", ["day": c.dates.day(put.putAt)]],
                isChosen: put.isChosen, isBehind: put.isChosen && put.revision < record.revision,
                reactions: reactions, hasReactions: !reactions.isEmpty, interventions: interventions,
                hasInterventions: !interventions.isEmpty,
                dailies: put.definition.dailies.map {
                    c.texts["protocols.content_dailies_\($0 ? "on" : "off")"]
                })
        }
        let own = try planned(nil, connection)
        let chosen = put.first { $0.isChosen }?.protocolID
        let person = c.proof.therapist
        return PatientPlan(
            sources: sources, own: own, hasOwn: !own.isEmpty,
            choice: therapy.endedAt == nil
                ? try field(filled, person, first: chosen, c, connection) : nil,
            hasChosen: chosen != nil)
    }

    private static func name(
        _ record: ProtocolRecord, _ c: Context<Caseload>, _ connection: borrowing Connection
    ) throws -> String {
        guard let study = try record.studyID.flatMap({ try StudyStore.find($0, connection) }) else {
            return record.name
        }
        // Which study it is is the patient's own affair, unless this therapist has offered it.
        guard try OfferStore.study(ofTherapy: c.proof.patient.id, connection) == study.id else {
            return c.texts["protocols.of_some_study"]
        }
        let title = study.title.text(in: c.languages) ?? study.name
        return c.texts["protocols.of_study", ["title": title, "name": record.name]]
    }

    private static func planned(
        _ planned: PlannedIntervention, _ course: PlannedIntervention.Course, _ c: Context<Caseload>,
        _ connection: borrowing Connection
    ) throws -> Planned? {
        guard let text = try LibraryStore.named(planned.libraryID, connection) else { return nil }
        let state = planned.state(course, at: c.now)
        let number = String(planned.day)
        let when =
            planned.dueOn(course.begin).map {
                c.texts["protocols.planned_on", ["n": number, "day": c.dates.day($0)]]
            } ?? c.texts["protocols.planned_day", ["n": number]]
        let isWithheld = [.waiting, .passed].contains(state) && !c.proof.patient.mayReceiveInterventions
        return Planned(
            id: planned.id, text: text.text.text(in: c.languages) ?? "", when: when,
            state: c.texts["protocols.state_\(isWithheld ? "withheld" : state.rawValue)"],
            isWaiting: state == .waiting)
    }

    // MARK: Choosing

    /// The list of protocols for a patient, and for a new one.
    private static func field(
        _ filled: FormState, _ person: AccountRecord, first: ID<TreatmentProtocol>?, _ c: Context<Caseload>,
        _ connection: borrowing Connection
    ) throws -> FieldView? {
        let reader = try ProtocolReader(person, c.languages, connection)
        let all = try ProtocolStore.all(connection).filter(reader.mayChoose)
        // After a hand-over the one in force may be nobody's to choose any more; it can be kept or given up.
        let kept = try first.flatMap { id in
            all.contains { $0.id == id } ? nil : try ProtocolStore.find(id, connection)
        }
        let choices = all + [kept].compactMap(\.self)
        if choices.isEmpty { return nil }
        return view(filled, choices, first: first, label: "protocols.of_patient", c.texts)
    }

    /// For a new patient, the therapist's default chosen beforehand; nil while there is no protocol.
    package static func field(
        forNew filled: FormState, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> FieldView? {
        let reader = try ProtocolReader(c, connection)
        let all = try ProtocolStore.all(connection).filter(reader.mayChoose)
        if all.isEmpty { return nil }
        let standard = try ProtocolStore.standard(of: reader.account, connection)
        var view = view(filled, all, first: standard, label: "protocols.of_new", c.texts)
        view.hint = c.texts["protocols.of_new_hint"]
        return view
    }

    private static func view(
        _ filled: FormState, _ records: [ProtocolRecord], first: ID<TreatmentProtocol>?, label: String,
        _ texts: Texts
    ) -> FieldView {
        var view = filled.field("protocol_id", label: label, first: first?.text ?? "")
        view.isSelect = true
        let none = FieldView.Choice(
            value: "", label: texts["protocols.no_protocol"], isChosen: view.value.isEmpty)
        view.choices =
            [none]
            + records.map {
                .init(value: $0.id.text, label: $0.name, isChosen: $0.id.text == view.value)
            }
        return view
    }
}
