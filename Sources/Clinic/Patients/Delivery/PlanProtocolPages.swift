import HTTP
import Protocols
import Records
import Rules
import Therapies
import Web
import Wire
import Wording

/// The protocol of a patient, changed on the page of their plan (PR-17).
enum PlanProtocolPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.post, "/patients/:patient/protocol", .caseload, put)
        routes.page(
            .post, "/patients/:patient/planned-interventions/:planned/withdrawal", .caseload, withdraw)
    }

    @Sendable static func put(_ c: Context<Caseload>) throws -> Reply {
        try c.submit(orShow: { try DeliveryPages.page(c, $0) }) { fields in
            let id: ID<TreatmentProtocol>? = fields.id("protocol_id")
            let follows = fields.bool("follow")
            if follows == nil { fields.refuse("follow", "errors.required") }
            try fields.finish()
            try PatientProtocolActions.put(id, follows: follows ?? false, c)
            return .seeOther(
                "\(c.proof.patient.path)/deliveries",
                flash: Message(id == nil ? "protocols.taken_off" : "protocols.put_done"))
        }
    }

    @Sendable static func withdraw(_ c: Context<Caseload>) throws -> Reply {
        try PlannedInterventions.withdraw(try c.id("planned"), c)
        return .seeOther("\(c.proof.patient.path)/deliveries", flash: Message("protocols.withdrawn"))
    }
}
