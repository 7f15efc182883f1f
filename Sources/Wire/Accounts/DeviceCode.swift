/// A code by which a signed-in device approves another of the same person (PW-4).
public struct DeviceCode: Documented, Decodable {
    public static let type = "device_code"
    /// Eight digits, to be entered on the other device within ten minutes.
    public var code: String
    public var expiresAt: Instant
    /// Whether a device has entered it and waits for approval.
    public var waiting: Bool
    /// That device's own name; nil when it gave none.
    public var deviceName: String?
    /// When it entered the code; nil without a waiting device.
    public var askedAt: Instant?
    /// As in the list of devices.
    public var browser: String?
    public var system: String?

    public init(
        code: String, expiresAt: Instant, waiting: Bool, deviceName: String?, askedAt: Instant? = nil,
        browser: String? = nil, system: String? = nil
    ) {
        self.code = code
        self.expiresAt = expiresAt
        self.waiting = waiting
        self.deviceName = deviceName
        self.askedAt = askedAt
        self.browser = browser
        self.system = system
    }

    public static let example = DeviceCode(
        code: "39420603", expiresAt: Instant("2026-11-20T09:10:00Z")!, waiting: false, deviceName: nil)
}
