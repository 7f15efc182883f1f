import Web

extension Feature {
    /// What ties an account to a therapy: the code, its sheet, connecting, and the therapist that it leads to (IO-4).
    package static let pairing = Feature(
        name: "pairing",
        addRoutes: { routes in
            PairingPages.routes(&routes)
            PairingAPI.routes(&routes)
        },
        removeExpired: { now, connection in try PairingStore.removeExpired(now: now, connection) },
        revokeAll: { now, connection in try PairingStore.replaceAll(at: now, connection) })
}
