import Foundation

/// Addresses as they go over the wire.
public enum MailAddress {
    /// With the host in the form that every mail server knows, `pia@bücher.example` as `pia@xn--bcher-kva.example` (RFC 5891); as it
    /// is where the host has no such form.
    public static func plain(_ address: String) -> String {
        guard let at = address.utf8.lastIndex(of: UInt8(ascii: "@")) else { return address }
        let host = address[address.index(after: at)...]
        guard !host.utf8.allSatisfy({ $0 < 0x80 }), !host.utf8.contains(where: marks.contains),
            let plain = URLComponents(string: "http://\(host)")?.encodedHost,
            plain.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "%") })
        else { return address }
        return address[...at] + plain
    }

    /// What ends the host of a URL, or is more than one.
    private static let marks = Array("/?#:%[]\\".utf8)
}
