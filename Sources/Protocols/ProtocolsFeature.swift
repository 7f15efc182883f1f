import Identity
import Records
import Responses
import Studies
import Web
import Wire

extension Feature {
    /// Protocols: what is defined once for many therapies.
    package static let protocols = Feature(
        name: "protocols",
        addRoutes: { routes in
            ProtocolPages.routes(&routes)
            ProtocolAPI.routes(&routes)
            PatientProtocolAPI.routes(&routes)
        },
        questions: FeatureQuestions(
            uses: { question, connection in
                try ProtocolStore.all(connection).flatMap { try $0.uses(question, connection) }
            },
            isNeeded: { battery, connection in
                try ProtocolStore.all(connection).contains { record in
                    record.definition.asked.contains { $0.batteryID?.text == battery }
                }
            },
            mayReach: { account, connection in
                if try ParticipationStore.leads(account, connection) { return true }
                return try AccountStore.find(account, connection)?.roles.contains(.admin) ?? false
            },
            participates: { account, services, now, connection in
                try ProtocolPlanner.participates(account, services, now: now, connection)
            },
            starter: { c, connection in try StarterProtocol.piece(c, connection) }))
}
