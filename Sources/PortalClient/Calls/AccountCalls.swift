public import Foundation
public import Wire

public struct Registration: Encodable, Sendable {
    public var email: String
    public var password: String
    public var passwordConfirmation: String
    public var privacyAccepted: Bool
    public var researchConsent: Bool
    public var language: String?
    /// IANA.
    public var timezone: String?

    public init(
        email: String, password: String, passwordConfirmation: String, privacyAccepted: Bool,
        researchConsent: Bool = false, language: String? = nil, timezone: String? = nil
    ) {
        self.email = email
        self.password = password
        self.passwordConfirmation = passwordConfirmation
        self.privacyAccepted = privacyAccepted
        self.researchConsent = researchConsent
        self.language = language
        self.timezone = timezone
    }
}

/// The data a device gives about itself when it signs in.
public struct DeviceInformation: Encodable, Sendable {
    /// `ios`, `android`, `web`, `other`.
    public var platform: String
    public var osVersion: String
    public var appVersion: String

    public init(platform: String, osVersion: String, appVersion: String) {
        self.platform = platform
        self.osVersion = osVersion
        self.appVersion = appVersion
    }
}

/// A change of the profile. Nil keeps a value.
public struct ProfileChange: Encodable, Sendable {
    public var language: ClientLanguage?
    /// IANA.
    public var timezone: String?
    public var name: String?
    /// ISO/IEC 5218.
    public var sex: Int?

    public init(
        language: ClientLanguage? = nil, timezone: String? = nil, name: String? = nil, sex: Int? = nil
    ) {
        self.language = language
        self.timezone = timezone
        self.name = name
        self.sex = sex
    }
}

// Registering and signing in.
extension Client {
    public func health() async throws(ClientError) -> Health { try await get("/health") }

    public func isEmailAvailable(_ email: String) async throws(ClientError) -> Bool {
        let answer: EmailAvailability = try await get("/auth/email-available?email=" + Self.query(email))
        return answer.available
    }

    /// - Returns: the account, and the token for the three calls that follow.
    public func register(
        _ registration: Registration
    ) async throws(ClientError) -> (account: Account, token: String) {
        let reply = try await send("POST", "/auth/register", registration)
        let document = try Self.read(One<Account>.self, reply)
        guard let token = document.meta?["registration_token"] else {
            throw .unreadable("no registration_token")
        }
        return (document.data.attributes, token)
    }

    /// Whether the address is confirmed by now.
    public func registration(_ token: String) async throws(ClientError) -> Account {
        try one(await send("GET", "/auth/registration", token: token))
    }

    public func resendVerification(_ token: String) async throws(ClientError) {
        try await send("POST", "/auth/registration/resend", token: token)
    }

    public func changeEmail(to email: String, _ token: String) async throws(ClientError) -> Account {
        try one(await send("PATCH", "/auth/registration", ["email": email], token: token))
    }

    /// - Parameter link: the token out of the mail.
    public func verifyEmail(_ link: String) async throws(ClientError) -> Account {
        try one(await send("POST", "/auth/email/verify", ["token": link]))
    }

    private struct Credentials: Encodable {
        let email, password: String
        let device_name, totp: String?
        let client: DeviceInformation?
    }

    /// Signs this device in and keeps the token.
    public func signIn(
        email: String, password: String, deviceName: String? = nil, device: DeviceInformation? = nil,
        totp: String? = nil
    ) async throws(ClientError) -> AccessToken {
        let body = Credentials(
            email: email, password: password, device_name: deviceName, totp: totp, client: device)
        let access: AccessToken = try one(await send("POST", "/auth/login", body))
        keep(token: access.token)
        return access
    }

    private struct CodeEntry: Encodable {
        let code: String
        let device_name: String?
        let client: DeviceInformation?
    }

    /// Enters a code shown by another device of the same person (PW-4). The token becomes valid when that device
    /// approves; until then every call answers 401.
    public func signIn(
        deviceCode code: String, deviceName: String? = nil, device: DeviceInformation? = nil
    ) async throws(ClientError) -> AccessToken {
        let body = CodeEntry(code: code, device_name: deviceName, client: device)
        let access: AccessToken = try one(await send("POST", "/auth/device", body))
        keep(token: access.token)
        return access
    }

    /// A fresh code for another device of the same person.
    public func makeDeviceCode() async throws(ClientError) -> DeviceCode {
        try one(await send("POST", "/my/device-codes"))
    }

    /// The valid code, and whether a device waits.
    public func deviceCode() async throws(ClientError) -> DeviceCode { try await get("/my/device-codes") }

    /// Approves the waiting device.
    public func approveDevice() async throws(ClientError) {
        try await send("POST", "/my/device-codes/approval")
    }

    /// Withdraws the code, and refuses a waiting device.
    public func refuseDevice() async throws(ClientError) {
        try await send("POST", "/my/device-codes/refusal")
    }

    /// Signs this device out. The token is forgotten even if the portal does not know it any more.
    public func signOut() async throws(ClientError) {
        do { try await send("POST", "/auth/logout") } catch  where error.refusal?.status == 401 {}
        keep(token: nil)
    }

    public func forgotPassword(_ email: String) async throws(ClientError) {
        _ = try await send("POST", "/auth/password/forgot", ["email": email])
    }

    /// - Parameter link: the token out of the mail.
    public func resetPassword(_ link: String, to password: String) async throws(ClientError) {
        let body = ["token": link, "password": password, "password_confirmation": password]
        _ = try await send("POST", "/auth/password/reset", body)
    }
}

// The own account.
extension Client {
    public func overview() async throws(ClientError) -> Overview { try await get("/my/overview") }
    public func profile() async throws(ClientError) -> Profile { try await get("/my/profile") }

    public func changeProfile(_ change: ProfileChange) async throws(ClientError) -> Profile {
        try one(await send("PATCH", "/my/profile", change))
    }

    /// Other devices are signed out.
    public func changePassword(from old: String, to new: String) async throws(ClientError) {
        let body = ["current_password": old, "password": new, "password_confirmation": new]
        _ = try await send("PUT", "/my/password", body)
    }

    /// Asks for another address of the own account. A link is sent to it, and until it is confirmed (`verifyEmail`)
    /// the old address stays in force; then other devices are signed out.
    public func askForEmail(_ email: String, password: String) async throws(ClientError) {
        _ = try await send("POST", "/my/email", ["email": email, "password": password])
    }

    public func devices() async throws(ClientError) -> [Item<Device>] { try await list("/my/devices") }

    public func signOut(device id: String) async throws(ClientError) {
        try await send("DELETE", "/my/devices/" + id)
    }

    public func privacy() async throws(ClientError) -> Privacy { try await get("/my/privacy") }

    /// The consequences of deleting the account, to be shown beforehand.
    public func accountDeletion() async throws(ClientError) -> AccountDeletion {
        try await get("/my/account/deletion")
    }

    public func setResearchConsent(_ isGiven: Bool) async throws(ClientError) -> Privacy {
        try one(await send("PUT", "/my/privacy", ["research_consent": isGiven]))
    }

    /// The access log of the own data.
    public func accessLog() async throws(ClientError) -> [Item<FileAccess>] {
        try await list("/my/access-log")
    }

    /// Everything held about the caller, as the portal writes it.
    public func export() async throws(ClientError) -> Data { try await send("GET", "/my/export").body }

    /// Deletes the account and everything in it for good.
    public func deleteAccount(password: String) async throws(ClientError) {
        _ = try await send("DELETE", "/my/account", ["password": password])
        keep(token: nil)
    }
}
