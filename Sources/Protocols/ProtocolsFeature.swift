import Delivery
import Identity
import Records
import Studies
import Web

extension Feature {
    /// Protocols: plans defined once for many therapies.
    package static let protocols = Feature(
        name: "protocols",
        addRoutes: { routes in
            ProtocolPages.routes(&routes)
            ProtocolAPI.routes(&routes)
            PatientProtocolAPI.routes(&routes)
        },
        questions: FeatureQuestions {
            $0.uses = { question, connection in
                try ProtocolStore.all(connection).flatMap { try $0.uses(question, connection) }
            }
            $0.isNeeded = { battery, connection in
                try ProtocolStore.all(connection).contains { record in
                    record.definition.asked.contains { $0.batteryID?.text == battery }
                }
            }
            $0.mayReach = { account, connection in
                if try ParticipationStore.leads(account, connection) { return true }
                return try AccountStore.find(account, connection)?.roles.contains(.admin) ?? false
            }
            $0.participates = { account, services, now, connection in
                try ProtocolPlanner.participates(account, services, now: now, connection)
            }
            $0.namesArms = { study, connection in
                try ProtocolStore.all(of: study, connection).flatMap { $0.arms.map(\.rawValue) }
            }
            $0.starter = { c, connection in try StarterProtocol.piece(c, connection) }
        },
        pages: [ProtocolPages.Show.example])
}
