/// A code by which a signed-in device lets another of the same person in (PW-4).
public struct DeviceCode: Documented, Decodable {
    public static let type = "device_code"
    /// Eight digits, to be entered on the other device within ten minutes.
    public var code: String
    public var expiresAt: Instant
    /// Whether a device has entered it and waits for a yes.
    public var waiting: Bool
    /// What that device calls itself; nil when it says nothing.
    public var deviceName: String?
    /// When it entered the code; nil while nothing waits.
    public var askedAt: Instant?
    /// As of devices.
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

    enum CodingKeys: String, CodingKey {
        case code, waiting, browser, system
        case askedAt = "asked_at"
        case expiresAt = "expires_at"
        case deviceName = "device_name"
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code, forKey: .code)
        try container.encode(expiresAt, forKey: .expiresAt)
        try container.encode(waiting, forKey: .waiting)
        try container.encode(deviceName, forKey: .deviceName)
        try container.encode(askedAt, forKey: .askedAt)
        try container.encode(browser, forKey: .browser)
        try container.encode(system, forKey: .system)
    }

    public static let schema = Schema.object([
        Schema.property("code", .string), Schema.property("expires_at", .time),
        Schema.property("waiting", .boolean), Schema.property("device_name", .string.orNull),
        Schema.property("asked_at", .time.orNull), Schema.property("browser", .string.orNull),
        Schema.property("system", .string.orNull),
    ])
    public static let example = DeviceCode(
        code: "39420603", expiresAt: Instant("2026-11-20T09:10:00Z")!, waiting: false, deviceName: nil)
}
