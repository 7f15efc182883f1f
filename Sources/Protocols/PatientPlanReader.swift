import Database
import HTTP
import Identity
import Records
import Rules
import Studies
import Therapies
import Web
import Wire
import Wording

/// The part of a patient's plan that comes from protocols, for the pages of the clinic.
package struct PatientPlan: Encodable, Sendable {
    /// An intervention to be sent on a day.
    package struct Planned: Encodable, Sendable {
        package let id: ID<PlannedIntervention>
        package let text: String
        package let when: String
        package let state: String
        package let isWaiting: Bool
    }
    /// One protocol in force.
    package struct Source: Encodable, Sendable {
        package let id: ID<TreatmentProtocol>
        package let name: String
        package let since: String
        /// Chosen by the therapist; otherwise of a study.
        package let isChosen: Bool
        /// It was changed since, and this therapy has kept its former state.
        package let isBehind: Bool
        package let reactions: [ProtocolLine]
        package let hasReactions: Bool
        package let interventions: [Planned]
        package let hasInterventions: Bool
        package let dailies: String?
    }

    package let sources: [Source]
    /// Interventions that have become the patient's own.
    package let own: [Planned]
    package let hasOwn: Bool
    /// The protocols to choose from; empty where there is no choice.
    package let choice: FieldView?
    /// Whether the plan of a present protocol needs a decision.
    package let hasChosen: Bool

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
        // The study is the patient's private matter, unless this therapist has offered it.
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
        // After a hand-over the protocol in force may not be selectable any more; it can be kept or given up.
        let kept = try first.flatMap { id in
            all.contains { $0.id == id } ? nil : try ProtocolStore.find(id, connection)
        }
        let choices = all + [kept].compactMap(\.self)
        if choices.isEmpty { return nil }
        return view(filled, choices, first: first, label: "protocols.of_patient", c.texts)
    }

    /// For a new patient, with the therapist's default preselected; nil without any protocol.
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
        filled.list(
            "protocol_id", label: label, first: first?.text ?? "", none: "protocols.no_protocol",
            records.map { ($0.id.text, $0.name) })
    }
}
