import Web

extension Feature {
    /// Web Push: subscriptions, the queue, the sender (PW-8, IO-25).
    package static let push = Feature(
        name: "push",
        addRoutes: { routes in PushAPI.routes(&routes) },
        makeParts: { settings, _, _, _ in [try PushSignal(settings)] },
        removeExpired: { now, connection in try PushQueueStore.removeExpired(now: now, connection) },
        revokeAll: { now, connection in
            try PushSubscriptionStore.endAll(at: now, connection)
            try PushQueueStore.removeAll(connection)
        },
        questions: FeatureQuestions { questions in
            questions.reminded = { account, connection in
                try PushSubscriptionStore.states(of: account, connection)
            }
        })
}
