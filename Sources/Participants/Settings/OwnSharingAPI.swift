import HTTP
import Identity
import Therapies
import Web
import Wire

/// Sharing own measurements with the therapist, over the API.
enum OwnSharingAPI {
    static func routes(_ routes: inout Routes) {
        let type = MeasurementSharing.self
        routes.call(
            .get, "/my/measurement-sharing", .patient,
            .one("Which own measurements the therapist sees, and from which day on", type).revised(
                OwnSharingStore.revision), show)
        routes.call(
            .put, "/my/measurement-sharing", .patient,
            .one(
                "Share own measurements, or no more; a type that is not sent stays as it is", type,
                takes: MeasurementSharing.sent
            ).revised(OwnSharingStore.revision), put)
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        try .data(One(try c.read { try OwnSharingStore.find(of: c.proof.account.id, $0) }))
    }

    @Sendable static func put(_ c: Context<Member>) throws -> Reply {
        let present = try c.read { try OwnSharingStore.find(of: c.proof.account.id, $0) }
        let wanted = try OwnSharing.read(try c.body(), over: present)
        if wanted != present { try OwnSharing.save(wanted, c) }
        return try .data(One(wanted))
    }
}
