import HTTP
import Records
import Rules
import Studies
import Therapies
import Web
import Wire
import Wording

/// The protocols of one patient over the API.
enum PatientProtocolAPI {
    static func routes(_ routes: inout Routes) {
        let type = PatientProtocol.self
        routes.call(
            .get, "/patients/:patient/protocol", .caseloadReader,
            .one("What of a patient's plan comes from protocols", type).revised(PutProtocolStore.revision),
            show)
        routes.call(
            .put, "/patients/:patient/protocol", .caseload,
            .one(
                "Put a protocol on a therapy, or none; `follow` withdraws what came from the one before",
                type, takes: PatientProtocol.sent
            ).revised(PutProtocolStore.revision), put)
        routes.call(
            .delete, "/patients/:patient/planned-interventions/:planned", .caseload,
            .nothing("Withdraw an intervention that is sent on a day and has not been sent yet"), withdraw)
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply { try .data(One(try wire(c))) }

    @Sendable static func put(_ c: Context<Caseload>) throws -> Reply {
        let fields = try c.body()
        if !fields.has("protocol_id") { fields.refuse("protocol_id", "errors.required") }
        let id: ID<TreatmentProtocol>? = fields.id("protocol_id")
        let follows = fields.bool("follow")
        if follows == nil && fields.errors.isEmpty { fields.refuse("follow", "errors.required") }
        try fields.finish()
        try PatientProtocolActions.put(id, follows: follows ?? false, c)
        return try .data(One(try wire(c)))
    }

    @Sendable static func withdraw(_ c: Context<Caseload>) throws -> Reply {
        try PlannedInterventions.withdraw(try c.id("planned"), c)
        return .response(.noContent)
    }

    private static func wire(_ c: Context<Caseload>) throws -> PatientProtocol {
        let therapy = c.proof.patient
        return try c.read { connection in
            var wire = PatientProtocol()
            for put in try PutProtocolStore.all(in: therapy.id, connection) {
                guard let record = try ProtocolStore.find(put.protocolID, connection) else { continue }
                if put.isChosen {
                    wire.protocolID = record.id.text
                    wire.name = record.name
                    wire.putAt = put.putAt
                    wire.follows = put.revision == record.revision
                } else {
                    let isOffered = try OfferStore.study(ofTherapy: therapy.id, connection) == record.studyID
                    wire.studies.append(
                        .init(
                            protocolID: record.id.text, name: isOffered ? record.name : nil,
                            studyID: isOffered ? record.studyID?.text : nil))
                }
            }
            let course = try PlannedInterventions.course(therapy, c.services, connection)
            wire.interventions = try PlannedInterventionStore.all(in: therapy.id, connection).map { planned in
                var wire = PatientProtocol.Planned(
                    id: planned.id.text, interventionID: planned.libraryID.text, day: planned.day,
                    state: planned.state(course, at: c.now).rawValue)
                wire.protocolID = planned.protocolID?.text
                wire.dueOn = planned.dueOn(course.begin)
                wire.sentAt = planned.sentAt
                return wire
            }
            return wire
        }
    }
}
