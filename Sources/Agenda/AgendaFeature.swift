import Identity
import Web

extension Feature {
    /// What is asked of one account, now and next, for phones.
    package static let agenda = Feature(
        name: "agenda",
        addRoutes: { routes in
            WaitingAPI.routes(&routes)
            NotificationAPI.routes(&routes)
            OverviewAPI.routes(&routes)
        },
        ownData: { owner, _ in [.notificationSettings: owner.account.notifications.wire] })
}
