import Accounts
import HTTP
import Identity
import Instruments
import Responses
import Rules
import Studies
import Therapies
import Web
import Wire

/// What waits for a patient, for the first screen of an app.
enum OverviewAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(.get, "/my/overview", .patient, .one("What waits, at a glance", Overview.self), show)
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account.id
        let studies = try c.read { connection in
            let all = StudyAssignments(account: account, cache: c.services.questionnaires, now: c.now)
            return try all.open(connection).count { $0.availableFrom <= c.now }
        }
        guard let therapy = try c.read({ try TherapyStore.running(of: account, $0) }) else {
            return try .data(
                One(
                    Overview(
                        paired: false, openQuestionnaires: studies, newInterventions: 0, appointmentsDue: 0,
                        nextAppointment: nil, therapistName: nil)))
        }
        try DailyPlanning.ensure(therapy.id, c)
        let overview = try c.read { connection -> Overview in
            // Who is to have no app fills in paper (IO-21).
            let open =
                therapy.arm == .noApp
                ? [] : try AssignmentStore.open(in: therapy.id, at: c.now, connection)
            let given = try InterventionStore.all(in: therapy.id, withWithdrawn: false, connection)
            let ahead = try AppointmentStore.all(inTherapy: therapy.id, connection).filter {
                $0.endsAt > c.now
            }
            let therapist = try TherapistStore.card(of: therapy.therapistID, c.keys, connection)
            return Overview(
                paired: true, openQuestionnaires: studies + open.count { $0.availableFrom <= c.now },
                newInterventions: given.count { $0.state == .new }, appointmentsDue: ahead.count,
                nextAppointment: ahead.map(\.startsAt).min(), therapistName: therapist?.fullName)
        }
        return try .data(One(overview))
    }
}
