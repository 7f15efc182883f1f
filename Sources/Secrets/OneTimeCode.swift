import COath
import Foundation

/// Codes of six digits that change every thirty seconds (TOTP, RFC 6238, with SHA-1 as authenticator apps expect).
public enum OneTimeCode {
    /// Seconds a code is shown.
    public static let step: Int64 = 30
    /// Codes of this many steps before and after count, too: clocks differ, and typing takes time.
    private static let tolerance: Int64 = 1

    /// The code of a step; nil only when liboath cannot be started.
    public static func code(_ secret: [UInt8], step: Int64) -> String? {
        guard isReady, step >= 0 else { return nil }
        var output = [CChar](repeating: 0, count: 7)
        let made = secret.withUnsafeBytes { bytes in
            oath_hotp_generate(
                bytes.bindMemory(to: CChar.self).baseAddress, secret.count, UInt64(step), 6, false,
                // No fixed offset into the digest: the dynamic truncation of RFC 4226.
                Int(bitPattern: UInt.max), &output)
        }
        guard made == Int32(OATH_OK.rawValue) else { return nil }
        return String(decoding: output.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The step of a code; nil for a wrong one and for one that was used already.
    /// - Parameters:
    ///   - seconds: the present, in seconds since 1970.
    ///   - used: the step of the last sign-in; it and earlier ones no longer count.
    public static func step(
        of code: String, _ secret: [UInt8], at seconds: Int64, after used: Int64
    ) -> Int64? {
        let present = seconds / step
        var found: Int64?
        for step in (present - tolerance)...(present + tolerance) where step > used {
            guard let expected = Self.code(secret, step: step) else { continue }
            if equalInConstantTime(Array(expected.utf8), Array(code.utf8)) { found = step }
        }
        return found
    }

    /// Base32 without padding, as people type it into apps (RFC 4648, 6).
    public static func base32(_ bytes: [UInt8]) -> String {
        var output: UnsafeMutablePointer<CChar>? = nil
        var length: Int = 0
        let made = bytes.withUnsafeBytes { bytes in
            oath_base32_encode(bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, &output, &length)
        }
        guard made == Int32(OATH_OK.rawValue), let output else { return "" }
        defer { free(output) }
        return String(cString: output).replacing("=", with: "")
    }

    private static let isReady = oath_init() == Int32(OATH_OK.rawValue)
}
