import Identity
import Web

extension Feature {
    /// Links to providers of measurements (FB-1, FB-3).
    package static let wearableLinks = Feature(
        name: "wearable_links",
        addRoutes: { routes in
            WearableAPI.routes(&routes)
            OwnWearablePages.routes(&routes)
        },
        makeParts: { settings, _, _, _ in [try WearableSignal(settings)] },
        removeExpired: { now, connection in
            try LinkRequestStore.removeExpired(now: now, connection)
            try PullStore.removeExpired(now: now, connection)
        },
        beforeErasure: { account, services, now in
            try LinkEnd.revokeAll(of: account, services, at: now)
            return { _ in }
        },
        eraseAccount: { account, connection in try PullStore.forget(account, connection) },
        revokeAll: { _, connection in
            try LinkRequestStore.removeAll(connection)
            try WearableLinkStore.requireConsentOfAll(connection)
        }, questions: FeatureQuestions { $0.providers = LinkActions.providers },
        pages: [
            OwnWearablePages.Show.example, OwnWearablePages.Leave.example, OwnWearablePages.Confirm.example,
        ],
        ownData: { owner, connection in
            [.wearables: try WearableLinkStore.all(of: owner.account.id, connection).map(\.wire)]
        })
}
