import Delivery
import HTTP
import Therapies
import Web
import Wording

/// Switching dailies on or off for one patient, by page and by call, with undo.
enum DailySwitchPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.post, "/patients/:patient/dailies", .caseload, undo: .dailies, switchDailies)
        routes.call(
            .delete, "/patients/:patient/dailies", .caseload,
            .nothing("Switch the dailies of a patient off").undone(.dailies), switchOff)
        routes.call(
            .post, "/patients/:patient/dailies/return", .caseload,
            .nothing("Switch the dailies of a patient on").revised(Undo.dailies.revision), switchOn)
    }

    /// Switches dailies on or off for this patient. Off withdraws those that have not begun; on plans from now.
    @Sendable static func switchDailies(_ c: Context<Caseload>) throws -> Reply {
        let fields = InputReader(form: try c.form())
        let isOn = fields.bool("dailies") ?? false
        try switchDailies(on: isOn, c)
        if isOn { c.withholdUndo() }
        let flash = isOn ? "delivery.daily_switched_on" : "delivery.daily_switched_off"
        return .seeOther("\(c.proof.patient.path)/deliveries", flash: Message(flash))
    }

    @Sendable static func switchOff(_ c: Context<Caseload>) throws -> Reply {
        try switchDailies(on: false, c)
        return .response(.noContent)
    }

    @Sendable static func switchOn(_ c: Context<Caseload>) throws -> Reply {
        try switchDailies(on: true, c)
        return .response(.noContent)
    }

    private static func switchDailies(on isOn: Bool, _ c: Context<Caseload>) throws {
        let therapy = c.proof.patient.id
        let therapist = c.proof.patient.therapistID
        try c.write(.dailiesSwitched, about: therapy) { [now = c.now] connection in
            try TherapyStore.setDailiesOff(isOn ? nil : now, in: therapy, therapist: therapist, connection)
            if !isOn { try DailyStore.clearFuture(in: therapy, at: now, connection) }
        }
        if isOn { try DailyPlanning.ensure(therapy, c) }
    }
}

extension Undo {
    static let dailies = Undo(
        by: "/patients/:patient/dailies/return", shown: "/patients/:patient", TherapyStore.dailies)
}
