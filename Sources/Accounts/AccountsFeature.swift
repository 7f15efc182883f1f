import Identity
import Records
import Scheduling
import Web

extension Feature {
    /// Signing in, the own account, information pages.
    package static let accounts = Feature(
        name: "accounts",
        addRoutes: { routes in
            LoginPages.routes(&routes)
            SecondFactorPages.routes(&routes)
            PresencePages.routes(&routes)
            VerificationPages.routes(&routes)
            LanguagePages.routes(&routes)
            RegistrationAPI.routes(&routes)
            RegistrationPages.routes(&routes)
            DeviceCodePages.routes(&routes)
            DeviceCodeAPI.routes(&routes)
            LoginAPI.routes(&routes)
            PasswordPages.routes(&routes)
            PasswordAPI.routes(&routes)
            EmailChangeAPI.routes(&routes)
            EmailReturnPages.routes(&routes)
            ChangeEmailPages.routes(&routes)
            PrivacyAPI.routes(&routes)
            ErasureAPI.routes(&routes)
            ProfileAPI.routes(&routes)
            ProfilePages.routes(&routes)
            ChangePasswordPages.routes(&routes)
            OwnFactorPages.routes(&routes)
            DevicePages.routes(&routes)
            SensorAPI.routes(&routes)
            NoticeAPI.routes(&routes)
            InformationAPI.routes(&routes)
            InformationPages.routes(&routes)
            HelpPages.routes(&routes)
        },
        removeExpired: { now, connection in
            try AccountStore.removeExpired(now: now, connection)
            try MailLinkStore.removeExpired(now: now, connection)
            try EmailChangeStore.removeExpired(now: now, connection)
            try CredentialStore.removeExpired(now: now, connection)
            try AppUseStore.removeExpired(today: LocalTime(now, Zone("UTC")).date, connection)
            try KnownOriginStore.removeExpired(now: now, connection)
            try PasswordStore.removeExpired(now: now, connection)
            try MailStore.removeExpired(now: now, connection)
            try ErrandStore.removeExpired(now: now, connection)
            try DeviceCodeStore.removeExpired(now: now, connection)
        },
        revokeAll: { _, connection in
            try CredentialStore.removeAll(connection)
            try KnownOriginStore.removeBrowsers(connection)
            try PasswordStore.removeAll(connection)
            try MailLinkStore.removeAll(connection)
            try EmailChangeStore.removeAll(connection)
            try CalendarFeedStore.removeAll(connection)
            try MailStore.removeAll(connection)
            try ErrandStore.removeAll(connection)
            try DeviceCodeStore.removeAll(connection)
            try SecondFactorStore.removeAllCodes(connection)
        },
        pages: [
            SignIn.Continue(), DeviceCodePages.Wait(), SecondFactorPages.Codes.example,
            EmailReturnPages.Show(token: "", isDone: false), EmailReturnPages.Show(token: "", isDone: true),
        ],
        ownData: OwnAccountData.sections)
}
