import Accounts
import HTTP
import Scheduling
import Therapies
import Web
import Wire

/// What waits for a patient, for the first screen of an app.
enum OverviewAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(.get, "/my/overview", .patient, .one("What waits, at a glance", Overview.self), show)
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let agenda = try Agenda.ready(c)
        let overview = try c.read { connection in
            let items = try agenda.items(Agenda.Part.allCases, connection)
            let open = items.filter { $0.state == .open }
            let ahead = items.filter { $0.appointment != nil && $0.state != .done(nil) }
            let therapist = try agenda.therapy.flatMap {
                try TherapistStore.card(of: $0.therapistID, c.keys, connection)
            }
            return Overview(
                paired: agenda.therapy != nil, openQuestionnaires: open.count { $0.form != nil },
                newInterventions: open.count { $0.intervention != nil }, appointmentsDue: ahead.count,
                nextAppointment: ahead.map(\.opens.at).min(), therapistName: therapist?.fullName)
        }
        return try .data(One(overview))
    }
}
