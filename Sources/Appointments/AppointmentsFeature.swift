import Identity
import Web
import Wire

extension Feature {
    /// Appointments of patients, for phones (IO-14); the pages of both sides stand above.
    package static let appointments = Feature(
        name: "appointments", addRoutes: { routes in AppointmentAPI.routes(&routes) },
        ownData: { owner, connection in
            let all = try AppointmentStore.all(
                of: owner.account.id, from: .distantPast, until: .distantFuture, connection)
            return [.appointments: try all.map { try $0.wire(owner.key) }]
        })
}
